//! A rollouts file: opened, read task by task, and its errors told with their place.

mod together;

use std::cell::Cell;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, anyhow};
use hgpo_core::format::Warnings;
use hgpo_core::{Batch, Error, Place, Problem, StepAddress, Trajectory, format};

use super::bounded::{Bounded, Held};
use super::recorded::Stated;

/// Read from a file at once: few system calls for a file of gigabytes.
const READ_BYTES: usize = 256 * 1024;

/// A rollouts file that is open.
pub(super) struct Rollouts {
    file: PathBuf,
    input: Input,
    held: Held,
    noticed: Rc<Cell<Warnings>>,
}

enum Input {
    /// JSON Lines, which can be read task by task.
    Lines(Box<format::Reader<Bounded<Box<dyn BufRead>>>>),
    /// Another format.
    Other(Bounded<Box<dyn BufRead>>),
}

impl Rollouts {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(file: &Path) -> anyhow::Result<Self> {
        let mut input = Bounded::new(source(file)?);
        let held = input.held();
        let is_lines = is_json_lines(&mut input).with_context(|| file.display().to_string())?;
        let input = if is_lines {
            Input::Lines(Box::new(format::Reader::new(input)))
        } else {
            Input::Other(input)
        };
        Ok(Self { file: file.to_owned(), input, held, noticed: Rc::default() })
    }

    /// How the file says that it was made.
    pub(super) fn provenance(&mut self) -> Stated {
        match &mut self.input {
            Input::Lines(tasks) => tasks.provenance(),
            Input::Other(_) => Ok(None),
        }
    }

    /// What is noticed in rows while [`Rollouts::batches`] reads them.
    pub(super) fn noticed(&self) -> Rc<Cell<Warnings>> {
        Rc::clone(&self.noticed)
    }

    /// Refuses a file whose tasks are not together, where that can be known before its end is
    /// reached: where it can be read twice.
    ///
    /// # Errors
    /// The first task that comes again; a file that cannot be read.
    pub(super) fn check_together(&self) -> anyhow::Result<()> {
        match &self.input {
            Input::Lines(_) if is_file(&self.file) => {
                together::check(Bounded::new(source(&self.file)?))
            }
            Input::Lines(_) | Input::Other(_) => Ok(()),
        }
    }

    /// The tasks one after the other, or the whole file as one batch.
    pub(super) fn batches(self, whole: bool) -> Box<dyn Iterator<Item = anyhow::Result<Batch>>> {
        let batch = |read: Result<Vec<Trajectory>, Error>| Ok(Batch::new(read?)?);
        match self.input {
            Input::Lines(mut tasks) if !whole => {
                let mut is_empty = true;
                Box::new(std::iter::from_fn(move || {
                    self.held.release();
                    let none = std::mem::take(&mut is_empty).then(|| Err(no_trajectories()));
                    let next = tasks.next();
                    self.noticed.set(tasks.warnings());
                    next.or(none).map(batch)
                }))
            }
            Input::Lines(mut tasks) => Box::new(std::iter::once_with(move || {
                let all = tasks.read_whole();
                self.noticed.set(tasks.warnings());
                batch(all)
            })),
            Input::Other(input) => Box::new(std::iter::once_with(move || {
                let (all, noticed) = format::read_with_warnings(input)?;
                self.noticed.set(noticed);
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
pub(super) fn is_file(file: &Path) -> bool {
    file != Path::new("-") && file.metadata().is_ok_and(|about| about.is_file())
}

/// Whether a task came again.
pub(super) fn is_scattered(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<Error>();
    matches!(error, Some(Error::Rollouts { problem: Problem::ScatteredTask { .. }, .. }))
}

/// What is wrong with rollouts, with the file, and with the line where it can be found. `printed`:
/// some tasks have been told already.
pub(super) fn placed(file: &Path, error: anyhow::Error, printed: bool) -> anyhow::Error {
    let error = match error.downcast::<Error>() {
        Ok(Error::Rollouts { mut place, problem }) => {
            let step = (&place.task, &place.trajectory, place.line);
            if let (Some(task), Some(trajectory), None) = step {
                let step = StepAddress::new(task, trajectory, place.step.unwrap_or(0));
                place.line = line_of(file, &step);
            }
            let is_scattered = matches!(problem, Problem::ScatteredTask { .. });
            let rest = if is_scattered { scattered(&place, printed) } else { String::new() };
            anyhow!("{}{rest}", Error::Rollouts { place, problem })
        }
        Ok(error @ Error::Read(_)) => error.into(),
        Ok(error) => return error.into(),
        Err(error) => return error,
    };
    error.context(file.display().to_string())
}

/// What else there is to say of a task that comes again.
fn scattered(place: &Place, printed: bool) -> String {
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
fn line_of(file: &Path, step: &StepAddress) -> Option<usize> {
    is_file(file).then(|| format::line_of(Bounded::new(source(file).ok()?), step).ok()?).flatten()
}

/// Whether the input begins as JSON Lines, which can be read task by task.
fn is_json_lines(input: &mut impl BufRead) -> std::io::Result<bool> {
    let bytes = input.fill_buf()?;
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    Ok(first == Some(&b'{'))
}

fn source(file: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if file == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let opened = File::open(file)
        .with_context(|| format!("cannot read the rollouts file {}", file.display()))?;
    Ok(Box::new(BufReader::with_capacity(READ_BYTES, opened)))
}
