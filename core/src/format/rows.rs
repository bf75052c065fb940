//! Rows: one step each, as objects of JSON or as records of a table.

use serde_json::{Map, Value};

use super::cell::Cell;
use super::columns::{
    ACTIVE, Columns, NUMBER, REQUIRED, STEPS, field_of, fields, foreign, listed, step_fields,
};
use super::trajectory_builder::Row;
use super::warnings::RolloutWarnings;
use crate::error::{Error, Place, Problem};
use crate::rollout::fields::{STEP, VALID, check_spelling};

/// Where the fields of rows stand among their columns.
#[derive(Default)]
pub(super) struct Mapping(Vec<(&'static str, String)>);

impl Mapping {
    /// Fields with their columns.
    pub(super) fn new<'a>(pairs: impl Iterator<Item = (&'static str, &'a str)>) -> Self {
        Self(pairs.map(|(field, column)| (field, column.to_owned())).collect())
    }

    /// What columns of these names hold.
    ///
    /// # Errors
    /// A column that is named and not there; one that is meant as a field that is not there; a field that is missing.
    pub(super) fn of<'a>(
        columns: &Columns,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, Problem> {
        if columns.named(STEPS).is_some() {
            let why = format!(
                "`{STEPS}` is a list of objects, which rows do not have: name it for JSON Lines with a trajectory a line"
            );
            return Err(Problem::Layout(why));
        }
        Self::with(columns, names, &fields(), &REQUIRED)
    }

    /// What columns of these names hold of some fields.
    ///
    /// # Errors
    /// Those of [`Mapping::of`].
    pub(super) fn with<'a>(
        columns: &Columns,
        names: impl Iterator<Item = &'a str> + Clone,
        fields: &(impl Iterator<Item = &'static str> + Clone),
        required: &[&'static str],
    ) -> Result<Self, Problem> {
        columns.check_of(names.clone(), |field| fields.clone().any(|known| known == field))?;
        let has = |name: &str| names.clone().any(|other| other == name);
        let found: Vec<(&'static str, String)> = fields
            .clone()
            .filter_map(|field| Some((field, columns.of(field, &has)?.to_owned())))
            .collect();
        let mapping = Self(found);
        let known = fields.clone().chain(fields.clone().filter_map(foreign));
        let is_absent =
            |name: &str| field_of(name).is_some_and(|field| mapping.column(field).is_none());
        check_spelling(names.clone(), &known, is_absent)?;
        match required.iter().find(|field| mapping.column(field).is_none()) {
            Some(&field) => {
                let own = if has("traj_uid") { foreign(field).unwrap_or(field) } else { field };
                let there = listed(names);
                let remedy = format!(
                    "there are {there}; rename the one that holds it, or name it ({field}=COLUMN)"
                );
                Err(Problem::missing(own, &remedy))
            }
            None => Ok(mapping),
        }
    }

    /// The column of a field.
    pub(super) fn column(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == field).map(|(_, column)| column.as_str())
    }

    /// Whether a column holds a field.
    pub(super) fn reads(&self, column: &str) -> bool {
        self.0.iter().any(|(_, known)| known == column)
    }

    /// The step of a row, whose cells are taken by their columns; none of one that is not active.
    ///
    /// # Errors
    /// The first field with another kind of value, with the names of task and trajectory.
    pub(super) fn row(&self, take: impl FnMut(&str) -> Option<Cell>) -> Result<Option<Row>, Error> {
        let mut row = Row::default();
        match self.fill(&mut row, take) {
            Ok(is_active) => Ok(Some(row).filter(|_| is_active)),
            Err(problem) => Err(row.place().error(problem)),
        }
    }

    /// Fills in a row, whose cells are taken by their columns; whether it is active.
    ///
    /// # Errors
    /// The first field with another kind of value.
    pub(super) fn fill(
        &self,
        row: &mut Row,
        mut take: impl FnMut(&str) -> Option<Cell>,
    ) -> Result<bool, Problem> {
        for (field, column) in &self.0 {
            let Some(cell) = take(column) else { continue };
            match *field {
                ACTIVE if !cell.known_flag(column)?.unwrap_or(true) => return Ok(false),
                ACTIVE => {}
                field => row.set(field, column, cell)?,
            }
        }
        Ok(true)
    }

    /// Keeps what else a row holds.
    ///
    /// # Errors
    /// A flag by another name that contradicts the one that was read, with the names of task and trajectory.
    pub(super) fn keep(
        &self,
        row: &mut Row,
        others: impl Iterator<Item = (String, Cell)>,
    ) -> Result<(), Error> {
        self.keep_all(row, others).map_err(|problem| row.place().error(problem))
    }

    /// Keeps what else a row holds.
    ///
    /// # Errors
    /// A flag by another name that contradicts the one that was read.
    pub(super) fn keep_all(
        &self,
        row: &mut Row,
        others: impl Iterator<Item = (String, Cell)>,
    ) -> Result<(), Problem> {
        for (name, cell) in others {
            // By its other name too: a flag that is not heeded would change advantages without a word.
            if field_of(&name) == Some(VALID)
                && cell.flag(&name).is_ok_and(|flag| flag == Some(!row.step.valid))
            {
                let read = self.column(VALID).unwrap_or(VALID);
                let both = format!("`{read}` and `{name}` contradict each other");
                return Err(Problem::DuplicateField(both));
            }
            // What is called like a field of a step that another column holds.
            let is_taken = STEP.names().chain([NUMBER]).any(|field| field == name);
            let name = if is_taken { format!("row_{name}") } else { name };
            row.step.extra.insert(name, cell.into());
        }
        Ok(())
    }
}

/// Reads rows that are objects of JSON, or steps in the list of a trajectory.
#[derive(Default)]
pub(super) struct ObjectRows {
    columns: Columns,
    /// Whether they are steps of a trajectory that is known.
    are_steps: bool,
    /// The names of the row before, which most rows share.
    names: Vec<String>,
    mapping: Mapping,
    /// The names that hold no field.
    pub(super) warnings: RolloutWarnings,
}

impl ObjectRows {
    pub(super) fn new(columns: Columns) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Of steps in the list of a trajectory.
    pub(super) fn of_steps(columns: Columns) -> Self {
        Self { columns, are_steps: true, ..Self::default() }
    }

    /// Whether an object is a row rather than a trajectory.
    pub(super) fn is_row(&self, object: &Map<String, Value>) -> bool {
        let has = |name: &str| object.contains_key(name);
        let says = |field| self.columns.of(field, &has).is_some();
        !has("steps")
            && (has("traj_uid") || !self.columns.is_empty() || says("state") || says("reward"))
    }

    /// Whether an object has all that a row has.
    pub(super) fn is_whole_row(&self, object: &Map<String, Value>) -> bool {
        Mapping::of(&self.columns, object.keys().map(String::as_str)).is_ok()
    }

    /// The step of a row; none of one that is not active.
    ///
    /// # Errors
    /// Those of [`Mapping`].
    pub(super) fn read(&mut self, mut object: Map<String, Value>) -> Result<Option<Row>, Error> {
        if !self.names.iter().eq(object.keys()) {
            let names = object.keys().map(String::as_str);
            let mapping = if self.are_steps {
                Mapping::with(&self.columns, names, &step_fields(), &REQUIRED[2..])
            } else {
                Mapping::of(&self.columns, names)
            };
            self.mapping = mapping.map_err(|problem| self.place(&object).error(problem))?;
            self.names = object.keys().cloned().collect();
            self.warnings.note_unread(self.names.iter().filter(|name| !self.mapping.reads(name)));
        }
        let row =
            self.mapping.row(|column| object.get_mut(column).map(Value::take).map(Cell::Json))?;
        let Some(mut row) = row else { return Ok(None) };
        let others = object.into_iter().filter(|(name, _)| !self.mapping.reads(name));
        self.mapping.keep(&mut row, others.map(|(name, value)| (name, Cell::Json(value))))?;
        Ok(Some(row))
    }

    /// Whose step a row is, as far as it says so.
    fn place(&self, object: &Map<String, Value>) -> Place {
        let has = |name: &str| object.contains_key(name);
        let said = |field| {
            let value = object.get(self.columns.of(field, &has)?)?.clone();
            Cell::Json(value).text(field).ok()
        };
        Place { task: said("task"), trajectory: said("trajectory"), ..Place::default() }
    }
}

impl Row {
    /// Whose step it is, as far as that is known.
    fn place(&self) -> Place {
        let named = |name: &String| (!name.is_empty()).then(|| name.clone());
        Place { task: named(&self.task), trajectory: named(&self.trajectory), ..Place::default() }
    }

    /// Takes what a column says.
    fn set(&mut self, field: &str, column: &str, cell: Cell) -> Result<(), Problem> {
        let step = &mut self.step;
        match field {
            "task" => self.task = cell.text(column)?,
            "trajectory" => self.trajectory = cell.text(column)?,
            "success" => self.success = cell.flag(column)?,
            "seed" => self.seed = cell.whole(column)?,
            "environment" => self.environment = cell.optional_text(column)?,
            "state" => step.state = cell.text(column)?,
            "reward" => step.reward = cell.number(column)?,
            "action" => step.action = cell.optional_text(column)?,
            "context" => step.context = cell.optional_text(column)?,
            "embedding" => step.embedding = cell.numbers(column)?,
            "state_value" => step.state_value = cell.optional_number(column)?,
            "agent" => step.agent = cell.optional_text(column)?,
            "observation" => step.observation = cell.optional_text(column)?,
            "prompt" => step.prompt = cell.optional_text(column)?,
            "response" => step.response = cell.optional_text(column)?,
            NUMBER => {
                step.extra.insert(NUMBER.to_owned(), cell.into());
            }
            _ => {
                let flag = cell.known_flag(column)?;
                step.valid = flag.unwrap_or(true);
                self.has_flag = flag.is_some();
            }
        }
        Ok(())
    }
}
