//! JSON Lines: trajectories, rows, conversations, or what a trainer dumped.

use std::collections::{HashMap, VecDeque};
use std::io::BufRead;

use serde_json::{Map, Value};

use super::columns::STEPS;
use super::dump_layouts::Dump;
use super::line_diagnosis::{diagnose, fields};
use super::line_notes::LineNotes;
use super::provenance::{self, Provenance};
use super::rows::ObjectRows;
use super::text_lines::{Line, Lines};
use super::trajectory_builder::{Record, TrajectoryBuilder};
use super::warnings::{RolloutWarnings, WarningCounter};
use super::{Layout, dumps, messages, nested, traces};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;

/// What the lines of a file hold; the first line decides.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Trajectories,
    Nested,
    Rows,
    Conversations,
    Dump(&'static Dump),
    Traces,
}

/// Records of a source with their line numbers.
pub(super) struct Records<R> {
    pub(super) lines: Lines<R>,
    /// The line before the first record, if there is one, with its fields: what they mean is worked out when it is asked for.
    stated: Option<(usize, Map<String, Value>)>,
    pub(super) kind: Option<Kind>,
    layout: Layout,
    rows: ObjectRows,
    /// Further trajectories of the line that was read last, and its number.
    rest: (VecDeque<Trajectory>, usize),
    pub(super) notes: LineNotes,
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
            rest: (VecDeque::new(), 0),
            notes: LineNotes::default(),
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
                Ok(fields) if is_first && is_first_line(&fields, &self.layout) => {
                    let unread = fields.keys().filter(|name| !provenance::is_own(name));
                    self.notes.warnings.unread_first_line = unread.cloned().collect();
                    self.stated = Some((line.number, fields));
                    continue;
                }
                Ok(fields) => {
                    self.kind = Some(kind_of(&fields, &self.layout, &self.rows));
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
        loop {
            if let Some(trajectory) = self.rest.0.pop_front() {
                return Ok(Some((Record::Trajectory(trajectory), self.rest.1)));
            }
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            if let Some(places) = &mut self.notes.places {
                places.clear();
            }
            let record = match kind {
                Kind::Trajectories => parse_trajectory(&line, &mut self.notes).map(Some),
                Kind::Rows => parse_row(&mut self.rows, &line, &mut self.notes)
                    .map_err(|error| collected.complete(error)),
                other => parse_whole(other, &self.layout, &line, &mut self.notes).map(|read| {
                    self.rest = (read.into(), line.number);
                    None
                }),
            };
            match record {
                Ok(Some(record)) => return Ok(Some((record, line.number))),
                Ok(None) => {}
                Err(_) if is_misplaced(&line, &self.layout) => {
                    return Err(Place::line(line.number).error(Problem::MisplacedFirstLine));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What the lines of a file hold whose first one has these fields.
fn kind_of(fields: &Map<String, Value>, layout: &Layout, rows: &ObjectRows) -> Kind {
    if nested::is_nested(fields, &layout.columns) {
        return Kind::Nested;
    }
    if fields.contains_key("steps") {
        return Kind::Trajectories;
    }
    match dumps::of(fields).filter(|_| !rows.is_whole_row(fields)) {
        _ if traces::is_episode(fields) => Kind::Traces,
        Some(dump) => Kind::Dump(dump),
        None if messages::is_conversation(fields) => Kind::Conversations,
        None if rows.is_row(fields) => Kind::Rows,
        None => Kind::Trajectories,
    }
}

/// Whether a line says how the others were made. A line with a column that is named is one of rollouts.
fn is_first_line(fields: &Map<String, Value>, layout: &Layout) -> bool {
    provenance::is_first_line(fields)
        && !layout.columns.all_named().any(|(_, column)| fields.contains_key(column))
}

/// Whether a line that holds no rollouts is the first line of another file.
fn is_misplaced(line: &Line<'_>, layout: &Layout) -> bool {
    fields(line).is_ok_and(|fields| is_first_line(&fields, layout))
}

/// Whether a line that is no JSON is a row, as with a NaN in it.
fn is_odd_row(line: &Line<'_>) -> bool {
    let has = |field: &str| line.text.contains(field);
    has("\"traj_uid\"") && !has("\"steps\"")
}

fn parse_row(
    rows: &mut ObjectRows,
    line: &Line<'_>,
    notes: &mut LineNotes,
) -> Result<Option<Record>, Error> {
    let row = rows.read(fields(line)?).map_err(|error| error.or_at(Place::line(line.number)))?;
    notes.warnings.inactive += usize::from(row.is_none());
    notes.push_place(Vec::new);
    Ok(row.map(Record::Step))
}

/// The trajectories of a line that holds them whole, in a layout that is not the one written here.
fn parse_whole(
    kind: Kind,
    layout: &Layout,
    line: &Line<'_>,
    notes: &mut LineNotes,
) -> Result<Vec<Trajectory>, Error> {
    let (object, number) = (fields(line)?, line.number);
    let mut read = match kind {
        Kind::Nested => {
            nested::trajectory(object, &layout.columns, number, notes).map(|read| vec![read])
        }
        Kind::Dump(dump) => {
            let read = dumps::trajectory(dump, &object, layout, number, notes)?;
            Ok(read.into_iter().collect())
        }
        Kind::Traces if traces::is_episode(&object) => {
            traces::trajectories(object, layout, number, notes)
        }
        Kind::Traces => {
            let remedy = "a line of traces has `traces`, or `nodes` and `rewards`";
            Err(Place::line(number).error(Problem::missing("traces", remedy)))
        }
        _ if messages::is_conversation(&object) => {
            let read = messages::trajectory(object, layout, number, notes)?;
            notes.warnings.note_unread(read.extra.keys());
            Ok(vec![read])
        }
        _ => {
            let remedy = "a line of conversations has `messages`, or `prompt` and `completion` that are lists of them";
            Err(Place::line(number).error(Problem::missing("messages", remedy)))
        }
    }?;
    // What is kept is written beside the steps.
    for Trajectory { extra, .. } in &mut read {
        if let Some(value) = extra.remove(STEPS) {
            extra.insert(format!("row_{STEPS}"), value);
        }
    }
    Ok(read)
}

fn parse_trajectory(line: &Line<'_>, notes: &mut LineNotes) -> Result<Record, Error> {
    let parsed = serde_json::from_str::<Trajectory>(line.text);
    let read = parsed.map_err(|error| diagnose(line, &error))?;
    for step in 0..read.steps.len() {
        notes.push_place(|| vec![("steps".into(), step)]);
    }
    Ok(Record::Trajectory(read))
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

    /// Whether the lines are a trainer's dump, whose tasks no single field tells.
    ///
    /// # Errors
    /// A source that fails, and a first line that is no JSON.
    pub fn is_dump(&mut self) -> Result<bool, Error> {
        let kind = self.records.begin().inspect_err(|_| self.finished = true)?;
        Ok(matches!(kind, Some(Kind::Dump(_) | Kind::Traces)))
    }

    /// The trajectories of all tasks that are still to come, which need not be together.
    ///
    /// # Errors
    /// [`read_jsonl`]'s.
    pub fn read_whole(&mut self) -> Result<Vec<Trajectory>, Error> {
        while self.read_some(usize::MAX)? {}
        self.collected().finish()
    }

    /// Collects up to so many records of those of [`Reader::read_whole`]; whether there may be more.
    pub(super) fn read_some(&mut self, records: usize) -> Result<bool, Error> {
        for _ in 0..records {
            let Some((record, line)) = self.records.next(&self.collected)? else {
                return Ok(false);
            };
            self.collected.push(record, line)?;
        }
        Ok(true)
    }

    /// Warnings on what was read so far.
    #[must_use]
    pub fn warnings(&self) -> RolloutWarnings {
        let mut tally = self.tally.clone();
        tally.add(self.collected.tally());
        tally.add(WarningCounter::from(self.records.notes.warnings.clone()));
        tally.add(WarningCounter::from(self.records.rows.warnings.clone()));
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

impl Reader<&[u8]> {
    /// How many bytes were not read yet.
    pub(super) fn unread(&self) -> usize {
        self.records.lines.source().len()
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
