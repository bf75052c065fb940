//! True advantages of the last iteration.

use std::collections::HashMap;

use hgpo_core::Discount;
use hgpo_core::process::{Decision, Process, Values};
use hgpo_env::Split;
use hgpo_train::learn::process::{Setting, process, situation_name};
use hgpo_train::rollout::prompt::Memory;

use crate::message::{TrueStep, Truth};
use crate::replay::{Taken, steps};
use crate::runner::{Played, Runner};

/// What is true of the steps at a task, under the policy that took them.
pub(crate) fn truth(runner: &Runner, task: &str) -> Result<Truth, String> {
    let no_task = || {
        let task: String = task.chars().take(20).collect();
        format!(
            "truth.task: nothing was played at '{task}' in the last iteration; see its rollouts"
        )
    };
    let played = runner.last.as_ref().ok_or_else(no_task)?;
    let is_of_task = |trajectory: usize| played.trajectories[trajectory].task == task;
    let mut attempts = (0..played.trajectories.len()).filter(|&it| is_of_task(it)).peekable();
    let first = *attempts.peek().ok_or_else(no_task)?;
    let process = process_of(played, first)?;
    let known = Known::new(played, &process)?;
    let mut found = vec![Vec::new(); attempts.count()];
    for taken in steps(runner.seed, played)? {
        if is_of_task(taken.trajectory) {
            // The attempts at a task follow each other.
            found[taken.trajectory - first].push(known.step(&taken));
        }
    }
    let process = serde_json::to_value(&process).map_err(|error| error.to_string())?;
    Ok(Truth { process, steps: found })
}

/// The process of the task of a trajectory.
fn process_of(played: &Played, trajectory: usize) -> Result<Process, String> {
    let rollout = &played.setup.config.rollout;
    let setting = Setting {
        policy: played.before.policy(),
        format: played.setup.format.as_ref(),
        suite: played.setup.suite.as_ref(),
        history_length: rollout.history_length,
        temperature: rollout.temperature,
    };
    let seed = played.trajectories[trajectory].seed.unwrap_or_default();
    process(&setting, Split::Train, seed).map_err(|error| error.to_string())
}

/// The values of a process, and which situation is which.
struct Known<'a> {
    played: &'a Played,
    process: &'a Process,
    values: Values,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Known<'a> {
    fn new(played: &'a Played, process: &'a Process) -> Result<Self, String> {
        let discount = Discount::new(played.setup.config.learn.discount);
        let values = process.values(discount.map_err(|error| error.to_string())?);
        let situations = process.situations().iter().enumerate();
        let numbers = situations.map(|(number, it)| (it.name.as_str(), number)).collect();
        Ok(Self { played, process, values, numbers })
    }

    /// What is true of a step, whose situation is known.
    fn step(&self, taken: &Taken) -> Option<TrueStep> {
        let config = &self.played.setup.config;
        let steps = &self.played.trajectories[taken.trajectory].steps;
        let first = taken.time.saturating_sub(config.rollout.history_length);
        let pair = |step: &hgpo_core::Step| Memory {
            observation: step.state.clone(),
            action: step.action.clone().unwrap_or_default(),
        };
        let memory: Vec<Memory> = steps[first..taken.time].iter().map(pair).collect();
        let situation = *self.numbers.get(&*situation_name(&taken.situation, &memory))?;
        let action = steps[taken.time].action.as_deref()?;
        let actions = &self.process.situations()[situation].actions;
        let action = actions.iter().position(|it| it.action == action)?;
        let steps_left = config.environment.max_steps - taken.time;
        let decision = Decision { situation, steps_left, action };
        Some(TrueStep {
            value: self.values.value(situation, steps_left),
            action_value: self.values.action_value(decision),
            advantage: self.values.advantage(decision),
        })
    }
}
