//! What is true of the last iteration: the processes of its tasks, and the true advantages in them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use hgpo_core::process::{Decision, Process, Values};
use hgpo_core::{Discount, Trajectory};
use hgpo_env::Split;
use hgpo_train::rollout::prompt_format::RememberedStep;
use hgpo_train::values::finite_process::{
    ProcessError, ProcessSetting, finite_process, situation_name,
};

use super::replay::{Taken, steps};
use super::runner::{Played, Runner};
use crate::training::message::{Answer, TaskProcess};

/// The process that a task was under the policy that played it, and where in it the steps were taken; how many
/// combinations were found if it is too large.
pub(crate) fn process(runner: &Runner, task: &str) -> Result<Answer, String> {
    let no_task = || {
        let task: String = task.chars().take(20).collect();
        format!("task: nothing was played at '{task}' in the last iteration; see its rollouts")
    };
    let played = runner.last.as_ref().ok_or_else(no_task)?;
    let attempts = attempts_at(played, task).ok_or_else(no_task)?;
    let known = match KnownTask::of(played, played.trajectories[attempts.start].seed) {
        Ok(known) => known,
        Err(ProcessError::TooMany { combinations, .. }) => {
            return Ok(Answer::TooLarge { combinations });
        }
        Err(other) => return Err(other.to_string()),
    };
    let mut situations: Vec<Vec<Option<usize>>> = attempts.clone().map(|_| Vec::new()).collect();
    for taken in steps(runner.seed, played)? {
        if attempts.contains(&taken.trajectory) {
            let decision = known.decision(played, &taken);
            situations[taken.trajectory - attempts.start].push(decision.map(|it| it.situation));
        }
    }
    let process = serde_json::to_string(&known.process).map_err(|error| error.to_string())?;
    Ok(Answer::Process(TaskProcess { process, situations }))
}

/// The positions of the attempts at a task, which follow each other.
fn attempts_at(played: &Played, task: &str) -> Option<Range<usize>> {
    let is_of_task = |it: &Trajectory| it.task == task;
    let first = played.trajectories.iter().position(is_of_task)?;
    let count = played.trajectories[first..].iter().take_while(|it| is_of_task(it)).count();
    Some(first..first + count)
}

/// The true advantages of steps of an iteration, under the policy that took them; none of a step whose decision is not
/// known. Tasks that are the same have one process.
///
/// # Errors
/// [`ProcessError::TooMany`] if a task is too large, and everything else that a process can fail with.
pub(super) fn advantages(
    played: &Played,
    steps: &[Taken],
) -> Result<Vec<Option<f64>>, ProcessError> {
    let mut tasks: Vec<(String, KnownTask, Values)> = Vec::new();
    let mut places: HashMap<Option<u64>, usize> = HashMap::new();
    let mut found = Vec::with_capacity(steps.len());
    for taken in steps {
        let seed = played.trajectories[taken.trajectory].seed;
        let place = match places.entry(seed) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(place_of(played, seed, &mut tasks)?),
        };
        let (_, known, values) = &tasks[place];
        found.push(known.decision(played, taken).map(|decision| values.advantage(decision)));
    }
    Ok(found)
}

/// The place of a seed's task among those that are known, to which it is added if it is a new one.
fn place_of(
    played: &Played,
    seed: Option<u64>,
    tasks: &mut Vec<(String, KnownTask, Values)>,
) -> Result<usize, ProcessError> {
    let content = played.setup.suite.task_content(Split::Train, seed.unwrap_or_default())?;
    if let Some(place) = tasks.iter().position(|(known, ..)| *known == content) {
        return Ok(place);
    }
    let known = KnownTask::of(played, seed)?;
    let values = known.process.values(Discount::new(played.setup.config.learn.discount)?);
    tasks.push((content, known, values));
    Ok(tasks.len() - 1)
}

/// A task whose process is known.
struct KnownTask {
    process: Process,
    /// The positions of its situations, by their names.
    situations: HashMap<String, usize>,
}

impl KnownTask {
    /// That of a seed, under the policy that played.
    fn of(played: &Played, seed: Option<u64>) -> Result<Self, ProcessError> {
        let rollout = &played.setup.config.rollout;
        let setting = ProcessSetting {
            policy: played.before.policy(),
            format: played.setup.format.as_ref(),
            suite: played.setup.suite.as_ref(),
            history_length: rollout.history_length,
            temperature: rollout.temperature,
        };
        let process = finite_process(&setting, Split::Train, seed.unwrap_or_default())?;
        let names = process.situations().iter().enumerate();
        let situations = names.map(|(at, situation)| (situation.name.clone(), at)).collect();
        Ok(Self { process, situations })
    }

    /// The decision that a step was.
    fn decision(&self, played: &Played, taken: &Taken) -> Option<Decision> {
        let past: Vec<RememberedStep> = played.past(taken).collect();
        let situation = *self.situations.get(&situation_name(&taken.situation, &past))?;
        let action = played.step(taken).action.as_deref()?;
        let actions = &self.process.situations()[situation].actions;
        let action = actions.iter().position(|it| it.action == action)?;
        let steps_left = played.setup.config.environment.max_steps - taken.time;
        Some(Decision { situation, steps_left, action })
    }
}
