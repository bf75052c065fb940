//! Suite of `chores`: the household tasks of one agent.

use super::environment::ChoresEnvironment;
use super::layout::{self, Layout};
use super::scripted_player::ScriptedHouseholder;
use super::task::Task;
use super::text;
use crate::{EnvError, Environment, EpisodeSettings, Player, Split, Suite};

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
