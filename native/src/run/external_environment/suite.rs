//! Suite whose tasks are the reset seeds of an environment of one's own.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{EnvError, Environment, Split, Suite};

use super::pool::{Patience, Pool, Ticket};
use super::record::{ExternalInput, ExternalOptions};
use super::session::{Session, send_reset};
use super::{ENTRY, NAME};
use crate::run::Interrupt;
use crate::run::machine::lock;
use crate::terminal::show_on_stderr;

/// Seeds of a split. Those of all splits are below 2³¹, which every generator of random numbers takes.
const SEEDS: u64 = 1 << 29;
/// Steps of the episode that is played twice.
const STEPS_PLAYED_TWICE: usize = 16;

/// The tasks of an environment.
struct ExternalSuite {
    pool: Arc<Pool>,
    max_steps: usize,
    /// Resets that were sent ahead, by their tasks.
    announced: Mutex<BTreeMap<(&'static str, u64), VecDeque<Ticket>>>,
}

/// Starts the processes of an environment, and plays one episode twice. `recorded` is what the run began with.
///
/// # Errors
/// It may not be played, or what plays it does not.
pub(crate) fn open(
    options: &ExternalOptions,
    recorded: Option<&ExternalInput>,
    max_steps: usize,
    interrupt: Interrupt,
) -> anyhow::Result<(Arc<dyn Suite>, ExternalInput)> {
    let (connector, record) = options.authorise(recorded)?;
    let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let processes = options.processes.map_or_else(all, NonZero::get);
    let processes = processes.min(connector.most_channels());
    let patience = Patience { answer_time: options.answer_time, interrupt };
    let refused = |problem| EnvError::new(NAME, format!("{}: {problem}", record.name));
    let pool = Pool::start(connector, processes, patience).map_err(refused)?;
    let suite = ExternalSuite { pool: Arc::new(pool), max_steps, announced: Mutex::default() };
    let repeats = suite.repeats_itself().map_err(refused)?;
    let plural = if processes == 1 { "" } else { "es" };
    show_on_stderr(&format!(
        "environment: {processes} process{plural} of {}; one seed played twice gave {}",
        record.name,
        if repeats { "the same" } else { NOT_THE_SAME }
    ));
    Ok((Arc::new(suite), record))
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

impl ExternalSuite {
    fn session(&self, split: Split, task_seed: u64) -> Result<Session, String> {
        let seed = reset_seed(split, task_seed);
        let sent = match lock(&self.announced).get_mut(&(split.name(), seed)) {
            Some(tickets) => tickets.pop_front(),
            None => None,
        };
        Session::start(&self.pool, (split, seed), self.max_steps, sent)
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

impl Suite for ExternalSuite {
    fn name(&self) -> &str {
        ENTRY.name
    }

    fn announce(&self, split: Split, task_seed: u64) {
        let seed = reset_seed(split, task_seed);
        let ticket = send_reset(&self.pool, split, seed);
        lock(&self.announced).entry((split.name(), seed)).or_default().push_back(ticket);
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
        self.pool.hello.agents.iter().map(String::as_str).collect()
    }

    fn gives_agent_rewards(&self) -> bool {
        self.pool.hello.agent_rewards
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
