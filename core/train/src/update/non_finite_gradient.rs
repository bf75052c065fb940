//! Non-finite gradient: its likely cause, and what to do.

use crate::config::LearnConfig;
use crate::objective::clipped::{LossSums, Sample};
use crate::policy::TokenScore;

/// Beyond this, squares and exponentials of single precision are not far from its end.
const LARGE: f64 = 1e6;
/// A setting that is so many times its default is likely to be what is wrong.
const FAR: f64 = 100.0;

/// What is likely to blame, by what went into the gradient, and what to do.
pub(super) fn likely_cause(
    samples: &[Sample],
    reference: &[Vec<TokenScore>],
    sums: &[LossSums],
    learn: &LearnConfig,
) -> String {
    let largest = samples.iter().map(|sample| sample.advantage.abs()).fold(0.0, f64::max);
    if largest > LARGE {
        return format!(
            "advantages reach {largest:.1e}: use smaller rewards, or scale them \
             (estimator.scale=mean-std)"
        );
    }
    if reference.iter().flatten().any(|score| !score.log_probability.is_finite()) {
        return "the reference's log-probabilities are not finite either: check its weights, \
                model.rope_theta and rollout.temperature"
            .to_owned();
    }
    if let Some(setting) = far_from_default(learn) {
        return setting;
    }
    let [policy, kl] = [|sums: &LossSums| sums.policy, |sums: &LossSums| sums.kl]
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
    "lower learn.learning_rate, learn.kl_coefficient, learn.entropy_coefficient or learn.weight_decay, or \
     reset learn.beta_1 and learn.beta_2 to their defaults"
        .to_owned()
}

/// A setting's name, and its value.
type Setting = (&'static str, fn(&LearnConfig) -> f64);

/// The settings whose size makes gradients or updates large, if they are far larger than usual.
fn far_from_default(learn: &LearnConfig) -> Option<String> {
    let usual = LearnConfig::default();
    let sizes: [Setting; 4] = [
        ("learning_rate", |learn| learn.learning_rate),
        ("kl_coefficient", |learn| learn.objective.kl_coefficient),
        ("entropy_coefficient", |learn| learn.entropy_coefficient),
        ("weight_decay", |learn| learn.weight_decay),
    ];
    let far: Vec<String> = sizes
        .into_iter()
        .map(|(name, of)| (name, of(learn), of(&usual)))
        .filter(|(_, value, usual)| value.abs() > FAR * usual.abs())
        .map(|(name, value, usual)| format!("learn.{name} ({value:e}, default {usual})"))
        .collect();
    let verb = if learn.entropy_coefficient < 0.0 { "reset" } else { "lower" };
    (!far.is_empty()).then(|| format!("{verb} {}", far.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_of_a_non_finite_gradient_are_named() {
        let sample = |advantage| Sample {
            prompt: vec![],
            response: vec![],
            old: vec![],
            advantage,
            weight: 1.0,
        };
        let score = |log_probability| vec![TokenScore { log_probability, entropy: 0.0 }];
        let sums = |policy, kl| LossSums { policy, kl, ..LossSums::default() };
        for (advantage, log_probability, sums, word) in [
            (1e300, -1.0, sums(0.0, 0.0), "rewards"),
            (1.0, f64::NAN, sums(0.0, 0.0), "rope_theta"),
            (1.0, -1.0, sums(0.0, f64::INFINITY), "kl_coefficient"),
            (1.0, -1.0, sums(f64::NAN, 0.0), "loss is NaN: lower learn.learning_rate"),
            (1.0, -1.0, sums(0.0, 0.0), "beta_2"),
        ] {
            let (samples, scores) = ([sample(advantage)], [score(log_probability)]);
            let cause = likely_cause(&samples, &scores, &[sums], &LearnConfig::default());
            assert!(cause.contains(word), "{cause}");
        }
    }

    #[test]
    fn a_setting_far_from_its_default_is_named() {
        let usual = LearnConfig::default;
        for (learn, text) in [
            (LearnConfig { entropy_coefficient: 1e30, ..usual() }, "lower learn.entropy_coeffic"),
            (LearnConfig { entropy_coefficient: -1e30, ..usual() }, "reset learn.entropy_c"),
            (LearnConfig { weight_decay: 1e5, ..usual() }, "learn.weight_decay (1e5, default"),
            (LearnConfig { learning_rate: 1e3, ..usual() }, "lower learn.learning_rate (1e3"),
        ] {
            let cause =
                likely_cause(&[], &[], &[LossSums { kl: 1e9, ..LossSums::default() }], &learn);
            assert!(cause.contains(text), "{cause}");
        }
    }
}
