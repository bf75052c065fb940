//! Putting trajectories together from records that may hold one step each.

use std::collections::HashMap;

use serde_json::Value;

use crate::error::{Error, Place, Problem};
use crate::rollout::{Step, Trajectory};

/// What one line or CSV record holds.
pub(super) enum Record {
    /// A whole trajectory.
    Trajectory(Trajectory),
    /// One step of one.
    Step { task: String, trajectory: String, step: Step },
}

impl Record {
    pub(super) fn task(&self) -> &str {
        match self {
            Self::Trajectory(trajectory) => &trajectory.task,
            Self::Step { task, .. } => task,
        }
    }
}

/// The number of a step, where its row has one.
fn number(step: &Step) -> f64 {
    let number = match step.extra.get("step") {
        Some(Value::String(text)) => crate::number::number(text),
        Some(value) => value.as_f64(),
        None => None,
    };
    number.unwrap_or(f64::NAN)
}

/// Whether a row may be the next step of its trajectory, and not the step of another one of the same
/// name, as where files were put together. `together`: the row before is of the trajectory, too.
///
/// Numbers must not go back. Equal ones may be those of an iteration, or of several agents; where
/// rows stand apart, only numbers that go on one by one tell that the trajectory does.
fn goes_on(steps: &[Step], step: &Step, together: bool) -> bool {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return true };
    let [now, from, before] = [step, first, last].map(number);
    if !together {
        return (now - from - steps.len() as f64).abs() < 0.5;
    }
    let again = now <= before && from < before && step.agent == last.agent;
    !(again || now < before)
}

/// Trajectories in order of first appearance.
#[derive(Default)]
pub(super) struct Collector {
    trajectories: Vec<Trajectory>,
    /// Index of the trajectory of the row before.
    before: usize,
    /// Index and first line, by task and name.
    known: HashMap<(String, String), (usize, usize)>,
}

impl Collector {
    pub(super) fn push(&mut self, record: Record, line: usize) -> Result<(), Error> {
        match record {
            Record::Trajectory(trajectory) => self.push_trajectory(trajectory, line),
            Record::Step { task, trajectory, step } => self.push_step(task, trajectory, step, line),
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

    fn push_step(
        &mut self,
        task: String,
        name: String,
        step: Step,
        line: usize,
    ) -> Result<(), Error> {
        let next = self.trajectories.len();
        let key = (task, name);
        let (index, first_line) = self.known.get(&key).copied().unwrap_or((next, line));
        if index == next {
            self.trajectories.push(Trajectory::new(&key.0, &key.1, Vec::new()));
            self.known.insert(key, (next, line));
        }
        let trajectory = &mut self.trajectories[index];
        let checked = if goes_on(&trajectory.steps, &step, index == self.before) {
            step.check()
        } else {
            Err(Problem::DuplicateTrajectory { first_line: Some(first_line) })
        };
        self.before = index;
        checked.map_err(|problem| {
            let place = trajectory.place().at_step(trajectory.steps.len());
            place.error(problem).or_at(Place::line(line))
        })?;
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
