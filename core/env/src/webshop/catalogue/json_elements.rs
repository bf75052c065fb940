//! JSON list elements, one after the other, of files of any length.

use std::io::{ErrorKind, Read};

use super::error::{Broken, ReadError};

/// Longest element, in bytes: a hundred times the longest product that is known.
const LONGEST: usize = 1 << 26;

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    byte: u64,
    line: u64,
    /// The byte at which the line begins.
    begin: u64,
}

impl Place {
    /// The place after these bytes, which are here.
    fn after(self, bytes: &[u8]) -> Self {
        let byte = self.byte + bytes.len() as u64;
        let lines = bytes.split(|&it| it == b'\n').count() as u64 - 1;
        let last = bytes.iter().rposition(|&it| it == b'\n');
        let begin = last.map_or(self.begin, |last| self.byte + last as u64 + 1);
        Self { byte, line: self.line + lines, begin }
    }

    /// A problem here.
    pub(super) fn error(self, product: Option<u64>, problem: &str) -> ReadError {
        let (line, column) = (self.line, self.byte - self.begin + 1);
        let problem = problem.to_owned();
        Broken { product, problem, line, column, byte: Some(self.byte) }.into()
    }
}

/// An element: its bytes, which need not be JSON, its number from 1, and where it begins.
pub(super) struct Element<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) number: u64,
    pub(super) place: Place,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Begin,
    Element,
    End,
}

/// Reads elements.
pub(super) struct Elements<R> {
    file: R,
    buffer: Vec<u8>,
    /// Where the next byte is in the buffer.
    next: usize,
    /// Where it is in the file.
    place: Place,
    number: u64,
    after: After,
    is_read: bool,
}

impl<R: Read> Elements<R> {
    pub(super) fn new(file: R) -> Self {
        let place = Place { byte: 0, line: 1, begin: 0 };
        let (number, after) = (0, After::Nothing);
        Self { file, buffer: Vec::new(), next: 0, place, number, after, is_read: false }
    }

    /// The next element; none after the last.
    pub(super) fn next(&mut self) -> Result<Option<Element<'_>>, ReadError> {
        if self.after == After::Nothing {
            if self.mark()? != Some(b'[') {
                return Err(self.place.error(None, "expected a list of products"));
            }
            self.take(1);
            self.after = After::Begin;
        }
        if self.after == After::End {
            return Ok(None);
        }
        match (self.mark()?, self.after) {
            (Some(b']'), _) => {
                self.take(1);
                self.after = After::End;
                let end = self.mark()?;
                return end.map_or(Ok(None), |_| Err(self.error("trailing characters")));
            }
            (Some(b','), After::Element) => self.take(1),
            (Some(_), After::Element) => return Err(self.error("expected `,` or `]`")),
            (None, After::Element) => return Err(self.error(CUT)),
            _ => {}
        }
        self.number += 1;
        match self.mark()? {
            None => return Err(self.error(CUT)),
            Some(b']') => return Err(self.error("trailing comma")),
            Some(_) => {}
        }
        let length = self.length()?;
        let (begin, place, number) = (self.next, self.place, self.number);
        self.take(length);
        self.after = After::Element;
        let bytes = self.buffer.get(begin..begin + length).unwrap_or_default();
        Ok(Some(Element { bytes, number, place }))
    }

    /// Bytes up to the end of the element that begins here: to the bracket that closes its first one, or,
    /// if it has none, to a comma, a bracket or the file's end.
    fn length(&mut self) -> Result<usize, ReadError> {
        let (mut at, mut depth) = (0_usize, 0_usize);
        let (mut in_text, mut is_escaped) = (false, false);
        loop {
            let unread = self.buffer.get(self.next..).unwrap_or_default();
            for &byte in unread.get(at..).unwrap_or_default() {
                at += 1;
                if in_text {
                    match byte {
                        _ if is_escaped => is_escaped = false,
                        b'\\' => is_escaped = true,
                        b'"' => in_text = false,
                        _ => {}
                    }
                    continue;
                }
                match byte {
                    b'"' => in_text = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth > 0 => {
                        depth -= 1;
                        if depth == 0 {
                            return Ok(at);
                        }
                    }
                    b',' | b']' if depth == 0 => return Ok(at - 1),
                    _ => {}
                }
            }
            if at > LONGEST {
                let problem = format!("longer than {LONGEST} bytes, the limit");
                return Err(self.error(&problem));
            }
            if !self.fill()? {
                return Ok(at);
            }
        }
    }

    /// Reads more; whether there was more.
    fn fill(&mut self) -> Result<bool, ReadError> {
        if self.is_read {
            return Ok(false);
        }
        self.buffer.drain(..self.next);
        self.next = 0;
        let before = self.buffer.len();
        self.buffer.resize(before + PIECE, 0);
        let read = loop {
            match self.file.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        self.is_read = read? == 0;
        Ok(!self.is_read)
    }

    /// The next byte that is no white space; none at the file's end.
    fn mark(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            let unread = self.buffer.get(self.next..).unwrap_or_default();
            let space = unread.iter().take_while(|it| b" \t\r\n".contains(it)).count();
            let mark = unread.get(space).copied();
            self.take(space);
            if mark.is_some() || !self.fill()? {
                return Ok(mark);
            }
        }
    }

    fn take(&mut self, count: usize) {
        let end = self.next + count;
        self.place = self.place.after(&self.buffer[self.next..end]);
        self.next = end;
    }

    /// A problem at the next byte.
    fn error(&self, problem: &str) -> ReadError {
        let is_within = self.number > 0 && self.after != After::End;
        self.place.error(is_within.then_some(self.number), problem)
    }
}

const CUT: &str = "EOF while parsing a list";

impl Element<'_> {
    /// What is wrong with it, where `serde_json` found it.
    pub(super) fn json_error(&self, error: &serde_json::Error) -> ReadError {
        let (line, column, problem) = crate::json_error::locate_json_error(error);
        let mut lines = self.bytes.split_inclusive(|&it| it == b'\n');
        let before: usize = lines.by_ref().take(line - 1).map(<[u8]>::len).sum();
        let at = (before + column.saturating_sub(1)).min(self.bytes.len());
        self.place.after(&self.bytes[..at]).error(Some(self.number), &problem)
    }
}
