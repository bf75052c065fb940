//! Memory-mapped files.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use memmap2::{Mmap, MmapOptions};

use super::regular_file::check_regular;
use super::{Bytes, Pieces};

/// A file of which each piece that is asked for is mapped, or read if files cannot be mapped.
#[derive(Debug)]
pub(super) struct Mapped {
    file: File,
    length: u64,
    /// Held while the file is read: its position is one for all threads.
    reading: Mutex<()>,
}

impl Mapped {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        check_regular(path)?;
        let mut file = File::open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, length, reading: Mutex::new(()) })
    }

    fn read(&self, start: u64, count: usize) -> io::Result<Bytes> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        // A panic elsewhere leaves nothing half-done here: every reading begins with a seek.
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        file.take(count as u64).read_to_end(&mut bytes)?;
        if bytes.len() == count { Ok(Bytes::new(bytes)) } else { Err(cut_short()) }
    }

    #[expect(unsafe_code, reason = "a file in memory can change under its reader")]
    fn map(&self, start: u64, count: usize) -> io::Result<Mmap> {
        // SAFETY: a piece is mapped for as long as it takes to decode a tensor, after a look whether it is
        // there. What is written into it meanwhile is read as other numbers, which every reader can stand;
        // whoever cuts the file short in just that time ends the program.
        unsafe { MmapOptions::new().offset(start).len(count).map(&self.file) }
    }
}

impl Pieces for Mapped {
    fn length(&self) -> u64 {
        self.length
    }

    fn piece(&self, start: u64, count: usize) -> io::Result<Bytes> {
        if count == 0 {
            return Ok(Bytes::new([]));
        }
        let Ok(map) = self.map(start, count) else { return self.read(start, count) };
        // A file that was cut short since it was opened is an error here, and would be a signal later.
        let end = start.checked_add(count as u64);
        if end.is_none_or(|end| self.file.metadata().is_ok_and(|it| it.is_file() && it.len() < end))
        {
            return Err(cut_short());
        }
        // If that fails, reading says why: the disk, or the file, which was cut short after all.
        if there(&map).is_err() { self.read(start, count) } else { Ok(Bytes::new(map)) }
    }
}

fn cut_short() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "it was cut short while it was open")
}

/// Maps all pages at once, instead of with an interrupt for every few of them, and finds those that cannot
/// be read.
#[cfg(target_os = "linux")]
fn there(map: &Mmap) -> io::Result<()> {
    match map.advise(memmap2::Advice::PopulateRead) {
        // An older kernel; pages are then mapped as they are looked at.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

#[cfg(not(target_os = "linux"))]
fn there(_map: &Mmap) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..300_000_u32).map(|it| (it % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = Mapped::open(&path).unwrap();
        assert_eq!(file.length(), 300_000);
        for (start, count) in [(0, 300_000), (1, 7), (4096, 4096), (299_999, 1), (12_345, 0)] {
            let expected = &bytes[start as usize..start as usize + count];
            assert_eq!(&*file.piece(start, count).unwrap(), expected, "{start} {count}");
            assert_eq!(&*file.read(start, count).unwrap(), expected, "{start} {count}");
        }
        assert!(Mapped::open(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_file_that_is_cut_short_meanwhile_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 100_000]).unwrap();
        let file = Mapped::open(&path).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(50_000).unwrap();
        assert_eq!(file.piece(0, 50_000).unwrap()[49_999], 7);
        for start in [0, 60_000] {
            for piece in [file.piece(start, 100_000 - start as usize), file.read(start, 90_000)] {
                assert_eq!(piece.unwrap_err().kind(), ErrorKind::UnexpectedEof);
            }
        }
    }

    /// The system maps no files of /proc, but reads them.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_mapped_is_read() {
        let version = std::fs::read("/proc/version").unwrap();
        let mapped = Mapped {
            file: File::open("/proc/version").unwrap(),
            length: version.len() as u64,
            reading: Mutex::new(()),
        };
        assert_eq!(*mapped.piece(0, version.len()).unwrap(), version);
    }
}
