//! Rollouts file: opened, read task by task, and its errors located.

use std::cell::{Cell, RefCell};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, anyhow};
use hgpo_core::format::{Layout, RolloutWarnings};
use hgpo_core::{Batch, Error, Place, Problem, StepAddress, Trajectory, format};

use super::provenance::RecordedProvenance;
use crate::cli::limited_reader::LimitedReader;

/// A rollouts file that is open.
pub(crate) struct RolloutsFile {
    file: PathBuf,
    layout: Layout,
    input: RolloutsInput,
    held: Rc<Cell<u64>>,
}

enum RolloutsInput {
    /// JSON Lines, which can be read task by task.
    JsonlLog(Box<format::Reader<LimitedReader<Box<dyn BufRead>>>>),
    /// Another format.
    Other(LimitedReader<Box<dyn BufRead>>),
}

impl RolloutsFile {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(file: &Path, layout: &Layout) -> anyhow::Result<Self> {
        let mut input = LimitedReader::new(open_source(file)?);
        let held = Rc::clone(&input.held);
        let is_lines =
            hgpo_logs::is_json_lines(&mut input).with_context(|| file.display().to_string())?;
        let input = if is_lines {
            RolloutsInput::JsonlLog(Box::new(format::Reader::with(input, layout.clone())))
        } else {
            RolloutsInput::Other(input)
        };
        Ok(Self { file: file.to_owned(), layout: layout.clone(), input, held })
    }

    /// Whether it is a dump of a trainer, whose tasks no single field tells.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn is_dump(&mut self) -> Result<bool, Error> {
        match &mut self.input {
            RolloutsInput::JsonlLog(tasks) => tasks.is_dump(),
            RolloutsInput::Other(_) => Ok(false),
        }
    }

    /// How the file says that it was made.
    pub(crate) fn provenance(&mut self) -> RecordedProvenance {
        match &mut self.input {
            RolloutsInput::JsonlLog(tasks) => tasks.provenance(),
            RolloutsInput::Other(_) => Ok(None),
        }
    }

    /// Whether the tasks of a file are not together, so that it has to be read whole, if that can be known before its
    /// end is reached: if it can be read twice.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn is_scattered(&self) -> anyhow::Result<bool> {
        if !matches!(self.input, RolloutsInput::JsonlLog(_)) || !is_file(&self.file) {
            return Ok(false);
        }
        let source = LimitedReader::new(open_source(&self.file)?);
        match super::task_order::check(source, &self.layout.columns) {
            Err(error) if is_scattered(&error) => Ok(true),
            checked => checked.map(|()| false),
        }
    }

    /// The tasks one after the other, or the whole file as one batch; what is `noticed` in rows as they are read.
    pub(crate) fn batches(
        self,
        whole: bool,
        noticed: Rc<RefCell<RolloutWarnings>>,
    ) -> Box<dyn Iterator<Item = anyhow::Result<Batch>>> {
        let batch = |read: Result<Vec<Trajectory>, Error>| Ok(Batch::new(read?)?);
        match self.input {
            RolloutsInput::JsonlLog(mut tasks) if !whole => {
                let mut is_empty = true;
                Box::new(std::iter::from_fn(move || {
                    self.held.set(0);
                    let none = std::mem::take(&mut is_empty).then(|| Err(no_trajectories()));
                    let next = tasks.next();
                    if next.is_none() {
                        noticed.replace(tasks.warnings());
                    }
                    next.or(none).map(batch)
                }))
            }
            RolloutsInput::JsonlLog(mut tasks) => Box::new(std::iter::once_with(move || {
                let all = tasks.read_whole();
                noticed.replace(tasks.warnings());
                batch(all)
            })),
            RolloutsInput::Other(input) => Box::new(std::iter::once_with(move || {
                let (all, warnings) = format::read_with(input, &self.layout)?;
                noticed.replace(warnings);
                batch(Ok(all))
            })),
        }
    }
}

/// What a file is refused for that holds a first line at most.
fn no_trajectories() -> Error {
    Error::Rollouts { place: Box::default(), problem: Problem::NoTrajectories }
}

/// Whether it can be read again from its beginning.
pub(crate) fn is_file(file: &Path) -> bool {
    file != Path::new("-") && file.metadata().is_ok_and(|about| about.is_file())
}

/// Whether a task came again.
pub(crate) fn is_scattered(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<Error>();
    matches!(error, Some(Error::Rollouts { problem: Problem::ScatteredTask { .. }, .. }))
}

/// What is wrong with rollouts, with the file, and with the line if it can be found. `printed`:
/// some tasks have been printed already.
pub(crate) fn locate_error(
    file: &Path,
    layout: &Layout,
    error: anyhow::Error,
    printed: bool,
) -> anyhow::Error {
    let error = match error.downcast::<Error>() {
        Ok(Error::Rollouts { mut place, problem }) => {
            let step = (&place.task, &place.trajectory, place.line);
            if let (Some(task), Some(trajectory), None) = step {
                let step = StepAddress::new(task, trajectory, place.step.unwrap_or(0));
                place.line = line_of(file, layout, &step);
            }
            let rest = match problem {
                Problem::ScatteredTask { .. } => describe_scattered(&place, printed),
                _ => String::new(),
            };
            let is_row = place.line.is_some() && hgpo_logs::is_table(file);
            let rows = if is_row { " (line 1 is the first row)" } else { "" };
            anyhow!("{}{rest}{rows}", Error::Rollouts { place, problem })
        }
        Ok(error @ Error::Read(_)) => error.into(),
        Ok(error) => return error.into(),
        Err(error) => return error,
    };
    error.context(file.display().to_string())
}

/// What else there is to say of a task that comes again.
fn describe_scattered(place: &Place, printed: bool) -> String {
    let option = " (--whole-file)";
    match &place.task {
        Some(task) if printed => format!(
            "{option}; discard what was printed: task {task:?} is incomplete there, and others may \
             be"
        ),
        _ => option.to_owned(),
    }
}

/// The line of a step of a file that can be read again.
fn line_of(file: &Path, layout: &Layout, step: &StepAddress) -> Option<usize> {
    if !is_file(file) {
        return None;
    }
    format::line_of(LimitedReader::new(open_source(file).ok()?), layout, step).ok()?
}

/// Opens a log as text; `-` is standard input.
pub(crate) fn open_source(file: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if file == Path::new("-") {
        return hgpo_logs::open_stream(std::io::stdin().lock()).context("-");
    }
    hgpo_logs::open(file)
        .with_context(|| format!("cannot read the rollouts file {}", file.display()))
}
