//! `countdown-team`: a target has to be made of three or four numbers, by a solver and a checker.
//!
//! The solver proposes an expression that uses every number once, with `+ - * /`. The checker sees the
//! proposal and says `approve`, which ends the episode, or `reject`, after which the solver begins
//! again. The last of three proposals is final: the checker is left out. The task is done if the approved or final proposal
//! is worth the target; the reward is shared. So the solver acts more often than the checker, and the checker
//! acts more often in episodes that go badly.
//!
//! | agent | acts | sees |
//! |---|---|---|
//! | `solver` | `4 + 3 = 7` (an operation, listed), or `(4 + 3) * 7` (free) | the numbers that are left, the proposals that were rejected |
//! | `checker` | `approve`, `reject` | the proposal |
//!
//! Both know the task. With `agents = "one"`, one agent does both and sees the same.
//!
//! # Actions
//! With `actions = "listed"` two of the numbers left become one by every action, until one is left: results are
//! whole numbers from 1 to 99, and what an operation makes is part of its text, so that small policies need not
//! calculate. With `actions = "free"` the solver writes an expression; fractions are allowed on the way, and
//! the checker has to calculate. An expression that cannot be read, or that does not use every
//! number once, costs the step.
//!
//! # Splits
//! One set of numbers in eight is kept for unseen tasks, and one target in eight of the others for seen tasks.

mod entry;
mod environment;
mod expression;
mod operation;
mod scripted_player;
mod settings;
mod task;

pub(crate) use entry::ENTRY;
pub use scripted_player::ScriptedTeam;
pub use settings::CountdownSettings;

use std::collections::BTreeSet;

use crate::environment::drawn_task;
use crate::registry::Table as _;
use crate::team::Agents;
use crate::{EnvError, Environment, EpisodeSettings, Player, SettingError, Split, Suite};
use environment::CountdownEnvironment;
use task::Task;

/// The solver, then the checker.
const AGENTS: [&str; 2] = ["solver", "checker"];

/// The suite of targets and numbers.
///
/// ```
/// use hgpo_env::countdown::{Countdown, CountdownSettings};
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{EpisodeSettings, Split, Suite};
///
/// let countdown = Countdown::new(CountdownSettings::default(), EpisodeSettings::default())?;
/// let mut episode = countdown.start(Split::Train, 7)?;
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// let plan = episode.plan().unwrap_or_default();
/// // Two operations of three numbers, and the verdict.
/// assert_eq!((plan.len(), plan[2].as_str()), (3, "approve"));
/// let rewards: Vec<f64> = plan.iter().map(|action| episode.step(action, &mut chance).reward).collect();
/// assert_eq!(rewards, [0.0, 0.0, 10.0]);
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Countdown {
    settings: CountdownSettings,
    episode: EpisodeSettings,
}

impl Countdown {
    /// Its name in settings.
    pub const NAME: &str = "countdown-team";

    /// The suite under `settings`.
    ///
    /// # Errors
    /// Names the first setting that does not make sense.
    pub fn new(settings: CountdownSettings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        settings.check().map_err(|error: SettingError| error.below(CountdownSettings::NAME))?;
        Ok(Self { settings, episode })
    }
}

impl Suite for Countdown {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let task = Task::draw(&self.settings, split, task_seed);
        Ok(Box::new(CountdownEnvironment::new(task, &self.settings, self.episode)))
    }

    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        let drawn = drawn_task(seed, iteration, place);
        drawn.checked_rem(self.settings.training_tasks).unwrap_or(drawn)
    }

    fn player(&self, episode: &dyn Environment, seed: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedTeam::new(episode.instruction(), seed)))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        const WORDS: &str =
            "( ) * + , - . / : = approve from make numbers proposed reject rejected";
        let numbers = (1..=operation::LARGEST_RESULT).map(|number| number.to_string());
        let words = WORDS.split(' ').map(str::to_owned).chain(numbers);
        Ok(Some(words.collect::<BTreeSet<_>>().into_iter().collect()))
    }

    fn agents(&self) -> Vec<&str> {
        match self.settings.agents {
            // Nobody checks a proposal that is final.
            Agents::Team if self.settings.attempts == 1 => AGENTS[..1].to_vec(),
            Agents::Team => AGENTS.to_vec(),
            Agents::One => Vec::new(),
        }
    }
}
