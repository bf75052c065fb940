//! Prompt length: how long the prompts of an environment are.

use hgpo_env::Suite;
use hgpo_env::random::{Purpose, Stream};

use crate::TrainerError;
use crate::config::Config;
use crate::rollout::demonstrations::play;
use crate::rollout::prompt_format::PromptFormat;

/// Episodes that are looked at.
const EPISODES: u64 = 16;

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
    for episode in 0..EPISODES {
        // Apart from those of the warm start, whose second number is 0.
        let mut stream = Stream::new(config.seed, Purpose::WarmStartPlay, [episode, 1]);
        let steps = play(suite, format, &config.warm_start, &mut stream)?;
        longest = steps.iter().map(|(prompt, _)| prompt.len()).fold(longest, usize::max);
    }
    Ok(longest)
}
