//! Limited reader: a device, or a line without an end, must not fill the memory.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Longest line that is read, in bytes: 256 MiB.
const LONGEST_LINE: u64 = 1 << 28;

/// Most bytes of input that are held at once: 4 GiB. In memory they take up to three times as much.
const MOST_HELD: u64 = 1 << 32;

/// A source whose lines, and what is held of it, have limits.
#[derive(Debug)]
pub(crate) struct LimitedReader<R> {
    source: R,
    longest_line: u64,
    most_held: u64,
    /// Bytes that were read.
    position: u64,
    /// Where the line at hand begins.
    line: u64,
    /// How many bytes were read since whoever shares it set it to 0: what was read before is not held any more.
    pub(crate) held: Rc<Cell<u64>>,
}

impl<R: BufRead> LimitedReader<R> {
    /// A source with the limits of this module.
    pub(crate) fn new(source: R) -> Self {
        Self::within(source, LONGEST_LINE, MOST_HELD)
    }

    /// A source of lines, none of which is held.
    pub(crate) fn by_line(source: R) -> Self {
        Self::within(source, LONGEST_LINE, u64::MAX)
    }

    fn within(source: R, longest_line: u64, most_held: u64) -> Self {
        Self { source, longest_line, most_held, position: 0, line: 0, held: Rc::default() }
    }

    fn check(&self) -> io::Result<()> {
        let Self { position, line, longest_line, most_held, .. } = self;
        if position - line > *longest_line {
            return Err(io::Error::other(format!(
                "the line at byte {line} is longer than {longest_line} bytes, the limit for a line: \
                 is this the right file?"
            )));
        }
        if self.held.get() > *most_held {
            return Err(io::Error::other(format!(
                "more than {most_held} bytes would have to be held in memory at once; use JSON \
                 Lines with the lines of a task next to each other: they are read task by task"
            )));
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for LimitedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // At the end of a terminal's input, a further look would wait for more.
        if count == 0 {
            return;
        }
        // What is in the buffer can be looked at again without reading.
        let ended = self.source.fill_buf().ok().and_then(|buffer| {
            let consumed = buffer.get(..count)?;
            consumed.iter().rposition(|&byte| byte == b'\n')
        });
        if let Some(end) = ended {
            self.line = self.position + end as u64 + 1;
        }
        self.position += count as u64;
        self.held.set(self.held.get() + count as u64);
        self.source.consume(count);
    }
}

impl<R: BufRead> Read for LimitedReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut buffer = self.fill_buf()?;
        let count = buffer.read(bytes)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::rc::Rc;

    use super::LimitedReader;

    /// Pieces of three bytes, so that lines run over several.
    fn bounded(text: &str, line: u64, held: u64) -> LimitedReader<BufReader<&[u8]>> {
        LimitedReader::within(BufReader::with_capacity(3, text.as_bytes()), line, held)
    }

    #[test]
    fn long_lines_and_large_inputs_are_refused() {
        let mut lines = bounded("1234\n12345678901234\n", 8, 100).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "1234");
        let error = lines.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("the line at byte 5 is longer than 8 bytes"), "{error}");

        let mut source = bounded("12\n34\n56\n78\n90\n", 8, 6);
        let held = Rc::clone(&source.held);
        for expected in ["12\n", "34\n", "56\n", "78\n"] {
            let mut line = String::new();
            source.read_line(&mut line).unwrap();
            assert_eq!(line, expected);
            held.set(0);
        }
        let mut text = String::new();
        let whole = bounded("12\n34\n56\n78\n90\n", 8, 6).read_to_string(&mut text);
        let error = whole.unwrap_err().to_string();
        assert!(error.starts_with("more than 6 bytes would have to be held"), "{error}");
    }

    /// A terminal: after its end more can be read.
    struct RunEnd(u32);

    impl std::io::Read for RunEnd {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            bytes[0] = b'x';
            Ok([1, 0, 1][self.0 as usize - 1])
        }
    }

    #[test]
    fn input_is_not_read_beyond_its_end() {
        let mut source = LimitedReader::by_line(BufReader::new(RunEnd(0)));
        let mut line = String::new();
        assert_eq!(source.read_line(&mut line).unwrap(), 1);
        assert_eq!((line.as_str(), source.source.get_ref().0), ("x", 2));
    }

    #[test]
    fn input_within_the_limits_is_read_unchanged() {
        let (mut text, lines) = (String::new(), "12345\n\n1234567\n1");
        bounded(lines, 8, 100).read_to_string(&mut text).unwrap();
        assert_eq!(text, lines);
    }
}
