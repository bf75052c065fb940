//! Logs: files as lines of text, whether they are text, compressed with gzip, or tables in Parquet.
//!
//! What a file is, its first bytes tell, not its name. Text is passed on as it is. A row of a Parquet file becomes
//! a line of JSON Lines, so that row N is line N for whoever reads it.

mod annotated_copy;
mod gzip;
pub mod parquet;

pub use annotated_copy::AnnotatedCopy;
pub use gzip::LogWriter;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// Read from a file at once: few system calls for a file of gigabytes.
const READ_BYTES: usize = 256 * 1024;

const GZIP: &[u8] = b"\x1f\x8b";
const PARQUET: &[u8] = b"PAR1";
/// A Parquet file whose list of contents is encrypted.
const ENCRYPTED_PARQUET: &[u8] = b"PARE";
const LONGEST: usize = 4;

/// Opens a file as text.
///
/// # Errors
/// A file that cannot be opened; a Parquet file that is damaged, encrypted, of columns that cannot be told apart or
/// read, or not a file on disk ([`io::ErrorKind::InvalidData`]). What is wrong further on is an error of reading.
pub fn open(file: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut input = BufReader::with_capacity(READ_BYTES, File::open(file)?);
    let is_on_disk = input.get_ref().metadata()?.is_file();
    if is_on_disk && is_parquet(input.fill_buf()?) {
        if input.buffer().starts_with(ENCRYPTED_PARQUET) {
            return Err(refused("the Parquet file is encrypted: write it unencrypted"));
        }
        return Ok(Box::new(parquet::RowReader::open(input.into_inner())?));
    }
    open_stream(input)
}

/// Reads a stream as text.
///
/// # Errors
/// A stream that cannot be read; a Parquet file, which has to be a file on disk.
pub fn open_stream(mut input: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let begin = input.fill_buf()?;
    let may_be = |kind: &&[u8]| !begin.is_empty() && kind.starts_with(begin);
    if [GZIP, PARQUET, ENCRYPTED_PARQUET].iter().any(may_be) {
        // A pipe may give less at first than it takes to tell.
        let mut begin = Vec::with_capacity(LONGEST);
        input.by_ref().take(LONGEST as u64).read_to_end(&mut begin)?;
        return open_begun(Cursor::new(begin).chain(input));
    }
    open_begun(input)
}

fn open_begun(mut input: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let begin = input.fill_buf()?;
    if is_parquet(begin) {
        let problem = "a Parquet file, which cannot be read from a pipe, as its end says where \
            everything is: give the name of the file";
        return Err(refused(problem));
    }
    if !begin.starts_with(GZIP) {
        return Ok(Box::new(input));
    }
    let mut text = gzip::unpack(input);
    if is_parquet(text.fill_buf()?) {
        return Err(refused("a Parquet file inside of gzip: unpack it first"));
    }
    Ok(text)
}

/// Whether text begins as JSON Lines do; what is looked at is still to be read.
///
/// # Errors
/// What cannot be read.
pub fn is_json_lines(text: &mut impl BufRead) -> io::Result<bool> {
    let bytes = text.fill_buf()?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    Ok(bytes.trim_ascii_start().starts_with(b"{"))
}

/// Whether a file is a table in Parquet, whose rows are the lines of [`open`].
#[must_use]
pub fn is_table(file: &Path) -> bool {
    let mut begin = Vec::with_capacity(LONGEST);
    let is_on_disk = file.metadata().is_ok_and(|about| about.is_file());
    is_on_disk
        && File::open(file)
            .is_ok_and(|file| file.take(LONGEST as u64).read_to_end(&mut begin).is_ok())
        && is_parquet(&begin)
}

fn is_parquet(begin: &[u8]) -> bool {
    begin.starts_with(PARQUET) || begin.starts_with(ENCRYPTED_PARQUET)
}

/// What a file is refused for.
fn refused(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}
