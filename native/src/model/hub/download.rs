//! Download of one file from the hub: into a file beside its place, checked, and then into its place.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::Download;
use super::connection::{Connection, RequestError};
use super::integrity::ContentDigest;
use super::listing::RemoteFile;
use super::refusal::{AGAIN, NO_CONNECTION, NO_HUB, describe_no_answer};
use crate::run::storage::lock::lock_file;

/// How often a connection may break without having brought [`STRETCH`] bytes.
const TRIES: u32 = 3;

/// Bytes after which a connection that breaks has been of use.
const STRETCH: u64 = 1 << 20;

/// The most bytes of a file whose size the hub does not state.
const UNKNOWN_SIZE: u64 = 64 << 20;

/// What is fetched.
pub(super) struct RequestedFile<'a> {
    pub model: &'a str,
    pub version: &'a str,
    pub file: &'a str,
    /// What the hub says of it.
    pub told: &'a RemoteFile,
}

/// Why a file is not here.
pub(super) enum DownloadError {
    /// The hub or the connection.
    Hub(String),
    /// This machine.
    Disk(io::Error),
    /// The connection broke, and it may help to ask again.
    Broken(String),
}

impl From<io::Error> for DownloadError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Fetches a file into `path`, goes on where an earlier download ended, and checks length and digest.
/// Gives the SHA-256 of its contents.
///
/// # Errors
/// It cannot be fetched or written, or is not what the hub says it is. What came is kept if a later
/// download can go on from it.
pub(super) fn fetch(
    connection: &Connection,
    wanted: &RequestedFile<'_>,
    path: &Path,
    progress: &mut dyn FnMut(Download<'_>),
) -> Result<String, DownloadError> {
    let mut partial = PartialFile::open(path, wanted.told.size)?;
    if let Err(failure) = partial.complete(connection, wanted, progress) {
        if partial.done == 0 || wanted.told.size.is_none() {
            std::fs::remove_file(path)?;
        }
        return Err(failure);
    }
    let names = partial.contents.names();
    if !names.are_those_of(wanted.told) {
        // It would be wrong for ever.
        std::fs::remove_file(path)?;
        let problem = "does not match the hub's digest: it was changed on the way and is deleted; try \
                       again, or set HF_ENDPOINT to another hub";
        return Err(DownloadError::Hub(format!("{} {problem}", wanted.file)));
    }
    partial.file.sync_all()?;
    Ok(names.sha256)
}

/// A file that is not whole yet.
struct PartialFile {
    file: File,
    /// Bytes that are there.
    done: u64,
    /// Bytes that it will have, once that is known.
    size: Option<u64>,
    /// Digests of the bytes that are there.
    contents: ContentDigest,
}

impl PartialFile {
    /// The file at `path`, with what an earlier download left in it. It is held until it is closed.
    fn open(path: &Path, size: Option<u64>) -> Result<Self, DownloadError> {
        let mut file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        if !lock_file(&file)? {
            let problem = "another process is downloading the model: wait for it";
            return Err(DownloadError::Hub(problem.to_owned()));
        }
        let mut contents = ContentDigest::new(size);
        let done = io::copy(&mut file, &mut contents)?;
        let mut partial = Self { file, done, size, contents };
        // Without a size, nobody knows whether what is there is all.
        if size.is_none_or(|size| done > size) {
            partial.restart()?;
        }
        Ok(partial)
    }

    /// Takes bytes until all are there. A connection that breaks is asked again a few times.
    fn complete(
        &mut self,
        connection: &Connection,
        wanted: &RequestedFile<'_>,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<(), DownloadError> {
        let mut tries = 0;
        while !self.is_whole() {
            let before = self.done;
            let Err(broken) = self.resume(connection, wanted, progress) else { continue };
            tries = if self.done >= before + STRETCH { 0 } else { tries + 1 };
            match broken {
                DownloadError::Broken(_) if tries < TRIES => {
                    thread::sleep(Duration::from_millis(300));
                }
                DownloadError::Broken(problem) => {
                    let remedy = if self.done > 0 { AGAIN } else { NO_CONNECTION };
                    return Err(DownloadError::Hub(format!("{problem}; {remedy}")));
                }
                failure => return Err(failure),
            }
        }
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.size == Some(self.done)
    }

    fn restart(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        (self.done, self.contents) = (0, ContentDigest::new(self.size));
        Ok(())
    }

    /// Asks for the bytes that are not there, and takes them until the connection ends.
    fn resume(
        &mut self,
        connection: &Connection,
        wanted: &RequestedFile<'_>,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<(), DownloadError> {
        let RequestedFile { model, version, file, .. } = *wanted;
        let asked = connection.file(model, version, file, self.done);
        let mut arriving = asked.map_err(|refused| match refused {
            RequestError::Answer(told) => DownloadError::Hub(format!("{file}: {told}")),
            RequestError::Connection(error) => error_of_transfer(file, self.done, error),
        })?;
        if arriving.from != self.done {
            self.restart()?;
        }
        if arriving.from != self.done {
            return Err(DownloadError::Hub(format!("{file}: the wrong bytes were sent; {NO_HUB}")));
        }
        let size = self.expected_size(file, arriving.size)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            progress(Download { file, done: self.done, size: size.unwrap_or_default() });
            let bytes = match arriving.bytes.read(&mut buffer) {
                Ok(0) => break,
                Ok(bytes) => &buffer[..bytes],
                Err(error) => {
                    return Err(error_of_transfer(file, self.done, ureq::Error::from(error)));
                }
            };
            if self.done + bytes.len() as u64 > size.unwrap_or(UNKNOWN_SIZE) {
                return Err(DownloadError::Hub(format!(
                    "{file} has another length than the hub says; {NO_HUB}"
                )));
            }
            self.file.write_all(bytes)?;
            self.contents.write_all(bytes)?;
            self.done += bytes.len() as u64;
        }
        let done = self.done;
        if let Some(size) = size.filter(|&size| done < size) {
            let problem = format!("{file}: the connection ended after {done} of {size} bytes");
            return Err(DownloadError::Broken(problem));
        }
        self.size = Some(done);
        Ok(())
    }

    /// The size of the whole file, by what was listed and what comes.
    fn expected_size(&self, file: &str, coming: Option<u64>) -> Result<Option<u64>, DownloadError> {
        match (self.size, coming) {
            (Some(listed), Some(coming)) if listed != coming => Err(DownloadError::Hub(format!(
                "{file} has {coming} bytes where the hub's list says {listed}; {NO_HUB}"
            ))),
            (None, Some(coming)) if coming > UNKNOWN_SIZE => Err(DownloadError::Hub(format!(
                "{file} has {coming} bytes, which the hub's list does not mention; {NO_HUB}"
            ))),
            (listed, coming) => Ok(listed.or(coming)),
        }
    }
}

/// What to make of an error. Only a connection that broke is tried again: a hub that refuses or is
/// silent will do so once more.
fn error_of_transfer(file: &str, done: u64, error: ureq::Error) -> DownloadError {
    match error {
        ureq::Error::Timeout(_) => DownloadError::Hub(format!(
            "{file}: no data for a while after {done} bytes; {NO_CONNECTION}{}",
            if done > 0 { ", and run it again to continue" } else { "" }
        )),
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::Protocol(_) => {
            DownloadError::Broken(format!("{file}: {error} after {done} bytes"))
        }
        error => DownloadError::Hub(format!("{file}: {}", describe_no_answer(&error))),
    }
}
