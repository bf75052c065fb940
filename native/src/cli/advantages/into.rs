//! Advantages into a copy of the log (`--into FILE`), which has its name once it is whole.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hgpo_core::format::{Annotator, Layout, annotate_csv};
use hgpo_core::{Batch, Estimate};

use super::rollouts_file::{RolloutsFile, is_file};
use crate::terminal::quote_path;

/// A copy of a log that is being written.
pub(crate) struct AnnotatedCopy {
    path: PathBuf,
    /// What it is called until it is whole.
    partial: PathBuf,
    sink: BufWriter<File>,
    source: Source,
}

enum Source {
    /// JSON Lines, read once more.
    Lines(Annotator<BufReader<File>>),
    /// A table, which is one batch.
    Table(PathBuf, Layout),
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
        let name = path.file_name().with_context(|| format!("--into {named}: name a file"))?;
        let name = format!(".{}.{}.partial", name.to_string_lossy(), std::process::id());
        let partial = path.with_file_name(name);
        let written = File::create(&partial);
        let sink = BufWriter::new(written.with_context(|| format!("cannot write {named}"))?);
        let source = if opened.is_json_lines() {
            let log = File::open(log).with_context(|| format!("cannot read {}", log.display()))?;
            Source::Lines(Annotator::new(BufReader::new(log), layout.clone()))
        } else {
            Source::Table(log.to_owned(), layout.clone())
        };
        Ok(Self { path: path.to_owned(), partial, sink, source })
    }

    /// Writes the next tasks.
    ///
    /// # Errors
    /// A log that changed since it was read; what cannot be written.
    pub(crate) fn write(&mut self, batch: &Batch, estimate: &Estimate) -> anyhow::Result<()> {
        match &mut self.source {
            Source::Lines(log) => log.write(batch, estimate, &mut self.sink)?,
            Source::Table(log, layout) => {
                let table = fs::read(&*log)?;
                annotate_csv(&table, layout, batch, estimate, &mut self.sink)?;
            }
        }
        Ok(())
    }

    /// Writes the rest and gives the copy its name.
    ///
    /// # Errors
    /// What cannot be written; a name that was taken meanwhile.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        if let Source::Lines(log) = &mut self.source {
            log.finish(&mut self.sink)?;
        }
        let named = || format!("cannot write {}", self.path.display());
        self.sink.flush().and_then(|()| self.sink.get_ref().sync_all()).with_context(named)?;
        // A link, unlike a new name, never takes the place of what is there.
        match fs::hard_link(&self.partial, &self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(taken(&self.path)),
            linked => linked.with_context(named),
        }
    }
}

impl Drop for AnnotatedCopy {
    fn drop(&mut self) {
        // Whole, it has another name by now.
        let _ = fs::remove_file(&self.partial);
    }
}

fn taken(path: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} already exists: choose another name with --into", quote_path(path))
}
