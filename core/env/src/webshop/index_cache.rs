//! Index cache: the index of many products, built once and kept in a file.

use std::io::{self, Cursor, ErrorKind, Read};

use super::ShopError;
use super::catalogue::{Catalogue, Stock, StoreError, store};
use crate::files::{Bytes, Files};

/// How the files are called that an index is made from, and what they come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) products: &'a str,
    pub(super) instructions: &'a str,
    /// The digest of both.
    pub(super) digest: u64,
    /// Their bytes.
    pub(super) length: u64,
}

/// The products of a file whose index is kept under a name: opened, or made if there is none.
pub(super) fn catalogue(
    files: &dyn Files,
    index: &str,
    source: Source<'_>,
) -> Result<Catalogue, ShopError> {
    if let Some(kept) = opened(files, index, Some(source.digest))? {
        return Ok(kept);
    }
    let mut file = match files.create(index) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            let bytes = build_index(files, source, Cursor::new(Vec::new()), index)?.into_inner();
            return checked(files, index, Bytes::new(bytes), None);
        }
        Err(error) => return Err(ShopError::Write { file: files.place(index), error }),
    };
    // Somebody else may have made it while this one waited.
    if let Some(kept) = opened(files, index, Some(source.digest))? {
        return Ok(kept);
    }
    build_index(files, source, &mut file, index)?;
    file.finish().map_err(|error| ShopError::Write { file: files.place(index), error })?;
    opened(files, index, Some(source.digest))?
        .ok_or_else(|| ShopError::opening(files, index)(ErrorKind::NotFound.into()))
}

/// The products of an index, if it is there.
pub(super) fn opened(
    files: &dyn Files,
    index: &str,
    digest: Option<u64>,
) -> Result<Option<Catalogue>, ShopError> {
    match files.map(index) {
        Ok(bytes) => checked(files, index, bytes, digest).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ShopError::opening(files, index)(error)),
    }
}

fn checked(
    files: &dyn Files,
    index: &str,
    bytes: Bytes,
    digest: Option<u64>,
) -> Result<Catalogue, ShopError> {
    Catalogue::open(bytes, digest)
        .map_err(|error| ShopError::Index { file: files.place(index), error })
}

/// Makes an index.
fn build_index<W: io::Write + io::Seek>(
    files: &dyn Files,
    source: Source<'_>,
    to: W,
    index: &str,
) -> Result<W, ShopError> {
    let Source { products, instructions, digest, length } = source;
    files.tell(&format!("{products}: its index is made, once"));
    let read = |name: &str, before: u64| {
        let file = files.open(name).map_err(ShopError::opening(files, name))?;
        let tenth = (10 * before).checked_div(length).unwrap_or(0);
        Ok::<_, ShopError>(Progress { file, files, read: before, length, tenth })
    };
    let first = crate::files::length(&mut *read(products, 0)?.file)
        .map_err(ShopError::opening(files, products))?;
    let wrong = |name: &str, error| ShopError::Read { file: files.place(name), error };
    let stored = store(read(products, 0)?, read(instructions, first)?, digest, to);
    let (to, Stock { products: kept, left_out }) = stored.map_err(|error| match error {
        StoreError::Products(error) => wrong(products, error),
        StoreError::Instructions(error) => wrong(instructions, error),
        StoreError::Write(error) => ShopError::Write { file: files.place(index), error },
    })?;
    files.tell(&format!(
        "{index}: {kept} products ({left_out} left out whose numbers occur twice or are none)"
    ));
    Ok(to)
}

/// A file that tells how much of it is read.
struct Progress<'a, R> {
    file: R,
    files: &'a dyn Files,
    read: u64,
    length: u64,
    /// The last tenth that was told.
    tenth: u64,
}

impl<R: Read> Read for Progress<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(to)?;
        self.read += count as u64;
        let tenth = (10 * self.read).checked_div(self.length).unwrap_or(0);
        if tenth > self.tenth {
            self.tenth = tenth;
            self.files.tell(&format!("{} % read", 10 * tenth));
        }
        Ok(count)
    }
}
