//! Rollout memory: what a run holds beside tensors, which is what was played, and how long its prompts are.
//!
//! How long an episode is shows only when it is played: what its first step takes is certain, what
//! `environment.max_steps` take is possible.

use hgpo_env::Suite;
use hgpo_env::random::{Purpose, Stream};

use crate::TrainerError;
use crate::config::Config;
use crate::objective::clipped::Sample;
use crate::policy::Passage;
use crate::policy::sampling::SampledToken;
use crate::rollout::demonstrations::{Demonstration, play};
use crate::rollout::episode::{Episode, Turn};
use crate::rollout::prompt_format::{PromptFormat, RememberedStep};

/// What to make smaller for fewer episodes.
pub(super) const SETTINGS: &str =
    "rollout.tasks, rollout.group_size, warm_start.episodes or evaluation.tasks";
/// Bytes that are assumed of the texts of a step: its observation, which the record and the memory have
/// each, the action, the answer, and what the environment says of the past.
const TEXTS: u128 = 1024;
/// Bytes that are assumed of an episode's environment and names.
const ENVIRONMENT: u128 = 2048;

/// Episodes of an iteration.
pub(super) fn episodes(config: &Config) -> u128 {
    config.rollout.tasks as u128 * config.rollout.group_size as u128
}

/// Steps of an iteration, at most.
pub(super) fn steps(config: &Config) -> u128 {
    episodes(config) * config.environment.max_steps as u128
}

/// Bytes of this many episodes of this many steps that are held with all that was read and written, prompts of
/// this many tokens.
pub(super) fn episodes_bytes(config: &Config, prompt: u128, episodes: u128, steps: u128) -> u64 {
    let response = config.rollout.max_response_tokens as u128;
    let structures = size_of::<hgpo_core::Step>()
        + size_of::<Turn>()
        + size_of::<RememberedStep>()
        + size_of::<Sample>()
        + size_of::<Passage<'_>>();
    // Tokens with their probabilities, as they were drawn and as they are learned from.
    let choice = size_of::<SampledToken>() + size_of::<u32>() + size_of::<f64>();
    let token = size_of::<u32>() as u128;
    let step = structures as u128 + TEXTS + prompt * token + response * choice as u128;
    let episode = size_of::<Episode>() as u128 + ENVIRONMENT;
    saturating_bytes(episodes * (episode + steps * step))
}

/// Bytes of the episodes of an iteration, of an evaluation or of the warm start, whichever take most, if they
/// have this many steps each.
pub(super) fn rollouts(config: &Config, prompt: u128, steps: u128) -> u64 {
    let response = config.rollout.max_response_tokens as u128;
    let step = (size_of::<Demonstration>() + size_of::<Passage<'_>>()) as u128
        + (prompt + response) * size_of::<u32>() as u128;
    let warm_start = &config.warm_start;
    let demonstrated = warm_start.episodes as u128 * steps * step;
    episodes_bytes(config, prompt, episodes(config), steps)
        .max(episodes_bytes(config, prompt, config.evaluation.tasks as u128, steps))
        .max(saturating_bytes(demonstrated))
}

/// A number of bytes, or as many as can be told.
pub(super) fn saturating_bytes(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// Episodes that are looked at.
const LOOKED_AT: u64 = 16;

/// Tokens of the longest prompt in sixteen episodes that are played as a warm start plays them; of one
/// that has not been looked at, nothing is known.
///
/// # Errors
/// When a task cannot be started or has no scripted player, or a prompt cannot be made.
pub fn longest_prompt(
    suite: &dyn Suite,
    format: &dyn PromptFormat,
    config: &Config,
) -> Result<usize, TrainerError> {
    let mut longest = 0;
    for episode in 0..LOOKED_AT {
        // Apart from those of the warm start, whose second number is 0.
        let mut stream = Stream::new(config.seed, Purpose::WarmStartPlay, [episode, 1]);
        let steps = play(suite, format, &config.warm_start, &mut stream)?;
        longest = steps.iter().map(|(prompt, _)| prompt.len()).fold(longest, usize::max);
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::PolicySize;

    #[test]
    fn rollout_memory_grows_with_episodes_and_steps() {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        let most = config.environment.max_steps as u128;
        let rollouts = |config: &Config| rollouts(config, 100, most);
        let usual = rollouts(&config);
        // 128 episodes of 16 steps, each of about two kilobytes.
        assert!((2 << 20..16 << 20).contains(&usual), "{usual}");
        config.rollout.group_size *= 1000;
        assert_eq!(rollouts(&config), 1000 * usual);
        config.rollout.group_size = 1;
        config.rollout.tasks = 1;
        // Then the evaluation: as many episodes as an iteration had.
        assert_eq!(rollouts(&config), usual);
        config.evaluation.tasks = 1;
        config.warm_start.episodes = 1_000_000;
        // 16 million prompts of 100 words: at least 400 bytes each.
        assert!(rollouts(&config) > 16_000_000 * 400);
    }

    #[test]
    fn only_the_first_step_of_an_episode_is_certain() {
        let mut config = Config::default();
        let memory = |config: &Config| PolicySize::table().memory(config);
        let certain = memory(&config).rollouts;
        config.environment.max_steps *= 1000;
        assert!(memory(&config).longest_rollouts > 1000 * certain);
        assert_eq!(memory(&config).rollouts, certain);
        config.environment.max_steps = 1;
        assert_eq!(memory(&config).longest_rollouts, certain);
    }
}
