//! Copy of a log with advantages, which has its name once it is whole.

use std::fs::File;
use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use hgpo_core::format::{Annotator, Layout, annotate_csv};
use hgpo_core::{Batch, Error, PerStep};
use tempfile::TempPath;

use crate::parquet::{NewColumn, row_count, with_column};
use crate::{LogWriter, is_json_lines, is_table, open};

/// The column of a Parquet file that advantages are in.
const ADVANTAGE: &str = "advantage";

/// A copy of a log with the advantage of every step in its own form, as [`Annotator`] and [`annotate_csv`] write it, and a
/// column of a Parquet file. What is dropped before it is finished leaves nothing behind.
pub struct AnnotatedCopy {
    log: PathBuf,
    path: PathBuf,
    partial: TempPath,
    content: Content,
}

enum Content {
    /// JSON Lines, read once more.
    Lines(Box<Annotator<Box<dyn BufRead>>>, LogWriter),
    /// CSV, which is one batch.
    Csv(Layout, LogWriter),
    /// Parquet, whose rows are read as lines: the advantages of each.
    Parquet(Box<Annotator<Box<dyn BufRead>>>, File, Vec<Option<Vec<f64>>>),
}

impl AnnotatedCopy {
    /// Begins a copy of the file `log`, which is compressed with gzip if `path` ends in `.gz` and the log is text.
    ///
    /// # Errors
    /// A log that cannot be read; a name that is taken ([`io::ErrorKind::AlreadyExists`]); a folder that cannot be
    /// written.
    pub fn create(log: &Path, path: &Path, layout: &Layout) -> Result<Self, Error> {
        if path.exists() {
            return Err(Error::Write(io::ErrorKind::AlreadyExists.into()));
        }
        let mut input = open(log).map_err(Error::Read)?;
        let partial = partial_path(path).map_err(Error::Write)?;
        let file = File::create(&partial).map_err(Error::Write)?;
        let partial = TempPath::try_from_path(partial).map_err(Error::Write)?;
        let content = if is_json_lines(&mut input).map_err(Error::Read)? {
            let lines = Box::new(Annotator::new(input, layout.clone()));
            if is_table(log) {
                Content::Parquet(lines, file, vec![None; row_count(log).map_err(Error::Read)?])
            } else {
                Content::Lines(lines, LogWriter::new(file, path))
            }
        } else {
            Content::Csv(layout.clone(), LogWriter::new(file, path))
        };
        Ok(Self { log: log.to_owned(), path: path.to_owned(), partial, content })
    }

    /// The file that it is until it is whole.
    #[must_use]
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Writes the next tasks.
    ///
    /// # Errors
    /// A log that changed since it was read; what cannot be written.
    pub fn write(&mut self, batch: &Batch, advantages: &PerStep) -> Result<(), Error> {
        match &mut self.content {
            Content::Lines(log, sink) => log.write(batch, advantages, sink),
            Content::Csv(layout, sink) => {
                let mut table = Vec::new();
                let log = open(&self.log).and_then(|mut log| log.read_to_end(&mut table));
                log.map_err(Error::Read)?;
                annotate_csv(&table, layout, batch, advantages, sink)
            }
            Content::Parquet(log, _, rows) => log.lines(batch, advantages, |line, advantages| {
                if let Some(row) = rows.get_mut(line - 1) {
                    row.get_or_insert_default().extend(advantages);
                }
            }),
        }
    }

    /// Writes the rest and gives the copy its name.
    ///
    /// # Errors
    /// What cannot be written; a name that was taken meanwhile ([`io::ErrorKind::AlreadyExists`]).
    pub fn finish(self) -> Result<(), Error> {
        let Self { log, path, partial, content } = self;
        let written = match content {
            Content::Lines(mut lines, mut sink) => {
                lines.finish(&mut sink)?;
                sink.finish()
            }
            Content::Csv(_, sink) => sink.finish(),
            Content::Parquet(mut lines, file, rows) => {
                lines.finish(io::sink())?;
                write_table(&log, file, &rows).and_then(|file| file.sync_all())
            }
        };
        written.map_err(Error::Write)?;
        partial.persist_noclobber(path).map_err(|failed| Error::Write(failed.error))?;
        Ok(())
    }
}

/// The name that a copy has until it is whole, of this copy alone, as others may be making the same file.
fn partial_path(path: &Path) -> io::Result<PathBuf> {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_string_lossy();
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{}-{copy}.partial", process::id())))
}

/// Writes a table with its column: of numbers, if no row has several steps, else of lists.
fn write_table(log: &Path, file: File, rows: &[Option<Vec<f64>>]) -> io::Result<File> {
    if rows.iter().flatten().any(|row| row.len() != 1) {
        return with_column(log, file, ADVANTAGE, NewColumn::Lists(rows));
    }
    let numbers: Vec<Option<f64>> = rows.iter().map(|row| Some(*row.as_ref()?.first()?)).collect();
    with_column(log, file, ADVANTAGE, NewColumn::Numbers(&numbers))
}
