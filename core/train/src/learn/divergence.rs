//! Why a gradient is no number any more.

use super::loss::Sums;
use super::sample::Sample;
use crate::policy::TokenScore;

/// Beyond this, squares and exponentials of single precision are not far from its end.
const LARGE: f64 = 1e6;

/// What is likely to blame, by what went into the gradient, and what to do.
pub(super) fn likely_cause(
    samples: &[Sample],
    reference: &[Vec<TokenScore>],
    sums: &[Sums],
) -> String {
    let largest = samples.iter().map(|sample| sample.advantage.abs()).fold(0.0, f64::max);
    if largest > LARGE {
        return format!(
            "advantages reach {largest:.1e}: give smaller rewards, or scale them \
             (estimator.scale=mean-std)"
        );
    }
    if reference.iter().flatten().any(|score| !score.log_probability.is_finite()) {
        return "the reference's log-probabilities are not finite either: its weights, \
                model.rope_theta or rollout.temperature is to blame"
            .to_owned();
    }
    let [policy, kl] = [|sums: &Sums| sums.policy, |sums: &Sums| sums.kl]
        .map(|of| sums.iter().map(of).sum::<f64>().abs());
    if kl.is_nan() || kl > LARGE {
        return format!(
            "the divergence from the reference is {kl:.1e}: lower learn.learning_rate or \
             learn.kl_coefficient"
        );
    }
    if policy.is_nan() || policy > LARGE {
        return format!("the policy's loss is {policy:.1e}: lower learn.learning_rate");
    }
    "lower learn.learning_rate or learn.kl_coefficient, or bring learn.beta_1 and learn.beta_2 back \
     to their defaults"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_blame_is_named() {
        let sample =
            |advantage| Sample { prompt: vec![], response: vec![], old: vec![], advantage };
        let score = |log_probability| vec![TokenScore { log_probability, entropy: 0.0 }];
        let sums = |policy, kl| Sums { policy, kl, ..Sums::default() };
        for (advantage, log_probability, sums, word) in [
            (1e300, -1.0, sums(0.0, 0.0), "rewards"),
            (1.0, f64::NAN, sums(0.0, 0.0), "rope_theta"),
            (1.0, -1.0, sums(0.0, f64::INFINITY), "kl_coefficient"),
            (1.0, -1.0, sums(f64::NAN, 0.0), "loss is NaN: lower learn.learning_rate"),
            (1.0, -1.0, sums(0.0, 0.0), "beta_2"),
        ] {
            let cause = likely_cause(&[sample(advantage)], &[score(log_probability)], &[sums]);
            assert!(cause.contains(word), "{cause}");
        }
    }
}
