//! Finite process of a task under a policy with a memory: with it, true advantages can be computed.
//!
//! A combination is a situation of the environment and what the policy remembers of the way there, the
//! last pairs of observation and action: both together are all that matters for what comes next.
//! Combinations are walked breadth-first from the start of the task, as far as the step limit lets an
//! attempt come, by [`Environment::possibilities`] and the probabilities of the policy.
//!
//! In the [`Process`] a combination is a situation whose observation is its state and whose hidden part
//! tells the rest, so that [`Process::locate`] finds the steps of attempts that were played.

use std::collections::HashMap;

use hgpo_core::process::{COMBINATIONS_LIMIT, Process};
use hgpo_env::{EnvError, Environment, Observation, Split, Suite};
use serde_json::{Value, json};

use crate::policy::{Passage, Policy, PolicyError};
use crate::rollout::prompt_format::{Memories, PromptError, PromptFormat, RememberedStep};

/// How far the probabilities of the listed actions may be from adding up to 1.
const TOLERANCE: f64 = 1e-9;

/// Who acts where, and how.
pub struct ProcessSetting<'a, P> {
    /// The policy.
    pub policy: &'a P,
    /// How it is spoken to.
    pub format: &'a dyn PromptFormat,
    /// The tasks.
    pub suite: &'a dyn Suite,
    /// Pairs of observation and action that the format shows at most (`rollout.history_length`).
    pub history_length: usize,
    /// Sampling temperature.
    pub temperature: f64,
}

/// Why there is no finite process.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The environment does not say what tells situations apart, or what actions lead to.
    #[error(
        "the environment '{0}' does not name its situations and chances, so that true values are not \
         known: take another environment, or measure them with 'hgpo bias'"
    )]
    Unknown(String),
    /// More than can be computed at once.
    #[error(
        "{combinations} combinations of situation and memory, with {outcomes} outcomes of actions and \
         {steps} steps left each, are more than can be valued ({COMBINATIONS_LIMIT} outcomes with steps \
         left), and there are more to come: lower environment.max_steps or rollout.history_length, or \
         take a smaller or more certain world"
    )]
    TooMany {
        /// Combinations found so far.
        combinations: usize,
        /// Outcomes of all actions in them.
        outcomes: usize,
        /// The step limit.
        steps: usize,
    },
    /// The policy may write what is no listed action.
    #[error(
        "the policy chooses a listed action with probability {0} only: true values need one that \
         chooses nothing else, as policy.kind=table"
    )]
    Unlisted(f64),
    /// The task cannot be started.
    #[error(transparent)]
    Environment(#[from] EnvError),
    /// The device failed.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// What the environment says is no process.
    #[error(transparent)]
    Process(#[from] hgpo_core::Error),
}

/// The process of the task that a seed names in a split.
///
/// Rewards are the environment's: there is no penalty for invalid responses in them.
///
/// # Errors
/// An environment that does not name its situations or chances, a policy that writes what is not listed,
/// or more than [`COMBINATIONS_LIMIT`] outcomes with steps left.
pub fn finite_process<P: Policy>(
    setting: &ProcessSetting<'_, P>,
    split: Split,
    task_seed: u64,
) -> Result<Process, ProcessError> {
    let mut walk = Walk { setting, found: Vec::new(), numbers: HashMap::new(), outcomes: 0 };
    let start = walk.number(setting.suite.start(split, task_seed)?, Memories::default())?;
    let steps = setting.suite.max_steps();
    let mut situations = Vec::new();
    for steps_left in (1..=steps).rev() {
        for number in situations.len()..walk.found.len() {
            situations.push(walk.situation(number, steps_left > 1)?);
            if walk.outcomes.saturating_mul(steps) > COMBINATIONS_LIMIT {
                let (combinations, outcomes) = (walk.found.len(), walk.outcomes);
                return Err(ProcessError::TooMany { combinations, outcomes, steps });
            }
        }
    }
    Ok(Process::try_from(json!({
        "step_limit": steps,
        "start": [{ "situation": walk.found[start].name }],
        "situations": situations,
    }))?)
}

/// A situation with what is remembered of the way there.
struct Combination {
    environment: Box<dyn Environment>,
    memories: Memories,
    name: String,
}

/// The combinations that were found.
struct Walk<'a, P> {
    setting: &'a ProcessSetting<'a, P>,
    found: Vec<Combination>,
    /// Their numbers, by situation and memory.
    numbers: HashMap<(String, Memories), usize>,
    /// Outcomes of all actions so far.
    outcomes: usize,
}

impl<P: Policy> Walk<'_, P> {
    fn unknown(&self) -> ProcessError {
        ProcessError::Unknown(self.setting.suite.name().to_owned())
    }

    /// The number of a combination, which is noted if it is new.
    fn number(
        &mut self,
        environment: Box<dyn Environment>,
        memories: Memories,
    ) -> Result<usize, ProcessError> {
        let situation = environment.situation().ok_or_else(|| self.unknown())?;
        let next = self.found.len();
        let number = *self.numbers.entry((situation.clone(), memories.clone())).or_insert(next);
        if number == next {
            let name = situation_name(&situation, memories.all());
            self.found.push(Combination { environment, memories, name });
        }
        Ok(number)
    }

    /// A combination as the process has it; if an attempt is cut after it, its outcomes lead nowhere.
    fn situation(&mut self, number: usize, goes_on: bool) -> Result<Value, ProcessError> {
        let Combination { environment, memories, name } = &self.found[number];
        let (now, name) = (environment.observe(), name.clone());
        let memory = memories.of(now.agent.as_deref());
        let probabilities = self.probabilities(environment.instruction(), memory, &now)?;
        let mut actions = Vec::with_capacity(probabilities.len());
        for (action, probability) in now.actions.listed().iter().zip(probabilities) {
            // What is never done is no part of the process.
            if probability > 0.0 {
                let outcomes = self.outcomes(number, &now, action, goes_on)?;
                self.outcomes += outcomes.len();
                let action =
                    json!({ "action": action, "probability": probability, "outcomes": outcomes });
                actions.push(action);
            }
        }
        let mut situation =
            json!({ "name": name, "state": now.text, "hidden": name, "actions": actions });
        if let Some(agent) = now.agent {
            situation["agent"] = agent.into();
        }
        Ok(situation)
    }

    /// How likely the policy is to take each of the listed actions.
    fn probabilities(
        &self,
        instruction: &str,
        memory: &[RememberedStep],
        now: &Observation,
    ) -> Result<Vec<f64>, ProcessError> {
        let &ProcessSetting { policy, format, temperature, .. } = self.setting;
        let prompt = format.prompt(instruction, memory, now)?;
        let actions = now.actions.listed().iter();
        let responses: Vec<Vec<u32>> =
            actions.map(|action| format.response(now, action)).collect::<Result<_, _>>()?;
        let passage = |response| Passage { prompt: &prompt, response };
        let passages: Vec<Passage<'_>> = responses.iter().map(|it| passage(it)).collect();
        let mut scores = policy.score(&passages, temperature)?.into_iter();
        let mut of = |response: &Vec<u32>| {
            let scores = scores.by_ref().take(response.len());
            libm::exp(scores.map(|score| score.log_probability).sum())
        };
        let probabilities: Vec<f64> = responses.iter().map(&mut of).collect();
        let sum: f64 = probabilities.iter().sum();
        let adds_up = (sum - 1.0).abs() <= TOLERANCE;
        if adds_up { Ok(probabilities) } else { Err(ProcessError::Unlisted(sum)) }
    }

    /// What an action leads to; equal outcomes are one.
    fn outcomes(
        &mut self,
        number: usize,
        now: &Observation,
        action: &str,
        goes_on: bool,
    ) -> Result<Vec<Value>, ProcessError> {
        let Combination { environment, memories, .. } = &self.found[number];
        let possibilities = environment.possibilities(action).ok_or_else(|| self.unknown())?;
        let mut memories = memories.clone();
        let step = RememberedStep { observation: now.text.clone(), action: action.to_owned() };
        memories.push(now.agent.as_deref(), step);
        memories.keep_last(self.setting.history_length);
        let mut outcomes: Vec<(f64, f64, Option<usize>)> = Vec::with_capacity(possibilities.len());
        for it in possibilities {
            let next = it.next.filter(|_| goes_on);
            let next = next.map(|next| self.number(next, memories.clone())).transpose()?;
            let same = |known: &&mut (f64, f64, Option<usize>)| {
                known.1.to_bits() == it.reward.to_bits() && known.2 == next
            };
            match outcomes.iter_mut().find(same) {
                Some(known) => known.0 += it.probability,
                None => outcomes.push((it.probability, it.reward, next)),
            }
        }
        let written = |(probability, reward, next): (f64, f64, Option<usize>)| {
            let mut outcome = json!({ "probability": probability.min(1.0), "reward": reward });
            if let Some(next) = next {
                outcome["next"] = self.found[next].name.as_str().into();
            }
            outcome
        };
        Ok(outcomes.into_iter().map(written).collect())
    }
}

/// What the process calls a situation of the environment with what is remembered, the last pairs of
/// observation and action.
#[must_use]
pub fn situation_name<'a>(
    situation: &str,
    memory: impl IntoIterator<Item = &'a RememberedStep>,
) -> String {
    let pair = |RememberedStep { observation, action }: &RememberedStep| {
        format!("{observation:?} {action:?}")
    };
    let pairs: Vec<String> = memory.into_iter().map(pair).collect();
    if pairs.is_empty() {
        return situation.to_owned();
    }
    format!("{situation} after {}", pairs.join(", "))
}

#[cfg(test)]
mod tests;
