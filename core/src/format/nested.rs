//! Trajectories with a list of steps each, whose fields are called otherwise: [`Columns`] says how.

use serde_json::{Map, Value};

use super::cell::Cell;
use super::columns::{Columns, REQUIRED, STEPS, listed, trajectory_fields};
use super::line_notes::LineNotes;
use super::rows::{Mapping, ObjectRows};
use crate::error::{Error, Place, Problem};
use crate::rollout::Trajectory;
use crate::text::json::describe;

/// Whether an object is such a trajectory. Without columns that are named it is one as it is written here, if at all.
pub(super) fn is_nested(object: &Map<String, Value>, columns: &Columns) -> bool {
    columns.named(STEPS).is_some() || !columns.is_empty() && object.contains_key(STEPS)
}

/// The trajectory of a line. Steps that are not active are left out.
///
/// # Errors
/// A column that is named and not there, in the line or a step of it; a field that is missing, or of another kind.
pub(super) fn trajectory(
    mut object: Map<String, Value>,
    columns: &Columns,
    line: usize,
    notes: &mut LineNotes,
) -> Result<Trajectory, Error> {
    let mut place = Place::line(line);
    let at_line = |problem: Problem| Place::line(line).error(problem);
    let names = || object.keys().map(String::as_str);
    columns.check_of(names(), |field| field == STEPS).map_err(at_line)?;
    let mapping =
        Mapping::with(columns, names(), &trajectory_fields(), &REQUIRED[..2]).map_err(at_line)?;
    let list = columns.named(STEPS).unwrap_or(STEPS).to_owned();
    if !object.contains_key(&list) {
        let there = listed(names());
        let remedy = format!("there are {there}; name the list of steps ({STEPS}=COLUMN)");
        return Err(at_line(Problem::missing(STEPS, &remedy)));
    }
    let row = mapping.row(|column| object.get_mut(column).map(Value::take).map(Cell::Json));
    let row = row.map_err(|error| error.or_at(Place::line(line)))?.unwrap_or_default();
    (place.task, place.trajectory) = (Some(row.task.clone()), Some(row.trajectory.clone()));
    let steps = match object.remove(&list) {
        Some(Value::Array(steps)) => steps,
        other => {
            let found = describe(&other.unwrap_or_default());
            return Err(place.error(Problem::wrong_type(&list, "a list", found)));
        }
    };
    let mut trajectory = Trajectory {
        success: row.success,
        seed: row.seed,
        environment: row.environment,
        ..Trajectory::new(row.task, row.trajectory, Vec::with_capacity(steps.len()))
    };
    let mut rows = ObjectRows::of_steps(columns.clone());
    for (index, step) in steps.into_iter().enumerate() {
        let place = Place { step: Some(index), ..place.clone() };
        let Value::Object(step) = step else {
            let field = format!("{list}[{index}]");
            return Err(place.error(Problem::wrong_type(&field, "an object", describe(&step))));
        };
        match rows.read(step).map_err(|error| error.or_at(place))? {
            Some(row) => {
                notes.push_place(|| vec![(list.as_str().into(), index)]);
                trajectory.steps.push(row.step);
            }
            None => notes.warnings.inactive += 1,
        }
    }
    for (name, value) in object.into_iter().filter(|(name, _)| !mapping.reads(name)) {
        // What is called like a field of a trajectory that another column holds.
        let is_taken = name == STEPS || trajectory_fields().any(|field| field == name);
        let name = if is_taken { format!("row_{name}") } else { name };
        trajectory.extra.insert(name, value);
    }
    Ok(trajectory)
}
