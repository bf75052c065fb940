//! The rollouts of an iteration as a file.

use hgpo_core::Trajectory;
use hgpo_core::format::{Provenance, write_jsonl, write_provenance};

use super::LearnError;
use crate::config::Config;

/// JSON Lines, of which the first says how the others were made.
///
/// # Errors
/// When a setting does not make sense, or a number is none.
pub fn trace(
    config: &Config,
    iteration: u64,
    trajectories: &[Trajectory],
) -> Result<Vec<u8>, LearnError> {
    let made = Provenance {
        environment: Some(config.environment.name.clone()),
        seed: Some(config.seed),
        iteration: Some(iteration),
        options: Some(config.options()?),
    };
    let mut text = Vec::new();
    write_provenance(&mut text, &made)?;
    write_jsonl(&mut text, trajectories)?;
    Ok(text)
}
