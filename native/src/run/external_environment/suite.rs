//! Suite whose tasks are the reset seeds of an environment of one's own.

use std::num::NonZero;
use std::sync::Arc;

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{EnvError, Environment, Split, Suite};

use super::command::{CommandInput, CommandOptions, words};
use super::pool::Pool;
use super::session::Session;
use super::{ENTRY, NAME};
use crate::terminal::show_on_stderr;

/// Seeds of a split. Those of all splits are below 2³¹, which every generator of random numbers takes.
const SEEDS: u64 = 1 << 29;
/// Steps of the episode that is played twice.
const STEPS_PLAYED_TWICE: usize = 16;

/// The tasks of an environment.
struct CommandSuite {
    pool: Arc<Pool>,
    agents: Arc<[String]>,
    max_steps: usize,
}

/// Starts the processes of an environment, and plays one episode twice. `recorded` is the command that the run began with.
///
/// # Errors
/// The command may not run, or what it starts does not play.
pub(crate) fn open(
    options: &CommandOptions,
    recorded: Option<&CommandInput>,
    max_steps: usize,
) -> anyhow::Result<(Arc<dyn Suite>, CommandInput)> {
    let command = options.authorise(recorded)?;
    let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let processes = options.processes.map_or_else(all, NonZero::get);
    let started = Pool::start(words(&command.line)?, processes, options.answer_time);
    let (pool, hello) = started.map_err(|problem| EnvError::new(NAME, problem))?;
    let suite = CommandSuite { pool: Arc::new(pool), agents: hello.agents.into(), max_steps };
    let repeats = suite.repeats_itself().map_err(|problem| EnvError::new(NAME, problem))?;
    let (processes, plural) = (suite.pool.processes(), if processes == 1 { "" } else { "es" });
    show_on_stderr(&format!(
        "environment: {processes} process{plural} of {}; one seed played twice gave {}",
        command.line,
        if repeats { "the same" } else { NOT_THE_SAME }
    ));
    Ok((Arc::new(suite), command))
}

const NOT_THE_SAME: &str = "two different episodes: the environment does not draw its chance from the seed, so that this \
     run cannot be repeated, and a process that is lost ends it";

/// The reset seed of a task. Splits have different ones.
fn reset_seed(split: Split, task_seed: u64) -> u64 {
    let range = match split {
        Split::Train => 0,
        Split::Seen => 1,
        Split::Unseen => 2,
    };
    range * SEEDS + task_seed % SEEDS
}

impl CommandSuite {
    fn session(&self, split: Split, task_seed: u64) -> Result<Session, String> {
        let task = (split, reset_seed(split, task_seed));
        Session::start(&self.pool, &self.agents, task, self.max_steps)
    }

    /// Whether two episodes of a seed with the same actions are the same; of free text only their beginnings are
    /// compared. Two processes play them, if there are two.
    fn repeats_itself(&self) -> Result<bool, String> {
        let play = || {
            let mut session = self.session(Split::Train, 0)?;
            let mut chance = Stream::new(0, Purpose::Sampling, [0, 0]);
            for step in 0..STEPS_PLAYED_TWICE {
                let now = session.observe();
                let listed = now.actions.listed();
                let Some(action) = listed.get(step % listed.len().max(1)) else { break };
                session.step(action, &mut chance);
                if let Some(failure) = session.failure() {
                    return Err(failure.to_owned());
                }
            }
            Ok(session.digest())
        };
        Ok(play()? == play()?)
    }
}

impl Suite for CommandSuite {
    fn name(&self) -> &str {
        ENTRY.name
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let session =
            self.session(split, task_seed).map_err(|reason| EnvError::new(NAME, reason))?;
        Ok(Box::new(session))
    }

    fn max_steps(&self) -> usize {
        self.max_steps
    }

    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        let drawn = Stream::new(seed, Purpose::Tasks, [iteration, place as u64]).word();
        reset_seed(Split::Train, drawn)
    }

    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        let drawn = Stream::new(seed, Purpose::Tasks, [split as u64, place as u64]).word();
        reset_seed(split, drawn)
    }

    fn agents(&self) -> Vec<&str> {
        self.agents.iter().map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_have_different_seeds_that_stay_the_same() {
        for (split, first) in [(Split::Train, 0), (Split::Seen, SEEDS), (Split::Unseen, 2 * SEEDS)]
        {
            for word in [0, 1, SEEDS - 1, SEEDS, u64::MAX] {
                let seed = reset_seed(split, word);
                assert!((first..first + SEEDS).contains(&seed));
                assert_eq!(reset_seed(split, seed), seed);
            }
        }
    }
}
