//! Files of environments' data and language models, wherever they are.

#[cfg(feature = "files")]
mod disk;
#[cfg(feature = "files")]
mod memory_map;
#[cfg(feature = "files")]
mod regular_file;
mod shared_bytes;

use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

#[cfg(feature = "files")]
pub use self::disk::Folder;
#[cfg(feature = "files")]
pub use self::regular_file::{check_regular, read_regular};
pub use self::shared_bytes::{Bytes, Pieces};

/// Bytes that can be read from any position on.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A folder of files. Paths are relative to it, with `/` between their parts.
pub trait Files: Send + Sync {
    /// What is in a folder, in any order; the folder itself is the empty path.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Opens a file that is read from one place after another.
    ///
    /// # Errors
    /// There is no such file, or it cannot be opened.
    fn open(&self, path: &str) -> io::Result<Box<dyn ReadSeek>> {
        Ok(Box::new(Cursor::new(self.read(path)?)))
    }

    /// Opens a file of which large pieces are wanted, by several threads, as of weights that do not fit into
    /// memory: mapped into it if that can be done, each for as long as it is looked at.
    ///
    /// # Errors
    /// There is no such file, or it cannot be opened.
    fn pieces(&self, path: &str) -> io::Result<Box<dyn Pieces>> {
        Ok(Box::new(Bytes::new(self.read(path)?)))
    }

    /// The bytes of a file that [`Files::create`] wrote and nobody changes: mapped into memory if that
    /// can be done, so that only what is looked at is loaded, once for all processes.
    ///
    /// # Errors
    /// There is no such file, or it cannot be opened.
    fn map(&self, path: &str) -> io::Result<Bytes> {
        self.read(path).map(Bytes::new)
    }

    /// Begins a file that is kept for later: beside the others, or in another place if that cannot be
    /// written. Waits while somebody else writes it; check whether it is there now.
    ///
    /// # Errors
    /// Nothing can be written; of the kind [`ErrorKind::Unsupported`] if these files are only read.
    fn create(&self, _path: &str) -> io::Result<Box<dyn Unfinished>> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Is told, a line at a time, how far work has come that takes minutes.
    fn tell(&self, _progress: &str) {}

    /// The file or folder as messages name it.
    fn place(&self, path: &str) -> String;
}

/// A file that is being written. It has its name once it is finished, whole; dropped before, it is gone.
pub trait Unfinished: io::Write + Seek {
    /// Gives it its name, in the place of what had it.
    ///
    /// # Errors
    /// It cannot be written to the disk, or not be renamed.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// One thing in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Its name, without that of the folder.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// The path of what has this name in a folder.
#[must_use]
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Files in memory: their bytes by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(pub BTreeMap<String, Vec<u8>>);

impl Files for MemoryFiles {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        let mut listed: Vec<ListedFile> = Vec::new();
        let start = join(folder, "");
        for path in self.0.keys().filter_map(|path| path.strip_prefix(&start)) {
            let (name, is_folder) = match path.split_once('/') {
                Some((folder, _)) => (folder, true),
                None => (path, false),
            };
            // What is in one folder stands together: paths are sorted.
            if listed.last().is_none_or(|last| last.name != name) {
                listed.push(ListedFile { name: name.to_owned(), is_folder });
            }
        }
        match (listed.is_empty(), folder) {
            (false, _) | (true, "") => Ok(listed),
            (true, file) if self.0.contains_key(file) => Err(ErrorKind::NotADirectory.into()),
            (true, _) => Err(ErrorKind::NotFound.into()),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn place(&self, path: &str) -> String {
        path.to_owned()
    }
}

/// Files of up to as many bytes are read whole.
pub const READ_WHOLE: u64 = 1 << 26;

/// Pieces that are read of longer ones, as far apart as they can be, the first and the last among them.
const PIECES: u64 = 64;

/// Bytes of such a piece.
const PIECE: u64 = 1 << 16;

/// The length of a file in bytes.
///
/// # Errors
/// It cannot be read.
pub fn length(file: &mut dyn ReadSeek) -> io::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}

/// Shows what tells a file from others to `digest`: its length as eight bytes, and then all its bytes, or, if
/// it is longer than [`READ_WHOLE`], 4 MiB of it, so that whatever makes it shorter or longer is found, and of
/// other changes those that are in these pieces. The length.
///
/// # Errors
/// The file cannot be read.
pub fn sampled(file: &mut dyn ReadSeek, mut digest: impl FnMut(&[u8])) -> io::Result<u64> {
    let length = length(file)?;
    let (pieces, apart) = if length <= READ_WHOLE {
        (length.div_ceil(PIECE), PIECE)
    } else {
        (PIECES, (length - PIECE) / (PIECES - 1))
    };
    digest(&length.to_le_bytes());
    let mut piece = Vec::with_capacity(PIECE as usize);
    let begins = (0..pieces).map(|number| number * apart);
    for begin in begins.chain([length.saturating_sub(PIECE)]) {
        file.seek(SeekFrom::Start(begin))?;
        piece.clear();
        (&mut *file).take(PIECE).read_to_end(&mut piece)?;
        digest(&piece);
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}

/// Most bytes of a file that is read whole: 256 MiB, many times the largest that is known.
#[cfg(feature = "files")]
pub const MOST_BYTES: u64 = 1 << 28;

/// The bytes of a file on disk, which may be a device without an end.
///
/// # Errors
/// It cannot be read, or has more than [`MOST_BYTES`].
#[cfg(feature = "files")]
pub fn read(path: &std::path::Path) -> io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    // Before memory is asked for: a file may be longer than that, and most of it a hole.
    if length <= MOST_BYTES {
        bytes.reserve_exact(length as usize);
        file.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > MOST_BYTES {
        let problem = format!("larger than {MOST_BYTES} bytes, the limit");
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// The text of a file on disk.
///
/// # Errors
/// [`read`]'s, and a file that is not UTF-8.
#[cfg(feature = "files")]
pub fn read_text(path: &std::path::Path) -> io::Result<String> {
    let not_text = |error| io::Error::new(ErrorKind::InvalidData, error);
    String::from_utf8(read(path)?).map_err(not_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(feature = "files", unix))]
    #[test]
    fn a_file_without_an_end_is_refused() {
        use std::path::Path;
        assert!(read(Path::new("/dev/null")).unwrap().is_empty());
        let error = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "larger than 268435456 bytes, the limit");
        // 1 TB that takes no room.
        let folder = tempfile::tempdir().unwrap();
        let hole = folder.path().join("hole");
        std::fs::File::create(&hole).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&hole).unwrap_err().kind(), ErrorKind::FileTooLarge);
        std::fs::write(&hole, b"caf\xe9").unwrap();
        assert_eq!(read_text(&hole).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn files_in_memory_are_listed_as_those_of_folders() {
        let paths = ["a/one", "a/two", "b/c/three", "four"];
        let memory = MemoryFiles(paths.map(|path| (path.to_owned(), path.into())).into());
        let found = |folder: &str| -> Vec<(String, bool)> {
            memory.list(folder).unwrap().into_iter().map(|it| (it.name, it.is_folder)).collect()
        };
        let named = |name: &str, is_folder| (name.to_owned(), is_folder);
        let top = [named("a", true), named("b", true), named("four", false)];
        assert_eq!(found(""), top);
        assert_eq!(found("a"), [named("one", false), named("two", false)]);
        assert_eq!(found("b"), [named("c", true)]);
        assert_eq!(memory.list("four").unwrap_err().kind(), ErrorKind::NotADirectory);
        assert_eq!(memory.list("none").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(memory.read("none").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(MemoryFiles::default().list("").unwrap(), []);
        let mut two = [0; 2];
        let mut file = memory.open("b/c/three").unwrap();
        file.seek(SeekFrom::Start(4)).unwrap();
        file.read_exact(&mut two).unwrap();
        assert_eq!(&two, b"th");
    }
}
