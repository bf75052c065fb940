//! `chores`: a small household in which one thing has to be found and dealt with.
//!
//! The agent comes in through the hall; from there, and from every room, each other room is one
//! step away. Things stand in the rooms or lie hidden in closed containers; a sink cleans, a stove
//! heats, a lamp can be lit. The agent carries one thing at a time and sees the place it stands in,
//! and of the others only whether they are dark: the light of a room goes on when it is first
//! entered.
//!
//! | kind | instruction |
//! |---|---|
//! | fetch | put a key in the study |
//! | clean, then place | put a clean towel in the bedroom |
//! | heat, then place | put a hot pie in the lounge |
//! | two of a kind | put two books in the garage |
//! | look in light | look at a mug by the lamp (hold it where the lamp is lit) |
//!
//! What is carried, and whether it is clean or hot, is not part of the observation: the same text
//! occurs under different histories with different values. Since no way is longer than one step, the
//! last two steps tell how a thing was left when it arrives, so that an agent with a memory of K = 2
//! can do every task.
//!
//! # Actions
//! `go to R` (any other room), `open C`, `turn on lamp`, `clean X` and `heat X` (what is
//! carried, at the sink and at the stove), `take X` (with empty hands), `put X` (down here).
//! An admissible action changes the state, with one exception: `clean X` and `heat X` stay listed
//! for what is clean or hot already, since their absence would give that away.
//!
//! # Context
//! What the agent knows of the past: the rooms it has seen, what it holds, and what it has made clean
//! or hot, in a fixed order whatever the order of events. It tells apart states that look alike.
//!
//! # Splits
//! Trained tasks and seen tasks share 64 layouts; a fixed quarter of the pairs (thing, goal room)
//! of each layout is kept for seen tasks, so the two never coincide. Unseen tasks use 32 further
//! layouts, whose combinations of rooms occur in no trained layout.

mod entry;
mod environment;
pub mod guide;
mod house;
mod layout;
mod scripted_player;
mod shortest_plan;
mod task;
mod text;

use crate::{EnvError, Environment, EpisodeSettings, Player, Split, Suite};
use environment::ChoresEnvironment;
use layout::Layout;
use task::Task;

pub(crate) use entry::ENTRY;
pub use scripted_player::ScriptedHouseholder;

/// Why settings are refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum EpisodeSettingsError {
    /// An episode without steps.
    #[error("max_steps is 0; an episode needs at least 1 step")]
    NoSteps,
    /// A success that is not told from a failure.
    #[error("success_reward is {0}; it must be finite and above 0")]
    SuccessReward(f64),
}

/// The suite of household tasks.
///
/// ```
/// use hgpo_env::EpisodeSettings;
/// use hgpo_env::chores::Chores;
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{Split, Suite};
///
/// let chores = Chores::new(EpisodeSettings::default())?;
/// let mut episode = chores.start(Split::Train, 7)?;
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// let plan = episode.plan().unwrap_or_default();
/// let outcomes: Vec<_> = plan.iter().map(|action| episode.step(action, &mut chance)).collect();
/// assert_eq!(outcomes.iter().map(|outcome| outcome.reward).sum::<f64>(), 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chores {
    settings: EpisodeSettings,
    layouts: Vec<Layout>,
}

impl Chores {
    /// The suite under `settings`.
    ///
    /// # Errors
    /// If an episode would have no step, or a success no finite positive reward.
    pub fn new(settings: EpisodeSettings) -> Result<Self, EpisodeSettingsError> {
        if settings.max_steps == 0 {
            return Err(EpisodeSettingsError::NoSteps);
        }
        if !(settings.success_reward.is_finite() && settings.success_reward > 0.0) {
            return Err(EpisodeSettingsError::SuccessReward(settings.success_reward));
        }
        Ok(Self { settings, layouts: layout::layouts() })
    }
}

impl Suite for Chores {
    fn name(&self) -> &'static str {
        "chores"
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let task = Task::draw(&self.layouts, split, task_seed);
        Ok(Box::new(ChoresEnvironment::new(task, self.settings)))
    }

    /// The instruction, and what every room looks like before and after its container is opened.
    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        Ok(text::whole_house(&Task::draw(&self.layouts, split, task_seed)))
    }

    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        Some(Task::draw(&self.layouts, split, task_seed).kind.name())
    }

    fn player(&self, episode: &dyn Environment, seed: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedHouseholder::new(episode.instruction(), seed)))
    }

    fn max_steps(&self) -> usize {
        self.settings.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(text::vocabulary()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked_and_unknown_fields_refused() {
        let steps = |max_steps| EpisodeSettings { max_steps, ..EpisodeSettings::default() };
        assert!(matches!(Chores::new(steps(0)), Err(EpisodeSettingsError::NoSteps)));
        for success_reward in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let settings = EpisodeSettings { success_reward, ..EpisodeSettings::default() };
            assert!(matches!(Chores::new(settings), Err(EpisodeSettingsError::SuccessReward(_))));
        }
        assert_eq!(toml::from_str("max_steps = 9"), Ok(steps(9)));
        assert!(toml::from_str::<EpisodeSettings>("steps = 9").is_err());
    }
}
