//! Advantages into a copy of the log (`--into FILE`), which has its name once it is whole.

use std::fs::{self, File};
use std::io::{BufRead, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use hgpo_core::format::{Annotator, Layout, annotate_csv};
use hgpo_core::{Batch, Error, Estimate};
use hgpo_logs::LogWriter;
use hgpo_logs::parquet::{NewColumn, row_count, with_column};

use super::rollouts_file::{RolloutsFile, is_file, open_source};
use crate::run::machine::host::{leave, set_handler};
use crate::run::storage::atomic_write::{link, own_partial};
use crate::terminal::quote_path;

/// The column of a Parquet file that advantages are in.
const ADVANTAGE: &str = "advantage";

/// A copy of a log that is being written.
pub(crate) struct AnnotatedCopy {
    log: PathBuf,
    path: PathBuf,
    /// What it is called until it is whole.
    partial: PathBuf,
    content: Option<Content>,
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
    /// Begins a copy at `path` of a log that was opened.
    ///
    /// # Errors
    /// A log that cannot be read twice; a name that is taken; a folder that cannot be written.
    pub(crate) fn create(
        path: &Path,
        log: &Path,
        layout: &Layout,
        opened: &RolloutsFile,
    ) -> anyhow::Result<Self> {
        let named = path.display();
        if !is_file(log) {
            bail!(
                "--into {named}: the log is read twice, which needs a file, not {}",
                log.display()
            );
        }
        if path.exists() {
            return Err(taken(path));
        }
        path.file_name().with_context(|| format!("--into {named}: name a file"))?;
        let partial = own_partial(path);
        remove_when_stopped(&partial)?;
        let file = File::create(&partial).with_context(|| format!("cannot write {named}"))?;
        // From here on, what was begun is removed if it does not come to its end.
        let mut copy = Self { log: log.to_owned(), path: path.to_owned(), partial, content: None };
        let lines = || Ok::<_, anyhow::Error>(Annotator::new(open_source(log)?, layout.clone()));
        copy.content = Some(if hgpo_logs::is_table(log) {
            let rows = row_count(log).with_context(|| log.display().to_string())?;
            Content::Parquet(Box::new(lines()?), file, vec![None; rows])
        } else if opened.is_json_lines() {
            Content::Lines(Box::new(lines()?), LogWriter::new(file, path))
        } else {
            Content::Csv(layout.clone(), LogWriter::new(file, path))
        });
        Ok(copy)
    }

    /// Writes the next tasks.
    ///
    /// # Errors
    /// A log that changed since it was read; what cannot be written.
    pub(crate) fn write(&mut self, batch: &Batch, estimate: &Estimate) -> anyhow::Result<()> {
        let written = self.write_batch(batch, estimate);
        written.map_err(|error| match error.downcast() {
            Ok(Error::Write(error)) => {
                anyhow!(error).context(format!("cannot write {}", self.path.display()))
            }
            Ok(other) => other.into(),
            Err(other) => other,
        })
    }

    fn write_batch(&mut self, batch: &Batch, estimate: &Estimate) -> anyhow::Result<()> {
        match &mut self.content {
            Some(Content::Lines(log, sink)) => log.write(batch, estimate, sink)?,
            Some(Content::Csv(layout, sink)) => {
                let mut table = Vec::new();
                open_source(&self.log)?.read_to_end(&mut table)?;
                annotate_csv(&table, layout, batch, estimate, sink)?;
            }
            Some(Content::Parquet(log, _, rows)) => {
                log.lines(batch, estimate, |line, advantages| {
                    if let Some(row) = rows.get_mut(line - 1) {
                        row.get_or_insert_default().extend(advantages);
                    }
                })?;
            }
            None => {}
        }
        Ok(())
    }

    /// Writes the rest and gives the copy its name.
    ///
    /// # Errors
    /// What cannot be written; a name that was taken meanwhile.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let named = || format!("cannot write {}", self.path.display());
        match self.content.take() {
            Some(Content::Lines(mut log, mut sink)) => {
                log.finish(&mut sink)?;
                sink.finish().with_context(named)?;
            }
            Some(Content::Csv(_, sink)) => sink.finish().with_context(named)?,
            Some(Content::Parquet(mut log, file, rows)) => {
                log.finish(std::io::sink())?;
                write_table(&self.log, file, &rows)
                    .and_then(|file| file.sync_all())
                    .with_context(named)?;
            }
            None => {}
        }
        if link(&self.partial, &self.path).with_context(named)? {
            Ok(())
        } else {
            Err(taken(&self.path))
        }
    }
}

/// Writes a table with its column: of numbers, if no row has several steps, else of lists.
fn write_table(log: &Path, file: File, rows: &[Option<Vec<f64>>]) -> std::io::Result<File> {
    if rows.iter().flatten().any(|row| row.len() != 1) {
        return with_column(log, file, ADVANTAGE, NewColumn::Lists(rows));
    }
    let numbers: Vec<Option<f64>> = rows.iter().map(|row| Some(*row.as_ref()?.first()?)).collect();
    with_column(log, file, ADVANTAGE, NewColumn::Numbers(&numbers))
}

impl Drop for AnnotatedCopy {
    fn drop(&mut self) {
        // Whole, it has another name by now.
        let _ = fs::remove_file(&self.partial);
    }
}

/// Removes a file that is not whole when the process is asked to end.
fn remove_when_stopped(partial: &Path) -> anyhow::Result<()> {
    /// The status of a process that Ctrl-C ended.
    const STOPPED: u8 = 130;
    let partial = partial.to_owned();
    set_handler(move || {
        let _ = fs::remove_file(&partial);
        leave(STOPPED)
    })
    .context("cannot listen for Ctrl-C")
}

fn taken(path: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} already exists: choose another name with --into", quote_path(path))
}
