//! What is true of the last iteration: the processes of its tasks, and the true advantages in them.

use std::collections::HashMap;
use std::ops::Range;

use hgpo_core::Discount;
use hgpo_core::process::{Decision, Process};
use hgpo_env::Split;
use hgpo_train::rollout::prompt_format::RememberedStep;
use hgpo_train::values::finite_process::{
    ProcessError, ProcessSetting, finite_process, situation_name,
};

use super::replay::{Taken, steps};
use super::runner::{Played, Runner};
use crate::training::message::{Answer, TaskProcess, TrueStep};

/// What is true of the steps at a task, under the policy that took them.
pub(crate) fn truth(runner: &Runner, task: &str) -> Result<Answer, String> {
    let known = match Known::new(runner, task)? {
        Ok(known) => known,
        Err(combinations) => return Ok(Answer::TooLarge { combinations }),
    };
    let discount = Discount::new(known.played.setup.config.learn.discount);
    let values = known.process.values(discount.map_err(|error| error.to_string())?);
    let steps = known.steps(runner.seed, |decision| TrueStep {
        value: values.value(decision.situation, decision.steps_left),
        action_value: values.action_value(decision),
        advantage: values.advantage(decision),
    })?;
    Ok(Answer::Truth { steps })
}

/// The process that a task was under the policy that played it, and where in it the steps were taken.
pub(crate) fn process_told(runner: &Runner, task: &str) -> Result<Answer, String> {
    let known = match Known::new(runner, task)? {
        Ok(known) => known,
        Err(combinations) => return Ok(Answer::TooLarge { combinations }),
    };
    let situations = known.steps(runner.seed, |decision| decision.situation)?;
    let process = serde_json::to_string(&known.process).map_err(|error| error.to_string())?;
    Ok(Answer::Process(TaskProcess { process, situations }))
}

/// A task of the last iteration, and the process that it was.
struct Known<'a> {
    played: &'a Played,
    process: Process,
    /// The positions of the attempts at the task, which follow each other.
    attempts: Range<usize>,
}

impl<'a> Known<'a> {
    /// A task, or how many combinations were found if it is too large.
    fn new(runner: &'a Runner, task: &str) -> Result<Result<Self, usize>, String> {
        let no_task = || {
            let task: String = task.chars().take(20).collect();
            format!("task: nothing was played at '{task}' in the last iteration; see its rollouts")
        };
        let played = runner.last.as_ref().ok_or_else(no_task)?;
        let is_of_task = |it: &hgpo_core::Trajectory| it.task == task;
        let first = played.trajectories.iter().position(is_of_task).ok_or_else(no_task)?;
        let count = played.trajectories[first..].iter().take_while(|it| is_of_task(it)).count();
        let process = process_of(played, first)?;
        Ok(process.map(|process| Self { played, process, attempts: first..first + count }))
    }

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
        let config = &self.played.setup.config;
        let steps = &self.played.trajectories[taken.trajectory].steps;
        let first = taken.time.saturating_sub(config.rollout.history_length);
        let pair = |step: &hgpo_core::Step| RememberedStep {
            observation: step.state.clone(),
            action: step.action.clone().unwrap_or_default(),
        };
        let memory: Vec<RememberedStep> = steps[first..taken.time].iter().map(pair).collect();
        let situation = *numbers.get(&*situation_name(&taken.situation, &memory))?;
        let action = steps[taken.time].action.as_deref()?;
        let actions = &self.process.situations()[situation].actions;
        let action = actions.iter().position(|it| it.action == action)?;
        let steps_left = config.environment.max_steps - taken.time;
        Some(Decision { situation, steps_left, action })
    }
}

/// The process of the task of a trajectory, or how many combinations were found if it is too large.
fn process_of(played: &Played, trajectory: usize) -> Result<Result<Process, usize>, String> {
    let rollout = &played.setup.config.rollout;
    let setting = ProcessSetting {
        policy: played.before.policy(),
        format: played.setup.format.as_ref(),
        suite: played.setup.suite.as_ref(),
        history_length: rollout.history_length,
        temperature: rollout.temperature,
    };
    let seed = played.trajectories[trajectory].seed.unwrap_or_default();
    match finite_process(&setting, Split::Train, seed) {
        Ok(process) => Ok(Ok(process)),
        Err(ProcessError::TooMany { combinations, .. }) => Ok(Err(combinations)),
        Err(other) => Err(other.to_string()),
    }
}
