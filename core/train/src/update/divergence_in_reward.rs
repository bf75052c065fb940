//! Divergence in the reward: what a step's response diverges from the reference policy is subtracted from its reward.

use hgpo_core::Objective;

use super::micro_batches::MicroBatches;
use super::repeats::DistinctPassages;
use crate::Host;
use crate::config::Config;
use crate::objective::clipped::Sample;
use crate::objective::token_loss::divergence;
use crate::policy::{Policy, PolicyError, TokenScore};
use crate::rollout::episode::Episode;

/// The divergence whose multiple was subtracted from the rewards of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DivergenceInReward {
    /// Response tokens.
    tokens: usize,
    /// Their divergence.
    pub(crate) sum: f64,
}

impl DivergenceInReward {
    /// Mean over response tokens.
    pub(crate) fn per_token(&self) -> f64 {
        self.sum / self.tokens.max(1) as f64
    }
}

/// Subtracts the divergence from the reference policy from the rewards of episodes, if they are to hold it, and says
/// what was subtracted.
pub(crate) fn divergence_in_reward<P: Policy>(
    reference: &P,
    episodes: &mut [Episode],
    config: &Config,
    host: &dyn Host,
) -> Result<DivergenceInReward, PolicyError> {
    let (learn, temperature) = (&config.learn, config.rollout.temperature);
    if !learn.objective.has_divergence_in_reward() {
        return Ok(DivergenceInReward::default());
    }
    // The steps of episodes, without advantages.
    let turns = episodes.iter().flat_map(|it| &it.turns);
    let samples: Vec<Sample> = turns.map(|turn| Sample::new(turn.clone(), 0.0)).collect();
    let distinct = DistinctPassages::new(&samples);
    let scores = MicroBatches::new(learn, reference).score(
        reference,
        &distinct.passages,
        temperature,
        host,
    )?;
    Ok(subtract_from_rewards(episodes, &distinct, &scores, &learn.objective))
}

/// Subtracts from every step's reward what its response diverges from the reference; gives the sums over
/// response tokens, the tokens and their divergence.
///
/// # Formula
/// r ← r − β Σ divergence over the response's tokens, by their log-probabilities as they were drawn (verl's
/// `apply_kl_penalty`).
fn subtract_from_rewards(
    episodes: &mut [Episode],
    passages: &DistinctPassages<'_>,
    reference: &[Vec<TokenScore>],
    objective: &Objective,
) -> DivergenceInReward {
    let mut found = DivergenceInReward::default();
    let mut of_samples = vec![0.0; passages.samples.len()];
    for (set, scores) in passages.sets.iter().zip(reference) {
        for &index in set {
            let old = &passages.samples[index].old;
            let tokens = old.iter().zip(scores);
            let of = |(&old, score): (&f64, &TokenScore)| {
                divergence(objective.divergence, old, score.log_probability).0
            };
            of_samples[index] = tokens.map(of).sum::<f64>();
            found.tokens += old.len();
            found.sum += of_samples[index];
        }
    }
    let steps = episodes.iter_mut().flat_map(|it| &mut it.trajectory.steps);
    for (step, divergence) in steps.zip(of_samples) {
        step.reward -= objective.kl_coefficient * divergence;
    }
    found
}
