//! Atomic file writes: a reader, or a crash, never meets half of a file.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::run::RunError;

/// Makes a folder, with those above it that are missing, so that a power cut does not take them back.
///
/// # Errors
/// One cannot be made, or is a file.
pub(crate) fn make_folder(path: &Path) -> Result<(), RunError> {
    let above = parent_folder(path);
    let made = match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && above != path => {
            make_folder(above)?;
            // Asked once: the one above may be one that nothing can be made in, such as a working directory that was
            // removed.
            fs::create_dir(path)
        }
        made => made,
    };
    match made {
        Ok(()) => synchronise(above),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let problem = match fs::read_link(path) {
                Ok(to) => format!("it is a link to {}, which is not there", to.display()),
                Err(_) => "a file has this name".to_owned(),
            };
            Err(RunError::write(path)(std::io::Error::new(error.kind(), problem)))
        }
        Err(error) => Err(RunError::write(path)(error)),
    }
}

/// The folder that a file or folder is in.
pub(crate) fn parent_folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

/// Replaces a file by `bytes`: written beside it, synchronised, renamed over it.
///
/// # Errors
/// The folder or the file cannot be written; the old file is then untouched.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    replace_with(path, |file| file.write_all(bytes))
}

/// The same by a value as indented JSON.
///
/// # Errors
/// Those of [`replace`].
pub(crate) fn replace_json(path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    let text = serde_json::to_vec_pretty(value);
    let mut text = text.map_err(|error| RunError::write(path)(error.into()))?;
    text.push(b'\n');
    replace(path, &text)
}

/// The same by what `write` writes.
///
/// # Errors
/// Those of [`replace`].
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), RunError> {
    make_folder(parent_folder(path))?;
    let partial = partial(path);
    let written = create_synchronised(&partial, write)
        .map_err(RunError::write(&partial))
        .and_then(|()| fs::rename(&partial, path).map_err(RunError::write(path)))
        .and_then(|()| synchronise(parent_folder(path)));
    if written.is_err() {
        // What could not be written whole is of no use; the first error is the one to report.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Makes a file that is not there yet: written beside it, synchronised, then given its name. False if the
/// name is taken; what has it is then untouched.
///
/// # Errors
/// It or its folder cannot be written; nothing is left of it then.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<bool, RunError> {
    make_folder(parent_folder(path))?;
    let partial = own_partial(path);
    let written = write_synchronised(&partial, bytes).map_err(RunError::write(&partial));
    let named = written.and_then(|()| link(&partial, path).map_err(RunError::write(path)));
    let _ = fs::remove_file(&partial);
    let is_made = named?;
    synchronise(parent_folder(path)).map(|()| is_made)
}

/// The name that a file has until it is whole, of this process alone, as others may be making the same file.
fn own_partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.partial", std::process::id()))
}

/// Gives a whole file another name too; false if that is taken.
///
/// # Errors
/// The name cannot be given.
fn link(partial: &Path, path: &Path) -> std::io::Result<bool> {
    // A link, unlike a new name, never takes the place of what is there.
    match fs::hard_link(partial, path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a file and waits until it is on the disk.
pub(crate) fn write_synchronised(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    create_synchronised(path, |file| file.write_all(bytes))
}

fn create_synchronised(
    path: &Path,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    write(&mut file).and_then(|()| file.sync_all())
}

/// Waits until the names in a folder are on the disk, if the system can open folders.
pub(crate) fn synchronise(folder: &Path) -> Result<(), RunError> {
    synchronise_folder(folder).map_err(RunError::write(folder))
}

/// The same, with the system's own error.
pub(crate) fn synchronise_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The name that a file or folder has until it is whole.
pub(crate) fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.partial"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_cannot_be_made_are_refused() {
        // Nothing can be made there, although the folder above is there.
        let path = Path::new("/proc/hgpo/runs");
        if path.ancestors().nth(2).is_some_and(Path::is_dir) {
            let error = make_folder(path).unwrap_err().to_string();
            assert!(error.contains("/proc/hgpo"), "{error}");
        }
    }

    #[test]
    fn missing_folders_above_are_made_too() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b/c");
        make_folder(&path).unwrap();
        make_folder(&path).unwrap();
        assert!(path.is_dir());
        fs::write(root.path().join("file"), "").unwrap();
        let error = make_folder(&root.path().join("file")).unwrap_err().to_string();
        assert!(error.ends_with("file: a file has this name"), "{error}");
        assert!(make_folder(&root.path().join("file/b")).is_err());
    }
}
