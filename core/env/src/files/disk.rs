//! Disk files.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::memory_map::Mapped;
use super::{Bytes, Files, ListedFile, Pieces, ReadSeek, Unfinished, read};

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    /// Where files are kept that cannot be written there.
    cache: Option<PathBuf>,
    tell: fn(&str),
}

impl Folder {
    /// What is below a path.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), cache: None, tell: |_| {} }
    }

    /// With a folder to keep files in if this one cannot be written to. Those of different folders
    /// are kept apart.
    #[must_use]
    pub fn with_cache(mut self, cache: &Path) -> Self {
        let whole = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let name = rapidhash::v3::rapidhash_v3(whole.as_os_str().as_encoded_bytes());
        self.cache = Some(cache.join(format!("{name:016x}")));
        self
    }

    /// With somebody who is told how far work has come that takes minutes.
    #[must_use]
    pub fn with_progress(mut self, tell: fn(&str)) -> Self {
        self.tell = tell;
        self
    }

    /// The files around a path, and its name among them: the empty one if it is a folder.
    #[must_use]
    pub fn around(path: &Path) -> (Self, String) {
        match (path.parent(), path.file_name().and_then(OsStr::to_str)) {
            (Some(parent), Some(name)) if !path.is_dir() => (Self::new(parent), name.to_owned()),
            _ => (Self::new(path), String::new()),
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        // Joined with the empty path, a file's name would end in a slash.
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    /// The file that is kept under a path, if there is one.
    fn stored_path(&self, path: &str) -> PathBuf {
        let beside = self.at(path);
        let elsewhere = self.cache.as_ref().map(|cache| cache.join(path));
        elsewhere.filter(|it| !beside.exists() && it.exists()).unwrap_or(beside)
    }
}

impl Files for Folder {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        let listed = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok(ListedFile { name, is_folder: entry.file_type()?.is_dir() })
        };
        fs::read_dir(self.at(folder))?.map(|entry| listed(entry?)).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read(&self.at(path))
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn ReadSeek>> {
        Ok(Box::new(File::open(self.at(path))?))
    }

    fn pieces(&self, path: &str) -> io::Result<Box<dyn Pieces>> {
        Ok(Box::new(Mapped::open(&self.at(path))?))
    }

    #[expect(unsafe_code, reason = "a file in memory can change under its reader")]
    fn map(&self, path: &str) -> io::Result<Bytes> {
        let file = File::open(self.stored_path(path))?;
        // SAFETY: `create` gives a file its name when it is whole, and another one takes its place as a
        // file of its own, so that nobody of this house writes into a file that is mapped. Whoever else
        // cuts it short meanwhile ends the program.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Bytes::new(map))
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn Unfinished>> {
        let Some(cache) = &self.cache else { return Part::begin(&self.at(path)) };
        match Part::begin(&self.at(path)) {
            Err(error) if is_refused(&error) => {
                fs::create_dir_all(cache)?;
                Part::begin(&cache.join(path))
            }
            begun => begun,
        }
    }

    fn tell(&self, progress: &str) {
        (self.tell)(progress);
    }

    fn place(&self, path: &str) -> String {
        self.stored_path(path).display().to_string()
    }
}

fn is_refused(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

/// A file under another name until it is whole.
struct Part {
    file: File,
    now: PathBuf,
    path: PathBuf,
    /// Held while it is written, if the file system can do that.
    _lock: File,
}

impl Part {
    fn begin(path: &Path) -> io::Result<Box<dyn Unfinished>> {
        let lock = path.with_added_extension("lock");
        let lock = File::options().write(true).create(true).truncate(false).open(lock)?;
        let is_locked = match lock.lock() {
            Err(error) if error.kind() == ErrorKind::Unsupported => false,
            locked => locked.map(|()| true)?,
        };
        if is_locked {
            remove_parts(path)?;
        }
        // Without locks, those of several processes are told apart by their names.
        let now = path.with_added_extension(format!("{}.part", std::process::id()));
        let file = File::create(&now)?;
        Ok(Box::new(Self { file, now, path: path.to_owned(), _lock: lock }))
    }
}

/// Removes what processes that were killed have left behind.
fn remove_parts(path: &Path) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let name = name.to_string_lossy();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.file_name();
        let number = found.to_str().and_then(|it| it.strip_prefix(&*name)?.strip_suffix(".part"));
        if number.is_some_and(|it| it.starts_with('.')) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Part {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Unfinished for Part {
    fn finish(self: Box<Self>) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.now, &self.path)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Once it has its name there is nothing to remove.
        let _ = fs::remove_file(&self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let listed = Folder::new(folder).list("").unwrap();
        let mut names: Vec<String> = listed.into_iter().map(|it| it.name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn files_have_their_names_once_they_are_whole() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        // What a process left behind that was killed.
        fs::write(place.path().join("kept.77.part"), b"half").unwrap();
        let mut file = folder.create("kept").unwrap();
        file.write_all(b"one and").unwrap();
        assert_eq!(folder.map("kept").unwrap_err().kind(), ErrorKind::NotFound);
        drop(file);
        assert_eq!(names(place.path()), ["kept.lock"]);

        let mut file = folder.create("kept").unwrap();
        file.write_all(b"all of it").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"A").unwrap();
        file.finish().unwrap();
        let first = folder.map("kept").unwrap();
        assert_eq!(&*first, b"All of it");
        // Another one takes its place, and who reads the first goes on.
        let mut file = folder.create("kept").unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!((&*first, &*folder.map("kept").unwrap()), (&b"All of it"[..], &b"new"[..]));
        assert_eq!(names(place.path()), ["kept", "kept.lock"]);
    }

    #[test]
    fn who_writes_the_same_file_waits() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let mut file = folder.create("kept").unwrap();
        let other = folder.clone();
        let waiting = std::thread::spawn(move || {
            let _second = other.create("kept").unwrap();
            // The first is whole by now.
            other.map("kept").unwrap().len()
        });
        std::thread::sleep(std::time::Duration::from_millis(50));
        file.write_all(&[1; 5]).unwrap();
        file.finish().unwrap();
        assert_eq!(waiting.join().unwrap(), 5);
    }

    /// Nobody can write there, not even root.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_kept_beside_is_kept_in_the_cache() {
        let cache = tempfile::tempdir().unwrap();
        let folder = Folder::new("/sys").with_cache(cache.path());
        assert!(folder.place("kept").starts_with("/sys"));
        let mut file = folder.create("kept").unwrap();
        file.write_all(b"here").unwrap();
        file.finish().unwrap();
        assert_eq!(&*folder.map("kept").unwrap(), b"here");
        assert!(folder.place("kept").starts_with(&cache.path().display().to_string()));
        assert!(Folder::new("/proc").with_cache(cache.path()).map("kept").is_err());
        assert!(is_refused(&Folder::new("/sys").create("kept").err().unwrap()));
    }
}
