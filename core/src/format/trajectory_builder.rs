//! Trajectory builder, from records that may hold one step each.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use super::warnings::WarningCounter;
use crate::error::{Error, Place, Problem};
use crate::rollout::{Step, Trajectory, follow, number};
use crate::text::escape::quoted;

/// What one line or CSV record holds.
pub(super) enum Record {
    /// A whole trajectory.
    Trajectory(Trajectory),
    /// One step of one.
    Step(Row),
}

/// A step, and what its row says of the trajectory.
#[derive(Default)]
pub(super) struct Row {
    pub(super) task: String,
    pub(super) trajectory: String,
    pub(super) success: Option<bool>,
    pub(super) seed: Option<u64>,
    pub(super) environment: Option<String>,
    pub(super) step: Step,
    /// Whether it says that its step is valid, or not.
    pub(super) has_flag: bool,
}

impl Record {
    pub(super) fn task(&self) -> &str {
        match self {
            Self::Trajectory(trajectory) => &trajectory.task,
            Self::Step(row) => &row.task,
        }
    }
}

/// Trajectories in order of first appearance.
#[derive(Default)]
pub(super) struct TrajectoryBuilder {
    trajectories: Vec<Trajectory>,
    /// Index of the trajectory of the row before.
    before: usize,
    /// Index and first line, by task and name.
    known: HashMap<(String, String), (usize, usize)>,
    /// What is counted while rows come in.
    tally: WarningCounter,
}

impl TrajectoryBuilder {
    pub(super) fn push(&mut self, record: Record, line: usize) -> Result<(), Error> {
        match record {
            Record::Trajectory(trajectory) => self.push_trajectory(trajectory, line),
            Record::Step(row) => self.push_row(row, line),
        }
    }

    fn push_trajectory(&mut self, trajectory: Trajectory, line: usize) -> Result<(), Error> {
        trajectory.check().map_err(|error| error.or_at(Place::line(line)))?;
        let name = (trajectory.task.clone(), trajectory.trajectory.clone());
        if let Some((_, first_line)) = self.known.insert(name, (self.trajectories.len(), line)) {
            let problem = Problem::DuplicateTrajectory { first_line: Some(first_line) };
            return Err(trajectory.place().error(problem).or_at(Place::line(line)));
        }
        self.trajectories.push(trajectory);
        Ok(())
    }

    fn push_row(&mut self, row: Row, line: usize) -> Result<(), Error> {
        let Row { task, trajectory, success, seed, environment, step, has_flag } = row;
        let next = self.trajectories.len();
        let key = (task, trajectory);
        let (index, first_line) = self.known.get(&key).copied().unwrap_or((next, line));
        if index == next {
            let new = Trajectory::new(&key.0, &key.1, Vec::new());
            new.check_names().map_err(|error| error.or_at(Place::line(line)))?;
            self.trajectories.push(new);
            self.known.insert(key, (next, line));
        }
        let is_together = std::mem::replace(&mut self.before, index) == index;
        let Trajectory { steps, success: is_success, seed: own_seed, environment: own, .. } =
            &mut self.trajectories[index];
        let checked = follow(steps, &step, is_together, Some(first_line))
            .and_then(|()| agree("success", is_success, success, first_line))
            .and_then(|()| agree("seed", own_seed, seed, first_line))
            .and_then(|()| agree("environment", own, environment, first_line))
            .and_then(|()| step.check());
        let trajectory = &mut self.trajectories[index];
        checked.map_err(|problem| {
            let place = trajectory.place().at_step(trajectory.steps.len());
            place.error(problem).or_at(Place::line(line))
        })?;
        let repeats = trajectory.steps.last() == Some(&step) && number(&step).is_none();
        self.tally.told.repeated += usize::from(repeats);
        self.tally.flagged[usize::from(has_flag)] += 1;
        trajectory.steps.push(step);
        Ok(())
    }

    /// Completes the place of an error in a record of one step: it would have been the next one.
    pub(super) fn complete(&self, error: Error) -> Error {
        let Some(Place { task: Some(task), trajectory: Some(trajectory), .. }) = error.place()
        else {
            return error;
        };
        let known = self.known.get(&(task.clone(), trajectory.clone()));
        let step = known.map_or(0, |&(index, _)| self.trajectories[index].steps.len());
        error.or_at(Place::default().at_step(step))
    }

    /// What there is to count in what was collected.
    pub(super) fn tally(&self) -> WarningCounter {
        let mut tally = self.tally.clone();
        let (mut sizes, mut tasks) = (HashMap::new(), Vec::new());
        for own in &self.trajectories {
            let size = sizes.entry(own.task.as_str()).or_insert(0);
            if *size == 0 {
                tasks.push(own.task.as_str());
            }
            *size += 1;
            let is_named = is_missing(&own.task) || is_missing(&own.trajectory);
            for step in &own.steps {
                tally.told.empty_states += usize::from(step.state.is_empty());
                tally.told.replaced +=
                    usize::from(step.state.contains(char::REPLACEMENT_CHARACTER));
                tally.told.missing += usize::from(is_named || is_missing(&step.state));
            }
            if let Some(first) = own.steps.first().and_then(number) {
                let counted_from = [0.0, 1.0].iter().position(|&from| first <= from);
                tally.begins[counted_from.unwrap_or(2)] += 1;
            }
        }
        for task in tasks {
            tally.sizes.entry(sizes[task]).or_insert_with(|| (0, task.to_owned())).0 += 1;
        }
        tally
    }

    pub(super) fn is_empty(&self) -> bool {
        self.trajectories.is_empty()
    }

    /// The trajectories.
    pub(super) fn finish(self) -> Result<Vec<Trajectory>, Error> {
        if self.is_empty() {
            return Err(Place::default().error(Problem::NoTrajectories));
        }
        Ok(self.trajectories)
    }
}

/// Whether a text is what pandas, numpy, Python or JavaScript make of a value that is missing.
fn is_missing(text: &str) -> bool {
    matches!(text, "nan" | "NaN" | "None" | "null" | "<NA>" | "undefined")
}

/// Takes what a row says of its trajectory, which all rows that say something say alike.
fn agree<T: PartialEq + Serialize>(
    field: &'static str,
    known: &mut Option<T>,
    told: Option<T>,
    first_line: usize,
) -> Result<(), Problem> {
    let Some(now) = told else { return Ok(()) };
    match known {
        Some(before) if *before != now => {
            let said = |value: &T| match serde_json::to_value(value).unwrap_or_default() {
                Value::String(text) => quoted(&text),
                other => other.to_string(),
            };
            let (before, now) = (said(before), said(&now));
            Err(Problem::Contradiction { field, before, now, first_line })
        }
        Some(_) => Ok(()),
        None => {
            *known = Some(now);
            Ok(())
        }
    }
}
