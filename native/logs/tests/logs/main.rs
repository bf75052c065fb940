//! Logs of every kind, read as lines, and tables with one more column.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod copies;
mod damages;
mod nested;
mod tables;
mod texts;

use std::io::{self, BufReader, Read as _, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// A file on disk.
fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// All lines of a file.
fn read_file(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    hgpo_logs::open(file)?.read_to_string(&mut text)?;
    Ok(text)
}

fn read(bytes: &[u8]) -> io::Result<String> {
    read_file(file(bytes).path())
}

/// What a log is refused for.
fn refusal(read: io::Result<String>) -> String {
    let error = read.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    error.to_string()
}

/// All lines of a pipe that gives one byte at a time.
fn read_pipe(bytes: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    let pipe = BufReader::with_capacity(1, io::Cursor::new(bytes.to_vec()));
    hgpo_logs::open_stream(pipe)?.read_to_string(&mut text)?;
    Ok(text)
}
