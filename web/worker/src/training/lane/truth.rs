//! What is true of the last iteration: the processes of its tasks, and the true advantages in them.

use std::collections::HashMap;
use std::ops::Range;

use hgpo_core::process::{Decision, Process};
use hgpo_core::{Discount, Trajectory};
use hgpo_env::Split;
use hgpo_train::rollout::prompt_format::RememberedStep;
use hgpo_train::values::finite_process::{
    ProcessError, ProcessSetting, finite_process, situation_name,
};

use super::replay::{Taken, steps};
use super::runner::{Played, Runner};
use crate::training::message::{Answer, TaskProcess};

/// What is true of the steps at a task, under the policy that took them.
pub(crate) fn truth(runner: &Runner, task: &str) -> Result<Answer, String> {
    of_task(runner, task, |known| {
        let discount = Discount::new(known.played.setup.config.learn.discount);
        let values = known.process.values(discount.map_err(|error| error.to_string())?);
        let steps = known.steps(runner.seed, |decision| values.advantage(decision))?;
        Ok(Answer::Truth { steps })
    })
}

/// The process that a task was under the policy that played it, and where in it the steps were taken.
pub(crate) fn process_told(runner: &Runner, task: &str) -> Result<Answer, String> {
    of_task(runner, task, |known| {
        let situations = known.steps(runner.seed, |decision| decision.situation)?;
        let process = serde_json::to_string(&known.process).map_err(|error| error.to_string())?;
        Ok(Answer::Process(TaskProcess { process, situations }))
    })
}

/// A task of the last iteration, and the process that it was.
struct Known<'a> {
    played: &'a Played,
    process: Process,
    /// The positions of the attempts at the task, which follow each other.
    attempts: Range<usize>,
}

/// Tells something of a task, or how many combinations were found if it is too large.
fn of_task(
    runner: &Runner,
    task: &str,
    tell: impl FnOnce(Known<'_>) -> Result<Answer, String>,
) -> Result<Answer, String> {
    let no_task = || {
        let task: String = task.chars().take(20).collect();
        format!("task: nothing was played at '{task}' in the last iteration; see its rollouts")
    };
    let played = runner.last.as_ref().ok_or_else(no_task)?;
    let is_of_task = |it: &Trajectory| it.task == task;
    let first = played.trajectories.iter().position(is_of_task).ok_or_else(no_task)?;
    let count = played.trajectories[first..].iter().take_while(|it| is_of_task(it)).count();
    let rollout = &played.setup.config.rollout;
    let setting = ProcessSetting {
        policy: played.before.policy(),
        format: played.setup.format.as_ref(),
        suite: played.setup.suite.as_ref(),
        history_length: rollout.history_length,
        temperature: rollout.temperature,
    };
    let seed = played.trajectories[first].seed.unwrap_or_default();
    match finite_process(&setting, Split::Train, seed) {
        Ok(process) => tell(Known { played, process, attempts: first..first + count }),
        Err(ProcessError::TooMany { combinations, .. }) => Ok(Answer::TooLarge { combinations }),
        Err(other) => Err(other.to_string()),
    }
}

impl Known<'_> {
    /// Tells something of every step whose decision is known, attempt by attempt.
    fn steps<T>(
        &self,
        seed: u64,
        tell: impl Fn(Decision) -> T,
    ) -> Result<Vec<Vec<Option<T>>>, String> {
        let situations = self.process.situations().iter().enumerate();
        let numbers: HashMap<&str, usize> =
            situations.map(|(number, it)| (it.name.as_str(), number)).collect();
        let mut found: Vec<Vec<Option<T>>> = self.attempts.clone().map(|_| Vec::new()).collect();
        for taken in steps(seed, self.played)? {
            if self.attempts.contains(&taken.trajectory) {
                let decision = self.decision(&taken, &numbers);
                found[taken.trajectory - self.attempts.start].push(decision.map(&tell));
            }
        }
        Ok(found)
    }

    /// The decision that a step was.
    fn decision(&self, taken: &Taken, numbers: &HashMap<&str, usize>) -> Option<Decision> {
        let past: Vec<RememberedStep> = self.played.past(taken).collect();
        let situation = *numbers.get(&*situation_name(&taken.situation, &past))?;
        let action = self.played.step(taken).action.as_deref()?;
        let actions = &self.process.situations()[situation].actions;
        let action = actions.iter().position(|it| it.action == action)?;
        let steps_left = self.played.setup.config.environment.max_steps - taken.time;
        Some(Decision { situation, steps_left, action })
    }
}
