//! JSON Lines: trajectories, rows, or conversations.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::{Map, Value};

use super::Layout;
use super::line_diagnosis::{diagnose, fields};
use super::messages;
use super::provenance::{self, Provenance};
use super::rows::ObjectRows;
use super::text_lines::{Line, Lines};
use super::trajectory_builder::{Record, TrajectoryBuilder};
use super::warnings::{RolloutWarnings, WarningCounter};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;

/// What the lines of a file hold; the first line decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Trajectories,
    Rows,
    Conversations,
}

/// Records of a source with their line numbers.
pub(super) struct Records<R> {
    pub(super) lines: Lines<R>,
    /// The line before the first record, if there is one, with its fields: what they mean is worked out when it is asked for.
    stated: Option<(usize, Map<String, Value>)>,
    pub(super) kind: Option<Kind>,
    layout: Layout,
    rows: ObjectRows,
    /// What was noticed in single lines.
    tally: WarningCounter,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(source: R, layout: Layout) -> Self {
        let rows = ObjectRows::new(layout.columns.clone());
        Self {
            lines: Lines::new(source),
            stated: None,
            kind: None,
            layout,
            rows,
            tally: WarningCounter::default(),
        }
    }

    /// Reads up to the first record, which stays the next one.
    fn begin(&mut self) -> Result<Option<Kind>, Error> {
        while self.kind.is_none() {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            let is_first = self.stated.is_none();
            match fields(&line) {
                Ok(fields) if is_first && provenance::is_first_line(&fields) => {
                    let unread = fields.keys().filter(|name| !provenance::is_own(name));
                    self.tally.told.unread_first_line = unread.cloned().collect();
                    self.stated = Some((line.number, fields));
                    continue;
                }
                Ok(fields) => {
                    self.kind = Some(if messages::is_conversation(&fields) {
                        Kind::Conversations
                    } else if self.rows.is_row(&fields) {
                        Kind::Rows
                    } else {
                        Kind::Trajectories
                    });
                }
                // Another format: it says nothing of itself, and is refused when it is read.
                Err(_) if !line.text.trim_start().starts_with('{') => {
                    self.kind = Some(Kind::Trajectories);
                }
                Err(error) if is_odd_row(&line) => {
                    return Err(TrajectoryBuilder::default().complete(error));
                }
                Err(error) => return Err(error),
            }
            self.lines.held = true;
        }
        Ok(self.kind)
    }

    /// The next record; errors are completed from what was collected so far.
    pub(super) fn next(
        &mut self,
        collected: &TrajectoryBuilder,
    ) -> Result<Option<(Record, usize)>, Error> {
        let Some(kind) = self.begin()? else {
            return Ok(None);
        };
        while let Some(line) = self.lines.next()? {
            let record = match kind {
                Kind::Trajectories => parse_trajectory(&line).map(Some),
                Kind::Conversations => parse_conversation(&self.layout, &line).map(Some),
                Kind::Rows => {
                    parse_row(&mut self.rows, &line).map_err(|error| collected.complete(error))
                }
            };
            match record {
                Ok(Some(record)) => {
                    let line = line.number;
                    if let (Kind::Conversations, Record::Trajectory(read)) = (kind, &record) {
                        self.tally.note_unread(read.extra.keys());
                    }
                    return Ok(Some((record, line)));
                }
                Ok(None) => self.tally.told.inactive += 1,
                Err(_) if provenance::is_misplaced(&line) => {
                    return Err(Place::line(line.number).error(Problem::MisplacedFirstLine));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// Whether a line that is no JSON is a row, as with a NaN in it.
fn is_odd_row(line: &Line<'_>) -> bool {
    let has = |field: &str| line.text.contains(field);
    has("\"traj_uid\"") && !has("\"steps\"")
}

fn parse_row(rows: &mut ObjectRows, line: &Line<'_>) -> Result<Option<Record>, Error> {
    let row = rows.read(fields(line)?);
    row.map(|row| row.map(Record::Step)).map_err(|error| error.or_at(Place::line(line.number)))
}

fn parse_conversation(layout: &Layout, line: &Line<'_>) -> Result<Record, Error> {
    let object = fields(line)?;
    if !messages::is_conversation(&object) {
        let remedy = "a line of conversations has `messages`, or `prompt` and `completion` that are lists of them";
        return Err(Place::line(line.number).error(Problem::missing("messages", remedy)));
    }
    let read = messages::trajectory(object, &layout.columns, layout.state_of, line.number);
    read.map(Record::Trajectory)
}

fn parse_trajectory(line: &Line<'_>) -> Result<Record, Error> {
    let parsed = serde_json::from_str::<Trajectory>(line.text);
    parsed.map(Record::Trajectory).map_err(|error| diagnose(line, &error))
}

/// Reads JSON Lines: one trajectory a line, or one step a line. A first line that says
/// how they were made is left out ([`Reader::provenance`] tells it).
///
/// # Errors
/// A source that fails; no trajectory at all; a line that is not UTF-8, not JSON, cut off, of
/// another shape, or with a number that is not finite (Python's `NaN`, `Infinity`; `1e999`) or
/// beyond [`REWARD_LIMIT`](crate::REWARD_LIMIT); a trajectory without steps, or twice in its task; a
/// line further down that says how rollouts were made, as when files were put together.
pub fn read_jsonl(source: impl BufRead) -> Result<Vec<Trajectory>, Error> {
    Reader::new(source).read_whole()
}

/// Reads JSON Lines task by task, holding one task at a time.
///
/// Each item is all trajectories of one task, in file order; they must be together in the file.
/// After an error there are no further items. A source without a line has no items.
///
/// ```
/// use hgpo_core::format::Reader;
/// let line = |task| format!(r#"{{"task":"{task}","trajectory":"0","steps":[{{"state":"s","reward":0}}]}}"#);
/// let file = [line("g"), line("h")].join("\n");
/// let tasks: Vec<_> = Reader::new(file.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(tasks.len(), 2);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
pub struct Reader<R> {
    records: Records<R>,
    task: String,
    collected: TrajectoryBuilder,
    first_lines: HashMap<String, usize>,
    finished: bool,
    /// What was counted in tasks that are complete.
    tally: WarningCounter,
}

impl<R: BufRead> Reader<R> {
    /// Begins to read.
    pub fn new(source: R) -> Self {
        Self::with(source, Layout::default())
    }

    /// Begins to read a log of this layout.
    pub fn with(source: R, layout: Layout) -> Self {
        Self {
            records: Records::new(source, layout),
            task: String::new(),
            collected: TrajectoryBuilder::default(),
            first_lines: HashMap::new(),
            finished: false,
            tally: WarningCounter::default(),
        }
    }

    /// How the rollouts were made, if the first line says so. Nothing after that line is taken.
    ///
    /// # Errors
    /// A source that fails, and [`Problem::Provenance`]: a field of another kind, an estimator or an
    /// option that is not known. After the latter the trajectories can still be read.
    pub fn provenance(&mut self) -> Result<Option<Provenance>, Error> {
        self.records.begin().inspect_err(|_| self.finished = true)?;
        let stated = self.records.stated.clone();
        stated.map(|(line, fields)| Provenance::read(line, fields)).transpose()
    }

    /// The trajectories of all tasks that are still to come, which need not be together.
    ///
    /// # Errors
    /// [`read_jsonl`]'s.
    pub fn read_whole(&mut self) -> Result<Vec<Trajectory>, Error> {
        while let Some((record, line)) = self.records.next(&self.collected)? {
            self.collected.push(record, line)?;
        }
        self.collected().finish()
    }

    /// Warnings on what was read so far.
    #[must_use]
    pub fn warnings(&self) -> RolloutWarnings {
        let mut tally = self.tally.clone();
        tally.add(self.collected.tally());
        tally.add(self.records.tally.clone());
        tally.add(self.records.rows.tally.clone());
        tally.warnings(self.records.layout.group_size)
    }

    /// Takes what was collected.
    fn collected(&mut self) -> TrajectoryBuilder {
        let collected = std::mem::take(&mut self.collected);
        self.tally.add(collected.tally());
        collected
    }

    /// Reads up to the first record of the next task, and gives back the task before it.
    fn next_task(&mut self) -> Result<Option<Vec<Trajectory>>, Error> {
        while let Some((record, line)) = self.records.next(&self.collected)? {
            if !self.collected.is_empty() && record.task() == self.task {
                self.collected.push(record, line)?;
                continue;
            }
            self.begin_task(record.task().to_owned(), line)?;
            let complete = self.collected();
            self.collected.push(record, line)?;
            if !complete.is_empty() {
                return complete.finish().map(Some);
            }
        }
        self.finished = true;
        let last = self.collected();
        if last.is_empty() { Ok(None) } else { last.finish().map(Some) }
    }

    fn begin_task(&mut self, task: String, line: usize) -> Result<(), Error> {
        self.task.clone_from(&task);
        if let Some(&first_line) = self.first_lines.get(&task) {
            let place = Place { line: Some(line), task: Some(task), ..Place::default() };
            return Err(place.error(Problem::ScatteredTask { first_line }));
        }
        self.first_lines.insert(task, line);
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Vec<Trajectory>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let item = self.next_task().transpose();
        self.finished |= matches!(item, None | Some(Err(_)));
        item
    }
}
