//! Numbered lines of UTF-8 text.

use std::io::BufRead;

use super::BYTE_ORDER_MARK;
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
    held: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, number: 0, buffer: Vec::new(), held: false }
    }

    /// Makes the line that was read last the next one.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, Error> {
        while !std::mem::take(&mut self.held) {
            self.buffer.clear();
            if self.source.read_until(b'\n', &mut self.buffer).map_err(Error::Read)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.number == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            if !self.buffer.trim_ascii().is_empty() {
                break;
            }
        }
        let terminated = self.buffer.ends_with(b"\n");
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            let cut = error.error_len().is_none() && !terminated;
            let byte = error.valid_up_to() + 1;
            Place::line(self.number).error(if cut {
                Problem::Truncated
            } else {
                Problem::InvalidUtf8 { byte }
            })
        })?;
        Ok(Some(Line {
            number: self.number,
            text: text.trim_end_matches(['\n', '\r']),
            terminated,
        }))
    }
}
