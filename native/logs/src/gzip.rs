//! Gzip: written, and decompressed while it is read, with all members of a file, as those that were put together have.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::{READ_BYTES, refused};

/// A file that text is written to, compressed or as it is.
pub enum LogWriter {
    /// As it is.
    Plain(BufWriter<File>),
    /// Compressed with gzip.
    Gzip(Box<GzEncoder<BufWriter<File>>>),
}

impl LogWriter {
    /// Writes to a file, compressed if its future `name` ends in `.gz`.
    #[must_use]
    pub fn new(file: File, name: &Path) -> Self {
        let file = BufWriter::with_capacity(READ_BYTES, file);
        if name.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
            return Self::Gzip(Box::new(GzEncoder::new(file, Compression::default())));
        }
        Self::Plain(file)
    }

    /// Ends the text, and waits until it is on the disk.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Gzip(text) => text.finish()?,
        };
        file.flush()?;
        file.get_ref().sync_all()
    }
}

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(text) => text.flush(),
        }
    }
}

pub(crate) fn unpack(input: impl BufRead + 'static) -> Box<dyn BufRead> {
    let text = Decompressed(MultiGzDecoder::new(input));
    Box::new(BufReader::with_capacity(READ_BYTES, text))
}

struct Decompressed<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Decompressed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                refused("the gzip data is cut off, as after an interrupted copy, or followed by something else: copy it again")
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                refused(format!("the gzip data is damaged ({error}): copy it again"))
            }
            _ => error,
        })
    }
}
