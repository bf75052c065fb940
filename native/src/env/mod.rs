//! Environments: tasks that an agent solves by writing one action a step.
//!
//! An [`Environment`] is one running episode; a [`Suite`] makes them. Both are deterministic:
//! the same split and task seed give the same house, and the same actions give the same texts.

pub mod alfworld;
pub mod chores;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::alfworld::generate::{Generated, Generator};
use crate::config::{ConfigError, EnvironmentConfig};
use crate::random::{Purpose, Stream};

/// Which tasks: those trained on, new tasks in known layouts, or new tasks in new layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Tasks that training draws from.
    Train,
    /// Tasks never trained on, in layouts that training uses.
    Seen,
    /// Tasks in layouts that training never uses.
    Unseen,
}

/// What the agent is shown before it acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The anchor text that grouping compares: it depends on the current place only.
    pub text: String,
    /// The actions that would be carried out now, in a fixed order; none once the episode is over.
    pub admissible: Vec<String>,
}

/// What one action led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Immediate reward.
    pub reward: f64,
    /// The episode is over: the task is done or the step limit is reached.
    pub done: bool,
    /// The task is done.
    pub won: bool,
    /// The action was admissible; otherwise it changed nothing and cost the step.
    pub admissible: bool,
}

/// One running episode.
pub trait Environment: Send + Sync {
    /// The instruction, in words.
    fn instruction(&self) -> &str;

    /// What the agent sees now.
    fn observe(&self) -> Observation;

    /// Carries out one action, written as one of the admissible ones; any other text changes
    /// nothing and costs the step. After the end nothing is carried out any more: the reward is 0,
    /// `done` stays set, and `won` stays as it was.
    fn step(&mut self, action: &str) -> Outcome;

    /// The shortest way to finish from here, with full knowledge of what is hidden and however few
    /// steps are left; empty once won.
    fn plan(&self) -> Vec<String>;

    /// A copy of the whole state: restore by putting it back in place of the running episode.
    fn snapshot(&self) -> Box<dyn Environment>;
}

/// A scripted player.
pub trait Player: Send {
    /// The action to take now; `None` where it knows none. Call it once a step from the observation
    /// on that it was made for, and carry out what it says.
    fn act(&mut self, now: &Observation) -> Option<String>;
}

/// A family of tasks.
pub trait Suite: Send + Sync {
    /// Its name, as written in rollouts files.
    fn name(&self) -> &str;

    /// Starts the task that `task_seed` names in `split`.
    fn start(&self, split: Split, task_seed: u64) -> Box<dyn Environment>;

    /// The seed of the task at a place of an iteration of training.
    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        Stream::new(seed, Purpose::Tasks, [iteration, place as u64]).word()
    }

    /// The seed of the task at a place of an evaluation.
    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        Stream::new(seed, Purpose::Tasks, [split as u64, place as u64]).word()
    }

    /// A scripted player that takes a running episode to its end, to be imitated; `seed` settles its
    /// choices. Where the suite has one that sees what an agent sees, it is that one, so that an agent
    /// is not taught to guess; elsewhere it follows the plan.
    fn player(&self, episode: &dyn Environment, seed: u64) -> Box<dyn Player>;

    /// Steps after which an unfinished episode ends.
    fn max_steps(&self) -> usize;

    /// Whether several agents act in an episode, and every step says which of them did.
    fn names_agents(&self) -> bool {
        false
    }

    /// Every word that instructions, observations and actions can contain, sorted, for a
    /// word-level tokenizer (words are separated by white space; `.`, `,` and `:` are words).
    fn vocabulary(&self) -> Vec<String>;
}

/// The suite that a configuration names, of those that need no data of the machine's.
///
/// # Errors
/// When the name is unknown or a rule does not make sense.
pub fn suite(config: &EnvironmentConfig) -> Result<Arc<dyn Suite>, ConfigError> {
    match config.name.as_str() {
        "chores" => {
            let rules = chores::Rules {
                max_steps: config.max_steps,
                success_reward: config.success_reward,
            };
            let chores = chores::Chores::new(rules)
                .map_err(|error| ConfigError::new("environment", &error.to_string()))?;
            Ok(Arc::new(chores))
        }
        "alfworld-generated" => {
            let rules = alfworld::Rules {
                max_steps: config.max_steps,
                success_reward: config.success_reward,
            };
            let generator = Generator::new(config.generated.clone()).map_err(|error| {
                let field = format!("environment.generated.{}", error.field);
                ConfigError::new(&field, &error.reason)
            })?;
            Ok(Arc::new(Generated::new(generator, rules)))
        }
        name => {
            let reason = format!("'{name}' is unknown; use chores, alfworld-generated or alfworld");
            Err(ConfigError::new("environment.name", &reason))
        }
    }
}
