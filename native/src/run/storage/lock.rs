//! Lock of a folder: one process at a time writes to a run.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use super::atomic_write;
use crate::run::RunError;

/// The right to write to a run, which the system takes back when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    #[expect(dead_code, reason = "held, not used")]
    file: File,
    /// Whoever removes the file must not open the run to others.
    #[expect(dead_code, reason = "held, not used")]
    folder: Option<File>,
}

impl FolderLock {
    /// The file's name in a run's folder; it stays there, and says who held it last.
    pub const FILE: &str = "lock";

    /// Takes the right to write to the run in `folder`.
    ///
    /// # Errors
    /// Another process has it; the file cannot be written.
    pub fn take(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(Self::FILE);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(RunError::write(&path))?;
        // Not every system opens folders, nor locks what is open for reading alone.
        let inside = File::open(folder).ok();
        let is_free = !matches!(inside.as_ref().map(atomic_write::lock_file), Some(Ok(false)));
        if !is_free || !atomic_write::lock_file(&file).map_err(RunError::write(&path))? {
            let mut holder = String::new();
            // Who it is only helps: that it is somebody is known.
            let _ = file.read_to_string(&mut holder);
            let holder = match holder.trim() {
                "" => "another process".to_owned(),
                holder => holder.to_owned(),
            };
            return Err(RunError::Locked { run: folder.to_owned(), holder });
        }
        let holder = format!("process {} on {}\n", std::process::id(), host());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(holder.as_bytes()))
            .map_err(RunError::write(&path))?;
        Ok(Self { file, folder: inside })
    }
}

fn host() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok());
    named.map_or_else(|| "this machine".to_owned(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_runs_are_refused_until_released() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        let refused = FolderLock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(&format!("process {} on ", std::process::id())), "{refused}");
        std::fs::remove_file(folder.path().join(FolderLock::FILE)).unwrap();
        let refused = FolderLock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("another process"), "{refused}");
        drop(held);
        FolderLock::take(folder.path()).unwrap();
    }
}
