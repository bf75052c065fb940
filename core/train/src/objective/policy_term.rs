//! Policy term: ratio, clip and dual clip of a response token.

use hgpo_core::{Objective, Ratio};

use crate::policy::TokenScore;

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

/// The logarithm of the ratio at every token of a response: its own, or the mean of all.
pub fn log_ratios<'a>(
    ratio: Ratio,
    scores: &'a [TokenScore],
    old: &'a [f64],
) -> impl Iterator<Item = f64> + 'a {
    let own = scores.iter().zip(old).map(|(score, old)| score.log_probability - old);
    let shared = match ratio {
        Ratio::Token => None,
        Ratio::Sequence => Some(own.clone().sum::<f64>() / scores.len().max(1) as f64),
    };
    own.map(move |own| shared.unwrap_or(own))
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
        let scores =
            [-1.0, -2.0].map(|log_probability| TokenScore { log_probability, entropy: 0.0 });
        let old = [-1.02, -1.99];
        let [each, all] = [Ratio::Token, Ratio::Sequence]
            .map(|it| log_ratios(it, &scores, &old).collect::<Vec<_>>());
        for (found, expected) in each.iter().chain(&all).zip([0.02, -0.01, 0.005, 0.005]) {
            close(*found, expected);
        }
        let gspo =
            Objective { clip_low: 3e-4, clip_high: 4e-4, dual_clip: 0.0, ..Objective::default() };
        let (gains, loses) = (policy_term(all[0], 1.0, &gspo), policy_term(all[0], -1.0, &gspo));
        close(gains.value, -1.0004);
        assert!(gains.clipped_high && gains.derivative == 0.0 && !loses.clipped_high);
        close(loses.value, 0.005_f64.exp());
        assert_eq!(log_ratios(Ratio::Sequence, &[], &[]).count(), 0);
    }
}
