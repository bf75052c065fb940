//! Choosing a token from logits, on the host and in f64.

use crate::random::Stream;

/// One sampled token and its log-probability at the sampling temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Index in the vocabulary.
    pub token: u32,
    /// Natural logarithm of its probability.
    pub log_probability: f64,
}

/// Draws a token from softmax(logits / temperature); temperature 0 takes the most likely one.
///
/// # Formula
/// p_i = exp(l_i / T) / Σ_j exp(l_j / T); the first i whose cumulated p exceeds a uniform draw.
#[must_use]
pub fn sample(logits: &[f32], temperature: f64, stream: &mut Stream) -> Choice {
    let scale = if temperature > 0.0 { 1.0 / temperature } else { 1.0 };
    let scaled = |logit: f32| f64::from(logit) * scale;
    let (best, highest) = logits
        .iter()
        .map(|&l| scaled(l))
        .enumerate()
        .fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
    let total: f64 = logits.iter().map(|&l| (scaled(l) - highest).exp()).sum();
    let token = if temperature > 0.0 {
        draw(logits, |l| (scaled(l) - highest).exp(), stream.uniform() * total)
    } else {
        best
    };
    Choice { token: token as u32, log_probability: scaled(logits[token]) - highest - total.ln() }
}

fn draw(logits: &[f32], mass: impl Fn(f32) -> f64, target: f64) -> usize {
    let mut cumulated = 0.0;
    let mut last_possible = 0;
    for (token, &logit) in logits.iter().enumerate() {
        let mass = mass(logit);
        if mass > 0.0 {
            last_possible = token;
        }
        cumulated += mass;
        if cumulated > target {
            return token;
        }
    }
    last_possible
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn frequencies_follow_the_softmax() {
        // Logits 0 and ln 3 at temperature 1: probabilities 1/4 and 3/4; at 0.5: 1/10 and 9/10.
        let logits = [0.0, 3f32.ln()];
        for (temperature, expected) in [(1.0, 0.75), (0.5, 0.9)] {
            let mut stream = Stream::new(5, Purpose::Sampling, [0, 0]);
            let draws = 20_000;
            let ones = (0..draws).filter(|_| sample(&logits, temperature, &mut stream).token == 1);
            let share = ones.count() as f64 / f64::from(draws);
            // Standard error at most 0.0031; five of them.
            assert!((share - expected).abs() < 0.016, "{temperature}: {share}");
        }
    }

    #[test]
    fn log_probability_is_that_of_the_softmax() {
        let mut stream = Stream::new(5, Purpose::Sampling, [0, 0]);
        let choice = sample(&[0.0, 3f32.ln()], 0.0, &mut stream);
        assert_eq!(choice.token, 1);
        assert!((choice.log_probability - 0.75f64.ln()).abs() < 1e-7);
    }
}
