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

/// How many agents may act at the same time, at least, for one that acts twice to be found.
const AGENTS: usize = 1000;

/// The number of a step, where its row has one.
fn number(step: &Step) -> Option<f64> {
    let number = match step.extra.get("step")? {
        Value::String(text) => crate::number::number(text.trim()),
        value => value.as_f64(),
    };
    number.filter(|number| number.is_finite())
}

/// Trajectories in order of first appearance.
#[derive(Default)]
pub(super) struct Collector {
    trajectories: Vec<Trajectory>,
    /// Index of the trajectory of the row before.
    before: usize,
    /// Index and first line, by task and name.
    known: HashMap<(String, String), (usize, usize)>,
    /// Rows that repeat the one before, as [`Noticed`](super::Noticed) counts them.
    repeated: usize,
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
        let checked = self.follow(index, &step, first_line).and_then(|()| step.check());
        let trajectory = &mut self.trajectories[index];
        checked.map_err(|problem| {
            let place = trajectory.place().at_step(trajectory.steps.len());
            place.error(problem).or_at(Place::line(line))
        })?;
        let repeats = trajectory.steps.last() == Some(&step) && number(&step).is_none();
        self.repeated += usize::from(repeats);
        trajectory.steps.push(step);
        Ok(())
    }

    /// Checks that a row may be the next step of its trajectory, and is not the step of another one of
    /// the same name, as where files were put together.
    ///
    /// Rows without numbers stand together. Numbers rise, but for those of agents that act at the same
    /// time; where rows stand apart, they go on one by one.
    fn follow(&mut self, index: usize, step: &Step, first_line: usize) -> Result<(), Problem> {
        let together = std::mem::replace(&mut self.before, index) == index;
        let steps = &self.trajectories[index].steps;
        let Some(last) = steps.last() else { return Ok(()) };
        let own = steps.iter().rev().take(AGENTS).find(|before| before.agent == step.agent);
        let goes_on = match [last, step].map(number) {
            [None, None] if together => true,
            [None, None] => {
                return Err(Problem::DuplicateTrajectory { first_line: Some(first_line) });
            }
            [before, now] if together => {
                before.is_some() && now >= before && own.is_none_or(|own| number(own) < now)
            }
            [_, now] => now == number(&steps[0]).map(|first| first + steps.len() as f64),
        };
        if goes_on {
            return Ok(());
        }
        let [before, now] = [last, step]
            .map(|step| number(step).map_or("none".to_owned(), |number| number.to_string()));
        Err(Problem::UnorderedRows { before, now, first_line })
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

    pub(super) fn repeated(&self) -> usize {
        self.repeated
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
