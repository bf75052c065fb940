//! Divergence from the reference policy: an estimate of the KL divergence at a token.

use hgpo_core::{Divergence, Objective};

use super::clipped::Sample;
use crate::policy::TokenScore;
use crate::rollout::episode::Episode;
use crate::update::repeats::DistinctPassages;

/// Differences of log-probabilities are bounded by this before the exponential.
const MAX_DIFFERENCE: f64 = 10.0;

/// The estimate at a token, and its derivative by log π.
///
/// # Formula
/// With d = log π_ref − log π: k1 is −d, with derivative 1; k2 is d²/2, with −d; k3 is `e^d` − d − 1 with d clamped to
/// ±10 (verl's `low_var_kl`), with 1 − `e^d` inside the clamp, else 0. (<http://joschu.net/blog/kl-approx.html>; the mean
/// derivative of k1 over what the policy draws is 0: as a loss it is noise, in rewards it is the divergence itself.)
#[must_use]
pub fn divergence(estimate: Divergence, log_probability: f64, reference: f64) -> (f64, f64) {
    let difference = reference - log_probability;
    match estimate {
        Divergence::K1 => (-difference, 1.0),
        Divergence::K2 => (difference * difference / 2.0, -difference),
        Divergence::K3 => {
            let clamped = difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE);
            let growth = libm::exp(clamped);
            let is_inside = difference.abs() <= MAX_DIFFERENCE;
            (growth - clamped - 1.0, if is_inside { 1.0 - growth } else { 0.0 })
        }
        _ => (0.0, 0.0),
    }
}

/// Subtracts from every step's reward what its response diverges from the reference; gives the sums over
/// response tokens, the tokens and their divergence.
///
/// # Formula
/// r ← r − β Σ divergence over the response's tokens, by their log-probabilities as they were drawn (verl's
/// `apply_kl_penalty`).
pub(crate) fn subtract_from_rewards(
    episodes: &mut [Episode],
    passages: &DistinctPassages<'_>,
    reference: &[Vec<TokenScore>],
    objective: &Objective,
) -> DivergenceInReward {
    let mut found =
        DivergenceInReward { episodes: episodes.len(), ..DivergenceInReward::default() };
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
    found.subtracted = objective.kl_coefficient * found.sum;
    found
}

/// What was subtracted from the rewards of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DivergenceInReward {
    episodes: usize,
    tokens: usize,
    sum: f64,
    subtracted: f64,
}

impl DivergenceInReward {
    /// Mean over response tokens.
    pub(crate) fn per_token(&self) -> f64 {
        self.sum / self.tokens.max(1) as f64
    }

    /// What an episode's rewards were lowered by, on average.
    pub(crate) fn subtracted_per_episode(&self) -> f64 {
        self.subtracted / self.episodes.max(1) as f64
    }
}

/// The steps of episodes as samples, without advantages.
pub(crate) fn samples_of(episodes: &[Episode]) -> Vec<Sample> {
    let turns = episodes.iter().flat_map(|it| &it.turns);
    turns.map(|turn| Sample::new(turn.clone(), 0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: (f64, f64), expected: (f64, f64)) {
        let far = |a: f64, b: f64| (a - b).abs() > 1e-9;
        assert!(!far(found.0, expected.0) && !far(found.1, expected.1), "{found:?} {expected:?}");
    }

    #[test]
    fn estimates_follow_their_definitions() {
        // log π = ln 2, reference 0: d = −ln 2, e^d = 1/2.
        let (two, at) = (2_f64.ln(), |it| divergence(it, 2_f64.ln(), 0.0));
        close(at(Divergence::K1), (two, 1.0));
        close(at(Divergence::K2), (two * two / 2.0, two));
        close(at(Divergence::K3), (0.5 + two - 1.0, 0.5));
        close(at(Divergence::None), (0.0, 0.0));
        // Beyond the clamp nothing changes any more.
        close(divergence(Divergence::K3, -20.0, -1.0), (10_f64.exp() - 11.0, 0.0));
        // Where policy and reference agree there is none.
        for it in [Divergence::K2, Divergence::K3] {
            close(divergence(it, -0.7, -0.7), (0.0, 0.0));
        }
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        for estimate in [Divergence::K1, Divergence::K2, Divergence::K3] {
            for reference in [-4.0, -1.1, -0.3] {
                let step = 1e-6;
                let [above, below] =
                    [step, -step].map(|it| divergence(estimate, -1.0 + it, reference).0);
                let derivative = divergence(estimate, -1.0, reference).1;
                assert!((derivative - (above - below) / (2.0 * step)).abs() < 1e-6, "{estimate}");
            }
        }
    }
}
