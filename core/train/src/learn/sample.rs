//! What an iteration is learned from.

use crate::rollout::episode::Turn;

/// One step of an episode, as the optimiser sees it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Tokens written.
    pub response: Vec<u32>,
    /// Log-probability of each token when it was drawn.
    pub old: Vec<f64>,
    /// Advantage of the step, the same for all its tokens.
    pub advantage: f64,
}

impl Sample {
    /// A step that was played, with its advantage.
    #[must_use]
    pub fn new(turn: Turn, advantage: f64) -> Self {
        Self {
            prompt: turn.prompt,
            response: turn.response.iter().map(|choice| choice.token).collect(),
            old: turn.response.iter().map(|choice| choice.log_probability).collect(),
            advantage,
        }
    }
}
