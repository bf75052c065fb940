//! Output lock: of a folder that results are written to at the end of a command.

use std::fs;
use std::path::{Path, PathBuf};

use super::atomic_write;
use crate::run::{FolderLock, RunError};

/// The right to write results into a folder, held while they are computed. When it is dropped, nothing is left of it:
/// neither the lock's file nor a folder that was made for it and is still empty.
#[derive(Debug)]
pub struct OutputLock {
    lock: Option<FolderLock>,
    folder: PathBuf,
}

impl OutputLock {
    /// Takes the right to write into `folder`, which is made if need be.
    ///
    /// # Errors
    /// Another process has it; the folder cannot be made or written.
    pub fn take(folder: &Path) -> Result<Self, RunError> {
        atomic_write::make_folder(folder)?;
        let lock = Some(FolderLock::take(folder)?);
        Ok(Self { lock, folder: folder.to_owned() })
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // While it is held: whoever comes next makes a file of its own. What cannot be removed does no harm.
        let _ = fs::remove_file(self.folder.join(FolderLock::FILE));
        self.lock = None;
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_folders_are_refused_and_left_without_trace() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("bias");
        let held = OutputLock::take(&folder).unwrap();
        let refused = OutputLock::take(&folder).unwrap_err().to_string();
        assert!(refused.contains("is in use by process"), "{refused}");
        drop(held);
        assert!(!folder.exists());
        let held = OutputLock::take(&folder).unwrap();
        fs::write(folder.join("bias.json"), "{}").unwrap();
        drop(held);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
