//! Text lines in UTF-8, with their numbers.

use std::io::BufRead;

use super::{BYTE_ORDER_MARK, file_signature};
use crate::error::{Error, Place, Problem};

/// One line that is not blank.
pub(super) struct Line<'a> {
    /// From 1; blank lines count.
    pub(super) number: usize,
    /// Without the line break.
    pub(super) text: &'a str,
    /// Whether a line break ended it; false only for the last line of an unfinished file.
    pub(super) terminated: bool,
}

/// Lines of a source, read into one buffer.
pub(super) struct Lines<R> {
    source: R,
    number: usize,
    buffer: Vec<u8>,
    /// Whether the line in the buffer is the next one once more.
    pub(super) held: bool,
    /// All bytes since they were last forgotten, if they are to be written again.
    pub(super) passed: Option<Vec<u8>>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, number: 0, buffer: Vec::new(), held: false, passed: None }
    }

    /// Where the lines come from.
    pub(super) fn source(&self) -> &R {
        &self.source
    }

    /// The bytes that passed before the line in the buffer, and those since its beginning.
    pub(super) fn split_passed(&self) -> (&[u8], &[u8]) {
        let passed = self.passed.as_deref().unwrap_or_default();
        passed.split_at(passed.len().saturating_sub(self.buffer.len()))
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, Error> {
        while !std::mem::take(&mut self.held) {
            self.buffer.clear();
            if self.source.read_until(b'\n', &mut self.buffer).map_err(Error::Read)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if let Some(passed) = &mut self.passed {
                passed.extend_from_slice(&self.buffer);
            }
            if self.number == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            if !self.buffer.trim_ascii().is_empty() {
                break;
            }
        }
        let terminated = self.buffer.ends_with(b"\n");
        let text = checked(&self.buffer, terminated)
            .map_err(|problem| Place::line(self.number).error(problem))?;
        Ok(Some(Line {
            number: self.number,
            text: text.trim_end_matches(['\n', '\r']),
            terminated,
        }))
    }
}

/// A line, or the rest of a file, as text. An end in the middle of a character is one that was cut, unless something
/// comes after it.
///
/// # Errors
/// The first byte that no text has.
fn checked(bytes: &[u8], terminated: bool) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes);
    let valid = text.map_or_else(|error| error.valid_up_to(), str::len);
    if let Some(zero) = bytes[..valid].iter().position(|&byte| byte == 0) {
        return Err(Problem::ZeroByte { byte: zero + 1 });
    }
    text.map_err(|error| match error.error_len() {
        None if !terminated => Problem::Truncated,
        _ => Problem::InvalidUtf8 { byte: valid + 1 },
    })
}

/// The text of a whole file; the error has the line.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, Error> {
    checked(bytes, false).map_err(|problem| {
        // A file of another kind is best called so, before anything is made of its bytes.
        if let Some((kind, remedy)) = file_signature::kind(bytes) {
            return Place::default().error(Problem::Foreign { kind, remedy });
        }
        let place = match problem {
            Problem::InvalidUtf8 { byte } | Problem::ZeroByte { byte } => byte - 1,
            _ => bytes.len(),
        };
        let mut lines = bytes[..place].split(|&byte| byte == b'\n');
        let line = lines.clone().count();
        let byte = lines.next_back().map_or(0, <[u8]>::len) + 1;
        Place::line(line).error(match problem {
            Problem::InvalidUtf8 { .. } => Problem::InvalidUtf8 { byte },
            Problem::ZeroByte { .. } => Problem::ZeroByte { byte },
            other => other,
        })
    })
}
