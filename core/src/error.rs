//! Errors: what went wrong, where, and what to do about it.

use std::fmt;
use std::io;

use crate::text::escape::{quoted, single_line};

/// Everything that core refuses.
///
/// The text is one line: the place (line, task, trajectory, step), the problem, the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source could not be read.
    #[error("cannot read the rollouts")]
    Read(#[source] io::Error),
    /// The sink could not be written.
    #[error("cannot write")]
    Write(#[source] io::Error),
    /// The rollouts themselves are wrong.
    #[error("{place}{problem}")]
    Rollouts {
        /// Where.
        place: Box<Place>,
        /// What, and what to do.
        problem: Problem,
    },
    /// An option has a value that it cannot have.
    #[error("option {option}: {problem}")]
    Option {
        /// Name of the option, as in code and files. A command line that spells it otherwise says so in
        /// words of its own.
        option: &'static str,
        /// What, and what to do.
        problem: String,
    },
    /// An estimate stands beside a batch that it is not of.
    #[error("the estimate is of another batch, with other trajectories or numbers of steps")]
    OtherBatch,
    /// A step was asked for that the batch does not have.
    #[error("step address `{address}`: {problem}")]
    Address {
        /// The address as it was given.
        address: String,
        /// What, and what to do.
        problem: String,
    },
    /// A process that cannot be one.
    #[error("process: {0}")]
    Process(String),
}

impl Error {
    /// On one line, whatever names the problem quotes.
    pub(crate) fn process(problem: impl Into<String>) -> Self {
        Self::Process(single_line(&problem.into()))
    }

    pub(crate) fn option(option: &'static str, problem: impl Into<String>) -> Self {
        Self::Option { option, problem: problem.into() }
    }

    /// The place in the rollouts, if there is one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Rollouts { place, .. } => Some(place),
            _ => None,
        }
    }

    /// Fills in the parts of the place that are still unknown.
    pub(crate) fn or_at(mut self, outer: Place) -> Self {
        if let Self::Rollouts { place, .. } = &mut self {
            place.line = place.line.or(outer.line);
            place.task = place.task.take().or(outer.task);
            place.trajectory = place.trajectory.take().or(outer.trajectory);
            place.step = place.step.or(outer.step);
        }
        self
    }
}

/// A place in rollouts, read or in a batch; unknown parts are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Line of the text that they were read from, from 1.
    pub line: Option<usize>,
    /// Task of the trajectory.
    pub task: Option<String>,
    /// Name of the trajectory.
    pub trajectory: Option<String>,
    /// Step of the trajectory, from 0.
    pub step: Option<usize>,
}

impl Place {
    pub(crate) fn line(line: usize) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    pub(crate) fn trajectory(task: &str, trajectory: &str) -> Self {
        Self { task: Some(task.into()), trajectory: Some(trajectory.into()), ..Self::default() }
    }

    pub(crate) fn at_step(mut self, step: usize) -> Self {
        self.step = Some(step);
        self
    }

    pub(crate) fn error(self, problem: Problem) -> Error {
        Error::Rollouts { place: Box::new(self), problem }
    }
}

impl fmt::Display for Place {
    /// `line 3, task "g00", trajectory "g00t3", step 2: `, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.line.map(|line| format!("line {line}")),
            self.task.as_ref().map(|task| ["task ", &quoted(task)].concat()),
            self.trajectory.as_ref().map(|name| ["trajectory ", &quoted(name)].concat()),
            self.step.map(|step| format!("step {step}")),
        ];
        let known: Vec<String> = parts.into_iter().flatten().collect();
        if known.is_empty() { Ok(()) } else { write!(f, "{}: ", known.join(", ")) }
    }
}

/// What is wrong with rollouts, with the remedy in its text.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing to work on.
    #[error("no trajectories: at least one is needed, with `task`, `trajectory` and `steps`")]
    NoTrajectories,
    /// A task or a trajectory without a name.
    #[error("`{field}` is empty: give it a name; rows without one may be of several")]
    EmptyName {
        /// `task` or `trajectory`.
        field: &'static str,
    },
    /// A row says something else of its trajectory than one before it.
    #[error(
        "`{field}` is {now} here and {before} further up in the trajectory that begins on line {first_line}: it is of the whole trajectory; give every row the same, or rename a `{field}` that says something else"
    )]
    Contradiction {
        /// Name of the field.
        field: &'static str,
        /// What the rows before say.
        before: String,
        /// What this row says.
        now: String,
        /// Line of the first row.
        first_line: usize,
    },
    /// `steps` is empty.
    #[error("the trajectory has no steps: remove it, or record at least one step")]
    EmptyTrajectory,
    /// Two trajectories of a task share their name, or rows do that may be of two.
    #[error(
        "the task already has a trajectory of this name{}: give every trajectory of a task its own{}",
        first_line.map(|line| format!(" (line {line})")).unwrap_or_default(),
        first_line.map_or("", |_| "; keep its rows together, or number them with `step`")
    )]
    DuplicateTrajectory {
        /// Line of the first one, if the rollouts come from a file.
        first_line: Option<usize>,
    },
    /// A row that cannot be the next one of its trajectory.
    #[error(
        "`step` goes from {before} to {now}{}: sort the rows by task, trajectory and step, give every trajectory of a task its own name, or rename a `step` that counts something else",
        first_line.map(|line| format!(" in the trajectory that begins on line {line}")).unwrap_or_default()
    )]
    UnorderedRows {
        /// The number of the row before.
        before: String,
        /// The number of the row.
        now: String,
        /// Line of the first row, if they come from a file.
        first_line: Option<usize>,
    },
    /// NaN or an infinity.
    #[error("`{field}` is {literal}, not a finite number: correct it, or remove the trajectory")]
    NonFinite {
        /// Name of the field, with its path inside the step.
        field: String,
        /// The number as it was written.
        literal: String,
    },
    /// A magnitude whose squares would overflow.
    #[error("`{field}` is {value:e}, beyond ±{limit:e}: scale the rewards down")]
    TooLarge {
        /// Name of the field.
        field: String,
        /// Its value.
        value: f64,
        /// The largest magnitude accepted.
        limit: f64,
    },
    /// A required field is absent.
    #[error("`{field}` is missing: {remedy}")]
    MissingField {
        /// Name of the field.
        field: String,
        /// What to do.
        remedy: String,
    },
    /// A layout that logs cannot have.
    #[error("{0}")]
    Layout(String),
    /// A column that is named and not there.
    #[error(
        "the column `{column}`, named for `{field}`, is missing (there are {there}): name one that is there"
    )]
    MissingColumn {
        /// The field.
        field: &'static str,
        /// Its column.
        column: String,
        /// The columns that there are.
        there: String,
    },
    /// An unknown field that is a known one in other letters, which is absent: its value would not be heeded.
    #[error(
        "unknown field `{found}`, and `{field}` is missing: rename it to `{field}`, or remove it"
    )]
    MisspelledField {
        /// Its name.
        found: String,
        /// The name that is read.
        field: &'static str,
    },
    /// A field holds another kind of value.
    #[error("`{field}` must be {expected}, not {found}: correct it, or remove the trajectory")]
    WrongType {
        /// Name of the field.
        field: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The last line stops in the middle.
    #[error(
        "the text ends in the middle of this line, as after an interrupted write: delete the line, or write it again"
    )]
    Truncated,
    /// A trajectory runs over several lines.
    #[error(
        "the JSON does not end on its line: write one trajectory per line, without line breaks"
    )]
    Unfinished,
    /// Not JSON.
    #[error("not valid JSON ({0}): correct the line, or delete it")]
    InvalidJson(String),
    /// An object that has a key twice.
    #[error("{0}: keep one of them")]
    DuplicateField(String),
    /// Valid JSON of another shape.
    #[error(
        "not a trajectory ({0}): a line is {{\"task\", \"trajectory\", \"steps\": [{{\"state\", \"reward\"}}, ...]}}"
    )]
    NotTrajectory(String),
    /// A first line that cannot say how the file was made.
    #[error("invalid provenance ({0}): correct it, or delete the line")]
    Provenance(String),
    /// How rollouts were made, or the header of CSV, in the middle of them.
    #[error("only the first line may say this: split the rollouts here")]
    MisplacedFirstLine,
    /// Not text.
    #[error("byte {byte} of the line is not UTF-8: write it as UTF-8")]
    InvalidUtf8 {
        /// Offset in the line, from 1.
        byte: usize,
    },
    /// A file of another kind, by its first bytes.
    #[error("{kind}, not rollouts in JSON Lines or CSV: {remedy}")]
    Foreign {
        /// What it is.
        kind: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// Text of another encoding, or what a file system puts where nothing was written.
    #[error(
        "byte {byte} of the line is zero, as in UTF-16 or after an interrupted write: write it as UTF-8, or delete the line"
    )]
    ZeroByte {
        /// Offset in the line, from 1.
        byte: usize,
    },
    /// A JSON array instead of lines.
    #[error("one JSON array, not JSON Lines: write one element per line (as `jq -c '.[]'` does)")]
    JsonArray,
    /// A task comes back after another one, while reading task by task;
    /// [`Reader::read_whole`](crate::format::Reader::read_whole) reads all at once.
    #[error(
        "the lines of the task are not consecutive (it began on line {first_line}): sort them by task, or read all tasks at once"
    )]
    ScatteredTask {
        /// Line of the first trajectory of the task.
        first_line: usize,
    },
    /// A log that is not what it was when it was estimated.
    #[error(
        "the log changed while advantages were written into it: let nothing write to it meanwhile"
    )]
    ChangedLog,
    /// A CSV record that does not fit its header.
    #[error("not a CSV record ({0}): quote values that hold commas, quotes or line breaks")]
    InvalidCsv(String),
    /// A CSV header that names a column twice.
    #[error("duplicate column `{0}`: rename one of them")]
    DuplicateColumn(String),
    /// CSV with something else than commas between its columns: the first line.
    #[error("the columns of `{0}` must be separated by commas: write the file with commas")]
    Separator(String),
    /// Neither of the formats.
    #[error(
        "neither JSON Lines nor CSV with at least the columns task,trajectory,state,reward: check that these are rollouts, and name the columns so, or say what they are called (task=COLUMN,…)"
    )]
    UnknownFormat,
}

impl Problem {
    pub(crate) fn missing(field: &str, remedy: &str) -> Self {
        Self::MissingField { field: field.to_owned(), remedy: remedy.to_owned() }
    }

    pub(crate) fn wrong_type(field: &str, expected: &'static str, found: String) -> Self {
        Self::WrongType { field: field.to_owned(), expected, found }
    }
}
