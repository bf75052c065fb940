//! Gzip: decompressed while it is read, with all members of a file, as those that were put together have.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{READ_BYTES, refused};

pub(crate) fn unpack(input: impl BufRead + 'static) -> Box<dyn BufRead> {
    let text = Decompressed(MultiGzDecoder::new(input));
    Box::new(BufReader::with_capacity(READ_BYTES, text))
}

struct Decompressed<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Decompressed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                refused("the gzip data is cut off, as after an interrupted copy: copy it again")
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                refused(format!("the gzip data is damaged ({error}): copy it again"))
            }
            _ => error,
        })
    }
}
