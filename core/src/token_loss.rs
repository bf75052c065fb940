//! Loss of a response token: the policy term (ratio, clip and dual clip), the divergence from the reference policy, and the
//! entropy.

use crate::objective::{Divergence, Objective, Ratio};

/// Differences of log-probabilities are bounded by this before the exponential.
const MAX_DIFFERENCE: f64 = 10.0;

/// The policy's term of the loss at one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyTerm {
    /// Its value.
    pub value: f64,
    /// Its derivative by the token's log-probability.
    pub derivative: f64,
    /// The ratio was clipped from below, with effect.
    pub clipped_low: bool,
    /// The ratio was clipped from above, with effect.
    pub clipped_high: bool,
}

/// The policy's term at a token of an advantage.
///
/// # Formula
/// With r = `e^log_ratio` and A the advantage: max(−A r, −A clip(r, 1−ε_low, 1+ε_high)), for A < 0 at most −A c (dual
/// clip c; no bound if it is 0), as in verl's `compute_policy_loss`. Its derivative is −A r if the ratio is not
/// clipped with effect, else 0. That is so for a ratio of a sequence too, s = exp(mean of log r): the terms of its n
/// tokens add up to n s, whose derivative by each log-probability is s.
#[must_use]
pub fn policy_term(log_ratio: f64, advantage: f64, objective: &Objective) -> PolicyTerm {
    let ratio = libm::exp(log_ratio);
    let bounded = ratio.clamp(1.0 - objective.clip_low, 1.0 + objective.clip_high);
    let (free, held) = (-advantage * ratio, -advantage * bounded);
    let is_bounded = advantage < 0.0 && objective.dual_clip > 0.0;
    let bound = if is_bounded { -advantage * objective.dual_clip } else { f64::INFINITY };
    PolicyTerm {
        value: free.max(held).min(bound),
        derivative: if free >= held && free <= bound { free } else { 0.0 },
        clipped_low: advantage < 0.0 && ratio < bounded,
        clipped_high: advantage > 0.0 && ratio > bounded,
    }
}

/// The logarithm of the ratio at every token of a response, of log π − log π_old of each: its own, or the mean of all.
pub fn log_ratios(
    ratio: Ratio,
    own: impl Iterator<Item = f64> + Clone,
) -> impl Iterator<Item = f64> {
    let shared = match ratio {
        Ratio::Token => None,
        Ratio::Sequence => Some(own.clone().sum::<f64>() / own.clone().count().max(1) as f64),
    };
    own.map(move |own| shared.unwrap_or(own))
}

/// The estimate of the KL divergence from the reference policy at a token, and its derivative by log π.
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
        Divergence::None => (0.0, 0.0),
    }
}

/// The derivative of a distribution's entropy H by the logit of one of its tokens, in nats.
///
/// # Formula
/// −π (log π + H): likely tokens (log π > −H) lose, the others gain.
#[must_use]
pub fn entropy_by_logit(log_probability: f64, entropy: f64) -> f64 {
    0.0 - libm::exp(log_probability) * (log_probability + entropy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value} {expected}");
    }

    #[test]
    fn clipped_losses_follow_the_definition() {
        // (ratio, advantage, policy term, its derivative by log π)
        let cases = [
            (1.1, 2.0, -2.2, -2.2), // inside
            (1.5, 2.0, -2.4, 0.0),  // above, A > 0: clipped at 1.2
            (0.5, 2.0, -1.0, -1.0), // below, A > 0: the pessimistic side is unclipped
            (0.5, -2.0, 1.6, 0.0),  // below, A < 0: clipped at 0.8
            (1.5, -2.0, 3.0, 3.0),  // above, A < 0: unclipped
            (5.0, -2.0, 6.0, 0.0),  // far above, A < 0: dual clip at 3
        ];
        let at = |ratio: f64, advantage| policy_term(ratio.ln(), advantage, &Objective::default());
        for (ratio, advantage, value, derivative) in cases {
            close(at(ratio, advantage).value, value);
            close(at(ratio, advantage).derivative, derivative);
        }
        let flags = |ratio, advantage| {
            let found = at(ratio, advantage);
            (found.clipped_low, found.clipped_high)
        };
        assert_eq!(flags(0.5, -2.0), (true, false));
        assert_eq!(flags(1.5, 2.0), (false, true));
        assert_eq!(flags(0.5, 2.0), (false, false));
        // Without a dual clip the loss grows with the ratio.
        let free =
            policy_term(5_f64.ln(), -2.0, &Objective { dual_clip: 0.0, ..Objective::default() });
        close(free.value, 10.0);
        close(free.derivative, 10.0);
    }

    #[test]
    fn the_ratio_of_a_sequence_is_the_geometric_mean_of_its_tokens() {
        // Log-ratios 0.02 and −0.01: e^0.005 = 1.00501…, above 1 + 0.0004.
        let own = [0.02, -0.01];
        let [each, all] = [Ratio::Token, Ratio::Sequence]
            .map(|it| log_ratios(it, own.into_iter()).collect::<Vec<_>>());
        for (found, expected) in each.iter().chain(&all).zip([0.02, -0.01, 0.005, 0.005]) {
            close(*found, expected);
        }
        let gspo =
            Objective { clip_low: 3e-4, clip_high: 4e-4, dual_clip: 0.0, ..Objective::default() };
        let (gains, loses) = (policy_term(all[0], 1.0, &gspo), policy_term(all[0], -1.0, &gspo));
        close(gains.value, -1.0004);
        assert!(gains.clipped_high && gains.derivative == 0.0 && !loses.clipped_high);
        close(loses.value, 0.005_f64.exp());
        assert_eq!(log_ratios(Ratio::Sequence, [].into_iter()).count(), 0);
    }

    fn both_close(found: (f64, f64), expected: (f64, f64)) {
        close(found.0, expected.0);
        close(found.1, expected.1);
    }

    #[test]
    fn estimates_follow_their_definitions() {
        // log π = ln 2, reference 0: d = −ln 2, e^d = 1/2.
        let (two, at) = (2_f64.ln(), |it| divergence(it, 2_f64.ln(), 0.0));
        both_close(at(Divergence::K1), (two, 1.0));
        both_close(at(Divergence::K2), (two * two / 2.0, two));
        both_close(at(Divergence::K3), (0.5 + two - 1.0, 0.5));
        both_close(at(Divergence::None), (0.0, 0.0));
        // Beyond the clamp nothing changes any more.
        both_close(divergence(Divergence::K3, -20.0, -1.0), (10_f64.exp() - 11.0, 0.0));
        // If policy and reference agree there is none.
        for it in [Divergence::K2, Divergence::K3] {
            both_close(divergence(it, -0.7, -0.7), (0.0, 0.0));
        }
    }

    #[test]
    fn entropies_change_with_a_logit_as_their_derivative_says() {
        // The logarithms of a softmax, and its entropy.
        let softmax = |logits: [f64; 3]| {
            let sum: f64 = logits.iter().map(|it| it.exp()).sum();
            let logs = logits.map(|it| it - sum.ln());
            (logs, -logs.iter().map(|it| it.exp() * it).sum::<f64>())
        };
        let logits = [1.5, 0.25, -2.0];
        let (logs, entropy) = softmax(logits);
        for (at, log) in logs.into_iter().enumerate() {
            let [above, below] = [1e-6, -1e-6].map(|step| {
                let mut moved = logits;
                moved[at] += step;
                softmax(moved).1
            });
            let found = entropy_by_logit(log, entropy);
            assert!((found - (above - below) / 2e-6).abs() < 1e-8, "{at}: {found}");
        }
        close(entropy_by_logit(0.5_f64.ln(), 2_f64.ln()), 0.0);
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
