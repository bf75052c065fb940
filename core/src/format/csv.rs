//! CSV, one step a record.

use std::io::Read;

use super::BYTE_ORDER_MARK;
use super::Layout;
use super::cell::Cell;
use super::columns::{ACTIVE, Columns, REQUIRED};
use super::csv_records::{Records, names_separator};
use super::rows::Mapping;
use super::text_lines::text_of;
use super::trajectory_builder::{Record, Row, TrajectoryBuilder};
use super::warnings::RolloutWarnings;
use crate::batch::address::StepAddress;
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::rollout::fields::VALID;
use crate::text::escape::single_line;

/// The longest first line that is said again.
const SAID: usize = 80;

/// The longest text, in characters, that is taken for the name of a column.
const LONGEST_NAME: usize = 40;

/// The first line with text that does not only name the separator.
fn header_line(bytes: &[u8]) -> String {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let header = lines.filter(|line| !line.is_empty()).find(|line| !names_separator(line));
    String::from_utf8_lossy(header.unwrap_or_default()).into_owned()
}

/// Whether a line names columns of rollouts, with a separator between them.
fn is_header(line: &str, separator: char, columns: &Columns) -> bool {
    let names: Vec<&str> =
        line.split(separator).map(|name| name.trim().trim_matches('"')).collect();
    let has = |name: &str| names.contains(&name);
    let known = REQUIRED.iter().filter(|field| columns.of(field, &has).is_some()).count();
    known >= 2 || !columns.is_empty() && known >= 1
}

/// Whether the first line with text names columns of rollouts.
pub(super) fn has_header(bytes: &[u8], columns: &Columns) -> bool {
    is_header(&header_line(bytes), ',', columns)
}

/// What is wrong with a file that is no format: its columns may be separated by something else, or have other names.
pub(super) fn unknown(bytes: &[u8], columns: &Columns) -> Problem {
    let header = header_line(bytes);
    if [';', '\t', '|'].into_iter().any(|separator| is_header(&header, separator, columns)) {
        let said: String = header.trim_ascii_end().chars().take(SAID).collect();
        return Problem::Separator(single_line(&said));
    }
    let names: Vec<&str> = header.split(',').map(|name| name.trim().trim_matches('"')).collect();
    let are_names = names.iter().all(|name| (1..=LONGEST_NAME).contains(&name.chars().count()));
    match Mapping::of(columns, names.iter().copied()) {
        Err(problem) if names.len() >= REQUIRED.len() && are_names => problem,
        _ => Problem::UnknownFormat,
    }
}

/// Reads CSV with a header: `task,trajectory,state,reward` in any order, and optionally `action`,
/// `valid`, `context`, `embedding`, `state_value`, `agent`, `observation`, `prompt`, `response`, and of the
/// trajectory `success`, `seed`, `environment`, which its records say alike. Other columns are kept as text.
/// Records whose `active_masks` is false are left out ([`RolloutWarnings`]).
///
/// An empty `action` is none, and so are `context`, `embedding` (a JSON list otherwise),
/// `state_value`, `agent`, `observation`, `prompt`, `response`, `success`, `seed` and `environment`; an empty
/// `valid` or `active_masks` is true.
///
/// # Errors
/// A source that fails; no record; a missing column; a record of another length than the header,
/// or not UTF-8; a quote that is not closed, or closed in the middle of a value; an empty `task` or
/// `trajectory`; a `reward` or `state_value` that is no finite number; a `valid` or `success` that is none of
/// true, false, 1, 0; a `seed` that is no whole number; an `embedding` that is no JSON list of numbers; what
/// [`Problem`] says of steps that are out of order and of records that contradict each other.
pub fn read_csv(mut source: impl Read) -> Result<Vec<Trajectory>, Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Read)?;
    CsvReader::new(&bytes, &Layout::default())?.finish().map(|(trajectories, _)| trajectories)
}

/// A table of steps, record by record.
pub(super) struct Table<'a> {
    pub(super) header: Vec<String>,
    mapping: Mapping,
    records: Records<'a>,
}

/// A record with the line that it begins on, its values, and the step that it says; none if that is not active.
pub(super) struct TableRow {
    pub(super) line: usize,
    pub(super) fields: Vec<String>,
    pub(super) step: Option<Row>,
}

impl<'a> Table<'a> {
    /// Reads the header of a table.
    ///
    /// # Errors
    /// A text without one; one that names a column twice, or lacks one.
    pub(super) fn new(text: &'a str, columns: &Columns) -> Result<Self, Error> {
        let mut records = Records::new(text);
        let (line, mut header) = records.header();
        records.check()?;
        if header.iter().all(String::is_empty) {
            return Err(Place::default().error(Problem::NoTrajectories));
        }
        for name in &mut header {
            *name = name.trim().to_owned();
        }
        let mapping =
            mapping(&header, columns).map_err(|problem| Place::line(line).error(problem))?;
        Ok(Self { header, mapping, records })
    }

    /// The next record.
    ///
    /// # Errors
    /// A record that does not fit the header, or says no step; with its line.
    pub(super) fn next(&mut self) -> Result<Option<TableRow>, Error> {
        let Some((line, fields)) = self.records.next() else { return Ok(None) };
        self.records.check()?;
        if self.header == fields {
            return Err(Place::line(line).error(Problem::MisplacedFirstLine));
        }
        let step = row(&self.header, &self.mapping, &fields);
        let step = step.map_err(|error| error.or_at(Place::line(line)))?;
        Ok(Some(TableRow { line, fields, step }))
    }

    /// Whether the text ended in a record whose last value may be the beginning of another one.
    fn may_be_cut(&self, last: &TableRow) -> bool {
        let [column, value] = [self.header.last(), last.fields.last()];
        self.records.is_open && !is_whole(&self.mapping, column.map(String::as_str), value)
    }
}

/// Trajectories of a table, collected record by record.
pub(super) struct CsvReader<'a> {
    table: Table<'a>,
    collected: TrajectoryBuilder,
    inactive: usize,
    may_be_cut: bool,
    group_size: Option<usize>,
}

impl<'a> CsvReader<'a> {
    /// Begins to read CSV of this layout.
    pub(super) fn new(bytes: &'a [u8], layout: &Layout) -> Result<Self, Error> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        Ok(Self {
            table: Table::new(text_of(bytes)?, &layout.columns)?,
            collected: TrajectoryBuilder::default(),
            inactive: 0,
            may_be_cut: false,
            group_size: layout.group_size,
        })
    }

    /// Collects up to so many records; whether there may be more.
    pub(super) fn read_some(&mut self, records: usize) -> Result<bool, Error> {
        for _ in 0..records {
            let row = self.table.next().map_err(|error| self.collected.complete(error))?;
            let Some(row) = row else { return Ok(false) };
            self.may_be_cut = self.table.may_be_cut(&row);
            match row.step {
                Some(step) => self.collected.push(Record::Step(step), row.line)?,
                None => self.inactive += 1,
            }
        }
        Ok(true)
    }

    /// How many bytes were not read yet.
    pub(super) fn unread(&self) -> usize {
        self.table.records.unread()
    }

    /// The trajectories, once all records are collected, and warnings.
    pub(super) fn finish(mut self) -> Result<(Vec<Trajectory>, RolloutWarnings), Error> {
        while self.read_some(usize::MAX)? {}
        let Self { table, collected, .. } = self;
        let mut tally = collected.tally();
        (tally.told.inactive, tally.told.may_be_cut) = (self.inactive, self.may_be_cut);
        tally.told.note_unread(table.header.iter().filter(|name| !table.mapping.reads(name)));
        let warnings = tally.warnings(self.group_size);
        Ok((collected.finish()?, warnings))
    }
}

/// The line that a step's record begins on: the one of the trajectory's records with this number.
pub(super) fn line_of(
    mut source: impl Read,
    columns: &Columns,
    step: &StepAddress,
) -> Result<Option<usize>, Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Read)?;
    let text = String::from_utf8_lossy(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes));
    let Ok(mut table) = Table::new(&text, columns) else { return Ok(None) };
    let mut steps = 0;
    // What is asked for is there: records beyond it are not of interest.
    while let Ok(Some(record)) = table.next() {
        let is_own = |row: Row| row.task == step.task && row.trajectory == step.trajectory;
        steps += usize::from(record.step.is_some_and(is_own));
        if steps > step.step {
            return Ok(Some(record.line));
        }
    }
    Ok(None)
}

/// What the columns of a header hold.
fn mapping(header: &[String], columns: &Columns) -> Result<Mapping, Problem> {
    let mapping = Mapping::of(columns, header.iter().map(String::as_str))?;
    match (0..header.len()).find(|&index| header[..index].contains(&header[index])) {
        Some(index) => Err(Problem::DuplicateColumn(single_line(&header[index]))),
        None => Ok(mapping),
    }
}

/// The step of a record; none of one that is not active.
fn row(header: &[String], mapping: &Mapping, fields: &[String]) -> Result<Option<Row>, Error> {
    if fields.len() != header.len() {
        let (found, expected) = (fields.len(), header.len());
        let problem = format!("{found} values where the header has {expected}");
        return Err(Place::default().error(Problem::InvalidCsv(problem)));
    }
    let at = |column: &str| header.iter().position(|name| *name == column);
    let row = mapping.row(|column| Some(Cell::Text(fields[at(column)?].clone())))?;
    let Some(mut row) = row else { return Ok(None) };
    let others = header.iter().zip(fields).filter(|(name, _)| !mapping.reads(name));
    let others = others.map(|(name, value)| (name.clone(), Cell::Text(value.clone())));
    mapping.keep(&mut row, others)?;
    Ok(Some(row))
}

/// Whether a value cannot be the beginning of another one: a flag.
fn is_whole(mapping: &Mapping, column: Option<&str>, value: Option<&String>) -> bool {
    let is_flag =
        [VALID, ACTIVE, "success"].into_iter().any(|field| mapping.column(field) == column);
    column.is_some() && is_flag && value.is_some_and(|value| value.len() > 1)
}
