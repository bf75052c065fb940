//! Writer of a file of sections.

use std::io::{Seek, SeekFrom, Write};

use super::{Counts, HEAD, PIECE, SECTIONS, Section, head, with_piece};

/// A file that is being written, section after section.
#[derive(Debug)]
pub(crate) struct IndexWriter<W> {
    file: W,
    begins: Vec<u64>,
    /// What is not written yet.
    piece: Vec<u8>,
    /// How much is.
    written: u64,
    digest: u64,
}

impl<W: Write + Seek> IndexWriter<W> {
    /// Begins with the first section.
    pub(crate) fn new(mut file: W) -> std::io::Result<Self> {
        // The head is written last.
        file.write_all(&[0; HEAD])?;
        let piece = Vec::with_capacity(PIECE);
        Ok(Self { file, begins: Vec::new(), piece, written: HEAD as u64, digest: 0 })
    }

    /// Begins a section; those that are left out before it are empty.
    pub(crate) fn begin(&mut self, section: Section) {
        debug_assert!(self.begins.len() <= section as usize, "sections come in their order");
        self.begins.resize(section as usize + 1, self.at());
    }

    /// Where the next byte comes to be.
    fn at(&self) -> u64 {
        self.written + self.piece.len() as u64
    }

    /// Where the next byte comes to be, from the beginning of the section.
    pub(crate) fn within(&self) -> u64 {
        self.at() - self.begins.last().unwrap_or(&0)
    }

    pub(crate) fn put(&mut self, mut bytes: &[u8]) -> std::io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.piece.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == PIECE {
                self.write_piece()?;
            }
        }
        Ok(())
    }

    fn write_piece(&mut self) -> std::io::Result<()> {
        self.file.write_all(&self.piece)?;
        self.digest = with_piece(self.digest, &self.piece);
        self.written += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }

    /// Ends the file and gives it back.
    pub(crate) fn finish(mut self, counts: Counts) -> std::io::Result<W> {
        let end = self.at();
        self.begins.resize(SECTIONS, end);
        let Counts { length, origin } = counts;
        for number in std::mem::take(&mut self.begins).into_iter().chain([length, origin]) {
            self.put(&number.to_le_bytes())?;
        }
        if !self.piece.is_empty() {
            self.write_piece()?;
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head(self.written, self.digest))?;
        self.file.flush()?;
        Ok(self.file)
    }
}
