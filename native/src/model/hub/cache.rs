//! Cache of fetched models, in the layout that Hugging Face's own tools share: `models--OWNER--NAME` with `blobs`
//! (contents), `snapshots/VERSION` (names, as links to contents) and `refs/main` (the newest version).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::listing::is_version;
use crate::run::if_exists;

/// The folder of one model.
#[derive(Debug)]
pub(super) struct ModelFolder(PathBuf);

impl ModelFolder {
    /// That of a model whose name was checked.
    pub(super) fn new(cache: &Path, model: &str) -> Self {
        Self(cache.join(format!("models--{}", model.replace('/', "--"))))
    }

    /// The folder with the files of the version that was fetched last.
    pub(super) fn newest(&self) -> Option<PathBuf> {
        let version = fs::read_to_string(self.0.join("refs/main")).ok()?;
        is_version(version.trim()).then(|| self.snapshot(version.trim()))
    }

    /// The folder with the files of a version.
    pub(super) fn snapshot(&self, version: &str) -> PathBuf {
        self.0.join("snapshots").join(version)
    }

    /// The file that holds contents of a name.
    pub(super) fn blob(&self, name: &str) -> PathBuf {
        self.0.join("blobs").join(name)
    }

    /// Where a file is put together while it comes.
    pub(super) fn incomplete(&self, version: &str, file: &str) -> io::Result<PathBuf> {
        let blobs = self.0.join("blobs");
        fs::create_dir_all(&blobs)?;
        Ok(blobs.join(format!("{version}.{file}.incomplete")))
    }

    /// Gives contents their name in a version.
    pub(super) fn link(&self, blob: &str, version: &str, file: &str) -> io::Result<()> {
        let folder = self.snapshot(version);
        fs::create_dir_all(&folder)?;
        // A link to contents that are gone may be there.
        let (link, new) = (folder.join(file), folder.join(format!(".{file}.new")));
        if_exists(fs::remove_file(&new))?;
        if symbolic(&Path::new("../../blobs").join(blob), &new).is_err() {
            // A file system without links.
            fs::copy(self.blob(blob), &new)?;
        }
        fs::rename(&new, &link)
    }

    /// Notes which version is the newest.
    pub(super) fn note(&self, version: &str) -> io::Result<()> {
        let refs = self.0.join("refs");
        fs::create_dir_all(&refs)?;
        let new = refs.join(".main.new");
        fs::write(&new, version)?;
        fs::rename(new, refs.join("main"))
    }
}

#[cfg(unix)]
fn symbolic(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn symbolic(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
