//! The files that environments read, wherever they are.

use std::io;

/// A folder of files. Paths are relative to it, with `/` between their parts.
pub trait Files: Send + Sync {
    /// What is in a folder, in any order; the folder itself is the empty path.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<Listed>>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The file or folder as messages name it.
    fn place(&self, path: &str) -> String;
}

/// One thing in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name, without that of the folder.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// Files on disk.
#[cfg(feature = "files")]
#[derive(Clone, Debug)]
pub struct Folder(std::path::PathBuf);

#[cfg(feature = "files")]
impl Folder {
    /// What is below a path.
    #[must_use]
    pub fn new(root: impl Into<std::path::PathBuf>) -> Self {
        Self(root.into())
    }
}

#[cfg(feature = "files")]
impl Files for Folder {
    fn list(&self, folder: &str) -> io::Result<Vec<Listed>> {
        let listed = |entry: std::fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok(Listed { name, is_folder: entry.file_type()?.is_dir() })
        };
        std::fs::read_dir(self.0.join(folder))?.map(|entry| listed(entry?)).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }

    fn place(&self, path: &str) -> String {
        self.0.join(path).display().to_string()
    }
}
