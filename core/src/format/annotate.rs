//! Advantages in a log: each line with those of its steps, in the form that the log has.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, Write};
use std::ops::Range;

use super::csv::{Table, TableRow};
use super::csv_records::{csv_value, names_separator};
use super::json_spans::{elements, fields};
use super::jsonl::Records;
use super::line_notes::StepPlace;
use super::text_lines::text_of;
use super::trajectory_builder::{Record, TrajectoryBuilder};
use super::{BYTE_ORDER_MARK, Layout};
use crate::batch::Batch;
use crate::batch::per_step::PerStep;
use crate::error::{Error, Place, Problem};

/// The field, or column, that an advantage is written to.
const ADVANTAGE: &str = "advantage";

/// Writes a log anew with the advantage of every step as a field `advantage` of its own object: of the step, the row, the
/// last message of the assistant's turn, or what a trainer's dump has for a turn. Nothing else in it changes. An
/// `advantage` that is there is replaced.
///
/// Batches come in the order in which [`Reader`](super::Reader) gives them; one that holds the whole log is as good.
///
/// ```
/// use hgpo_core::format::{Annotator, Layout, read};
/// use hgpo_core::{Batch, Options, estimate};
/// let log = "{\"task\":\"g\",\"trajectory\":\"t\",\"state\":\"hall\",\"reward\":1e0}\n";
/// let batch = Batch::new(read(log.as_bytes())?)?;
/// let (mut log, mut written) = (Annotator::new(log.as_bytes(), Layout::default()), Vec::new());
/// log.write(&batch, &estimate(&batch, &Options::default())?.advantages, &mut written)?;
/// log.finish(&mut written)?;
/// let expected = "{\"task\":\"g\",\"trajectory\":\"t\",\"state\":\"hall\",\"reward\":1e0,\"advantage\":0.0}\n";
/// assert_eq!(written, expected.as_bytes());
/// # Ok::<(), hgpo_core::Error>(())
/// ```
pub struct Annotator<R> {
    records: Records<R>,
    /// The line whose steps are being read, which may be of several trajectories.
    line: AnnotatedLine,
}

/// A line with the advantages of its steps.
#[derive(Default)]
struct AnnotatedLine {
    number: usize,
    /// The lines without steps before it.
    before: Vec<u8>,
    text: String,
    places: Vec<StepPlace>,
    advantages: Vec<f64>,
}

impl AnnotatedLine {
    fn write(&self, sink: &mut impl Write) -> Result<(), Error> {
        sink.write_all(&self.before).map_err(Error::Write)?;
        // What could be read has its steps where they were read.
        let edits = edits(&self.text, &self.places, &self.advantages);
        write_edited(&self.text, &edits.ok_or_else(|| changed(self.number))?, sink)
    }
}

impl<R: BufRead> Annotator<R> {
    /// Begins with a log in JSON Lines; [`annotate_csv`] is for tables.
    pub fn new(source: R, layout: Layout) -> Self {
        let mut records = Records::new(source, layout);
        records.lines.passed = Some(Vec::new());
        records.notes.places = Some(VecDeque::new());
        Self { records, line: AnnotatedLine::default() }
    }

    /// Writes the lines of the next tasks; the last of them when the next one, or the end, is reached.
    ///
    /// # Errors
    /// A log that is not the one that the batch is of ([`Problem::ChangedLog`]); a source or a sink that fails.
    pub fn write(
        &mut self,
        batch: &Batch,
        advantages: &PerStep,
        mut sink: impl Write,
    ) -> Result<(), Error> {
        let mut remaining = Remaining::new(batch, advantages)?;
        while remaining.steps > 0 {
            let (number, advantages) = self.next(&mut remaining)?;
            if number != self.line.number {
                self.line.write(&mut sink)?;
                let (before, line) = self.records.lines.split_passed();
                let (before, text) = (before.to_vec(), text_of(line)?.to_owned());
                self.line = AnnotatedLine { number, before, text, ..AnnotatedLine::default() };
                self.records.lines.passed = Some(Vec::new());
            }
            if let Some(places) = &mut self.records.notes.places {
                let own = advantages.len().min(places.len());
                self.line.places.extend(places.drain(..own));
            }
            self.line.advantages.extend_from_slice(advantages);
        }
        Ok(())
    }

    /// Writes what comes after the last step.
    ///
    /// # Errors
    /// Steps that no advantage was given for; a source or a sink that fails.
    pub fn finish(&mut self, mut sink: impl Write) -> Result<(), Error> {
        if let Some((_, line)) = self.records.next(&TrajectoryBuilder::default())? {
            return Err(changed(line));
        }
        self.line.write(&mut sink)?;
        let rest = self.records.lines.passed.take().unwrap_or_default();
        sink.write_all(&rest).and_then(|()| sink.flush()).map_err(Error::Write)
    }

    /// Tells of each record of the next tasks the number of its line, from 1, and the advantages of its steps: for logs
    /// that were made lines to be read.
    ///
    /// # Errors
    /// Those of [`Annotator::write`].
    pub fn lines(
        &mut self,
        batch: &Batch,
        advantages: &PerStep,
        mut each: impl FnMut(usize, &[f64]),
    ) -> Result<(), Error> {
        let mut remaining = Remaining::new(batch, advantages)?;
        while remaining.steps > 0 {
            let (number, advantages) = self.next(&mut remaining)?;
            each(number, advantages);
            self.records.lines.passed = None;
        }
        Ok(())
    }

    /// The line of the next record, and the advantages of its steps.
    ///
    /// # Errors
    /// Another record than one of those that remain, or none.
    fn next<'a>(&mut self, remaining: &mut Remaining<'a>) -> Result<(usize, &'a [f64]), Error> {
        let Some((record, number)) = self.records.next(&TrajectoryBuilder::default())? else {
            return Err(Place::default().error(Problem::ChangedLog));
        };
        let (task, trajectory, steps) = match &record {
            Record::Trajectory(own) => (&own.task, &own.trajectory, own.steps.len()),
            Record::Step(row) => (&row.task, &row.trajectory, 1),
        };
        let advantages = remaining.take(task, trajectory, steps);
        Ok((number, advantages.ok_or_else(|| changed(number))?))
    }
}

fn changed(line: usize) -> Error {
    Place::line(line).error(Problem::ChangedLog)
}

/// Advantages of a batch whose steps are still to come.
struct Remaining<'a> {
    steps: usize,
    /// Rows by the names of task and trajectory.
    rows: HashMap<&'a str, HashMap<&'a str, Range<usize>>>,
    advantages: &'a [f64],
}

impl<'a> Remaining<'a> {
    fn new(batch: &'a Batch, advantages: &'a PerStep) -> Result<Self, Error> {
        if !batch.is_covered_by(advantages) {
            return Err(Error::OtherBatch);
        }
        let advantages = advantages.values();
        let mut of_tasks: HashMap<_, HashMap<_, _>> = HashMap::new();
        for (own, rows) in batch.trajectories().iter().zip(batch.rows()) {
            of_tasks.entry(own.task.as_str()).or_default().insert(own.trajectory.as_str(), rows);
        }
        Ok(Self { steps: advantages.len(), rows: of_tasks, advantages })
    }

    /// The advantages of the next steps of a trajectory, if it has as many.
    fn take(&mut self, task: &str, trajectory: &str, steps: usize) -> Option<&'a [f64]> {
        let rows = self.rows.get_mut(task)?.get_mut(trajectory)?;
        let taken = rows.start..rows.start + steps;
        if taken.end > rows.end {
            return None;
        }
        rows.start = taken.end;
        self.steps -= steps;
        Some(&self.advantages[taken])
    }
}

/// A piece of a line, and what is written in its place.
type Edit = (Range<usize>, String);

fn write_edited(line: &str, edits: &[Edit], sink: &mut impl Write) -> Result<(), Error> {
    let mut written = 0;
    for (place, text) in edits {
        let before = &line.as_bytes()[written..place.start];
        sink.write_all(before)
            .and_then(|()| sink.write_all(text.as_bytes()))
            .map_err(Error::Write)?;
        written = place.end;
    }
    sink.write_all(&line.as_bytes()[written..]).map_err(Error::Write)
}

/// What is written where into a line; none if that cannot be said.
fn edits(line: &str, places: &[StepPlace], advantages: &[f64]) -> Option<Vec<Edit>> {
    let mut edits = Vec::with_capacity(advantages.len());
    // The list that the step before was in, most often that of the next one.
    let (mut before, mut list): (Option<&StepPlace>, Vec<&str>) = (None, Vec::new());
    for (place, &advantage) in places.iter().zip(advantages) {
        let object = match place.split_last() {
            None => line,
            Some(((name, index), holder)) => {
                let is_same = before.and_then(|before| before.split_last());
                if is_same.is_none_or(|((own, _), of)| own != name || of != holder) {
                    let mut object = line;
                    for (name, index) in holder {
                        object = list_of(object, name)?.get(*index)?;
                    }
                    list = list_of(object, name)?;
                }
                list.get(*index)?
            }
        };
        before = Some(place);
        edits.push(edit(line, object, advantage)?);
    }
    edits.sort_by_key(|(place, _)| place.start);
    // Each step has an object of its own.
    let is_distinct = edits.windows(2).all(|pair| pair[0].0.start < pair[1].0.start);
    (is_distinct && edits.len() == advantages.len()).then_some(edits)
}

/// The elements of a list of an object.
fn list_of<'a>(object: &'a str, name: &str) -> Option<Vec<&'a str>> {
    elements(value_of(&fields(object)?, name)?)
}

/// What is written where into an object of the line.
fn edit(line: &str, object: &str, advantage: f64) -> Option<Edit> {
    // Parts of the line, by their addresses.
    let start = |part: &str| part.as_ptr().addr() - line.as_ptr().addr();
    let own = fields(object)?;
    let value = written(advantage);
    if let Some(before) = value_of(&own, ADVANTAGE) {
        return Some((start(before)..start(before) + before.len(), value));
    }
    let end = start(object) + object.rfind('}')?;
    let comma = if own.is_empty() { "" } else { "," };
    Some((end..end, format!("{comma}\"{ADVANTAGE}\":{value}")))
}

/// The value of a field, as it is written.
fn value_of<'a>(fields: &[(String, &'a str)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
}

/// Writes a table with the advantage of every step in a column `advantage`, its last one, or the one of this name that
/// is there. Records that are no steps have none.
///
/// # Errors
/// A table that is not the one that the estimate is of ([`Problem::ChangedLog`]), or cannot be read; a sink that fails.
pub fn annotate_csv(
    table: &[u8],
    layout: &Layout,
    batch: &Batch,
    advantages: &PerStep,
    mut sink: impl Write,
) -> Result<(), Error> {
    let mut remaining = Remaining::new(batch, advantages)?;
    let bytes = table.strip_prefix(BYTE_ORDER_MARK).unwrap_or(table);
    let text = text_of(bytes)?;
    let end = if text.lines().next().is_some_and(|line| text[line.len()..].starts_with("\r\n")) {
        "\r\n"
    } else {
        "\n"
    };
    let mut write = |mut fields: Vec<String>, column: Option<usize>, value: String| {
        match column {
            Some(column) => fields[column] = value,
            None => fields.push(value),
        }
        let fields: Vec<_> = fields.iter().map(|field| csv_value(field)).collect();
        write!(sink, "{}{end}", fields.join(",")).map_err(Error::Write)
    };
    if names_separator(text.trim_ascii_start().lines().next().unwrap_or_default().as_bytes()) {
        write(vec!["sep=".to_owned()], None, String::new())?;
    }
    let mut table = Table::new(text, &layout.columns)?;
    let column = table.header.iter().position(|name| name == ADVANTAGE);
    write(table.header.clone(), column, ADVANTAGE.to_owned())?;
    while let Some(TableRow { line, fields, step }) = table.next()? {
        let advantage = match step {
            Some(row) => {
                let found = remaining.take(&row.task, &row.trajectory, 1);
                written(found.ok_or_else(|| changed(line))?[0])
            }
            None => String::new(),
        };
        write(fields, column, advantage)?;
    }
    if remaining.steps > 0 {
        return Err(Place::default().error(Problem::ChangedLog));
    }
    sink.flush().map_err(Error::Write)
}

/// An advantage as a number of JSON, which reads back to the same bits.
fn written(advantage: f64) -> String {
    serde_json::to_string(&advantage).unwrap_or_default()
}
