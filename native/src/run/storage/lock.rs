//! Locks of files and folders: one process at a time writes to a run, or results into a folder; and one works on all of a
//! study, or several on parts.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::atomic_write;
use crate::run::RunError;
use crate::terminal::quote_path;

/// Opens the file of a lock, which is made if need be.
///
/// # Errors
/// It cannot be written.
fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
}

/// Whether a file is this process's alone until it is closed. If the file system has no locks, it is.
///
/// # Errors
/// The system cannot say.
pub(crate) fn lock_file(file: &File) -> io::Result<bool> {
    is_locked(file.try_lock())
}

/// What came of locking a file, as [`lock_file`] says it.
fn is_locked(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Who holds a lock, by its file.
fn read_holder(file: &mut File) -> String {
    let mut holder = String::new();
    // Who it is only helps: that it is somebody is known.
    let _ = file.read_to_string(&mut holder);
    let holder = holder.trim();
    if holder.is_empty() { "another process".to_owned() } else { holder.to_owned() }
}

/// Writes into a lock's file who holds it.
///
/// # Errors
/// It cannot be written.
fn write_holder(file: &mut File, holder: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(format!("{holder}\n").as_bytes())
}

/// The right to write to a run, which the system takes back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
    /// Whoever removes the file must not open the run to others.
    _folder: Option<File>,
}

impl FolderLock {
    /// The file's name in a run's folder; it stays there, and says who held it last.
    pub(crate) const FILE: &str = "lock";

    /// Takes the right to write to the run in `folder`.
    ///
    /// # Errors
    /// Another process has it; the file cannot be written.
    pub(crate) fn take(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(Self::FILE);
        let mut file = open_lock(&path).map_err(RunError::write(&path))?;
        // Not every system opens folders, nor locks what is open for reading alone.
        let inside = File::open(folder).ok();
        let is_free = !matches!(inside.as_ref().map(lock_file), Some(Ok(false)));
        if !is_free || !lock_file(&file).map_err(RunError::write(&path))? {
            let (run, holder) = (folder.to_owned(), read_holder(&mut file));
            return Err(RunError::Locked { run, holder });
        }
        let holder = format!("process {} on {}", std::process::id(), host());
        write_holder(&mut file, &holder).map_err(RunError::write(&path))?;
        Ok(Self { _file: file, _folder: inside })
    }
}

/// Whether a process writes to the run in `folder`. The lock is not tried: whoever looks must not stand in the way of a run
/// that begins.
pub(crate) fn is_held(folder: &Path) -> bool {
    let path = folder.join(FolderLock::FILE);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        let Ok(file) = fs::metadata(path) else { return false };
        // "1: FLOCK  ADVISORY  WRITE 17 fe:00:263107 0 EOF"; device numbers differ from those of files on some systems.
        let inode = format!(":{}", file.ino());
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        locks.lines().any(|lock| {
            let mut words = lock.split_whitespace().skip(1);
            words.next() == Some("FLOCK") && words.nth(3).is_some_and(|it| it.ends_with(&inode))
        })
    }
    #[cfg(all(unix, not(target_os = "linux")))]
    {
        let holder = fs::read_to_string(path).unwrap_or_default();
        let words: Vec<&str> = holder.split_whitespace().collect();
        match words[..] {
            ["process", number, "on", on] if on == host() => {
                number.parse().is_ok_and(|number| is_alive(number))
            }
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Whether there is a process of this number.
#[cfg(all(unix, not(target_os = "linux")))]
#[expect(unsafe_code, reason = "signal 0 asks, and does nothing")]
fn is_alive(number: libc::pid_t) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(number, 0) == 0 }
}

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

/// Takes the right to work on all of the study in `folder`, or, with others, on a part of it: until what is returned is
/// closed, or the process ends, however it ends.
///
/// # Errors
/// Another process works on all of it, or, if all is wanted, on a part.
pub(crate) fn lock_study(folder: &Path, is_part: bool) -> anyhow::Result<File> {
    let path = folder.join("lock");
    let writing = || format!("cannot write {}", path.display());
    let mut file = open_lock(&path).with_context(writing)?;
    let taken = if is_part { file.try_lock_shared() } else { file.try_lock() };
    // If the file system has no locks, runs have their own.
    if !is_locked(taken).with_context(writing)? {
        bail!(
            "{}: {} works on this study: wait until it has ended, or deal the runs out to several with \
             --only",
            quote_path(folder),
            read_holder(&mut file)
        );
    }
    let holder = format!("process {}", std::process::id());
    write_holder(&mut file, &holder).with_context(writing)?;
    Ok(file)
}

/// Waits until no other process writes a study's own files, and keeps them from it for as long as what is returned lives.
///
/// # Errors
/// The folder cannot be written.
pub(crate) fn lock_study_files(folder: &Path) -> anyhow::Result<File> {
    let lock = || {
        let file = open_lock(&folder.join(".writing"))?;
        match file.lock() {
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
            _ => Ok(file),
        }
    };
    lock().with_context(|| format!("cannot write to {}", folder.display()))
}

fn host() -> String {
    let named = fs::read_to_string("/proc/sys/kernel/hostname").ok();
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
        fs::remove_file(folder.path().join(FolderLock::FILE)).unwrap();
        let refused = FolderLock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("another process"), "{refused}");
        drop(held);
        assert!(!is_held(folder.path()));
        let held = FolderLock::take(folder.path()).unwrap();
        assert!(is_held(folder.path()));
        drop(held);
        assert!(!is_held(folder.path()));
    }

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

    #[test]
    fn study_is_locked_by_one_process_or_shared_by_parts() {
        let folder = tempfile::tempdir().unwrap();
        let take = |is_part| lock_study(folder.path(), is_part);
        let whole = take(false).unwrap();
        for is_part in [false, true] {
            let refused = take(is_part).unwrap_err().to_string();
            let holder = format!("process {} works on this study", std::process::id());
            assert!(refused.contains(&holder) && refused.contains("--only"), "{refused}");
        }
        drop(whole);
        let parts = [take(true).unwrap(), take(true).unwrap()];
        assert!(take(false).is_err());
        drop(parts);
        take(false).unwrap();
    }
}
