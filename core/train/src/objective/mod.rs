//! Objective: a loss with its derivatives, a response token at a time, on the host, in f64.
//!
//! A [`Loss`] gives for each token its value and its derivatives by the two numbers that a policy says of
//! a token: the log-probability and the entropy. By the chain rule that is all that any policy needs for
//! its gradient: that of Σ (∂L/∂log π · log π + ∂L/∂H · H), with the derivatives held fixed. A loss sees a
//! whole response at once, so that one with a ratio of sequences is one too.

pub mod clipped;

pub use hgpo_core::token_loss;

use crate::policy::{LossGradient, TokenScore};

/// What an update makes smaller: a sum over the response tokens of passages.
pub trait Loss: Sync {
    /// What is reported of the tokens.
    type Report: Default + Send;

    /// The derivatives at each token of a passage's response, of which `passage` is the number among those
    /// that are learned from; adds what is to be reported.
    fn loss_gradients(
        &self,
        passage: usize,
        scores: &[TokenScore],
        report: &mut Self::Report,
    ) -> Vec<LossGradient>;
}

/// The negative log-likelihood of responses that are imitated; reports its sum.
#[derive(Clone, Copy, Debug)]
pub struct Imitation;

impl Loss for Imitation {
    type Report = f64;

    fn loss_gradients(
        &self,
        _passage: usize,
        scores: &[TokenScore],
        report: &mut f64,
    ) -> Vec<LossGradient> {
        *report -= scores.iter().map(|score| score.log_probability).sum::<f64>();
        vec![LossGradient { log_probability: -1.0, entropy: 0.0 }; scores.len()]
    }
}
