//! Where the steps of an iteration were taken, and what the agent had in mind: the actions once more, with the
//! same chance.

use hgpo_core::Step;
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::rollout::prompt_format::RememberedStep;

use super::runner::Played;

/// A place, and whether the key is held there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) key: bool,
}

/// A step as it was taken.
pub(crate) struct Taken {
    /// The position of its trajectory.
    pub(crate) trajectory: usize,
    /// Its time, from 0.
    pub(crate) time: usize,
    pub(crate) spot: Spot,
    /// What the policy read.
    pub(crate) prompt: Vec<u32>,
    /// What the environment calls the situation.
    pub(crate) situation: String,
}

impl Spot {
    /// The place that a situation of the environment names.
    fn read(situation: &str) -> Option<Self> {
        let (place, key) = match situation.strip_suffix(" key") {
            Some(place) => (place, true),
            None => (situation, false),
        };
        let (row, column) = place.split_once(',')?;
        Some(Self { row: row.parse().ok()?, column: column.parse().ok()?, key })
    }
}

impl Played {
    /// What the environment saw and the agent did in a step.
    pub(crate) fn step(&self, taken: &Taken) -> &Step {
        &self.trajectories[taken.trajectory].steps[taken.time]
    }

    /// What the agent remembered of the steps before, the oldest first.
    pub(crate) fn past(&self, taken: &Taken) -> impl Iterator<Item = RememberedStep> {
        let first = taken.time.saturating_sub(self.setup.config.rollout.history_length);
        let past = &self.trajectories[taken.trajectory].steps[first..taken.time];
        past.iter().map(|step| RememberedStep {
            observation: step.state.clone(),
            action: step.action.clone().unwrap_or_default(),
        })
    }
}

/// The steps of the last iteration of a seed, in the order of its rollouts.
pub(crate) fn steps(seed: u64, played: &Played) -> Result<Vec<Taken>, String> {
    let mut steps = Vec::new();
    for trajectory in 0..played.trajectories.len() {
        steps.extend(steps_of(seed, played, trajectory)?);
    }
    Ok(steps)
}

fn steps_of(seed: u64, played: &Played, trajectory: usize) -> Result<Vec<Taken>, String> {
    let Played { setup, iteration, trajectories, streams, .. } = played;
    let attempt = &trajectories[trajectory];
    let task = attempt.seed.unwrap_or_default();
    let mut environment =
        setup.suite.start(Split::Train, task).map_err(|error| error.to_string())?;
    let index = [*iteration, streams[trajectory]];
    let mut chance = Stream::new(seed, Purpose::Sampling, index).chance();
    let mut memory: Vec<RememberedStep> = Vec::new();
    let mut steps = Vec::with_capacity(attempt.steps.len());
    for (time, step) in attempt.steps.iter().enumerate() {
        let now = environment.observe();
        let prompt = setup.format.prompt(environment.instruction(), &memory, &now);
        let prompt = prompt.map_err(|error| error.to_string())?;
        let situation = environment.situation().unwrap_or_default();
        let spot = Spot::read(&situation)
            .ok_or_else(|| format!("the environment says of a place: '{situation}'"))?;
        steps.push(Taken { trajectory, time, spot, prompt, situation });
        let action = step.action.clone().unwrap_or_default();
        environment.step(&action, &mut chance);
        memory.push(RememberedStep { observation: now.text, action });
    }
    Ok(steps)
}
