//! Sampling of a token from logits, on the host and in f64.

use hgpo_env::random::Stream;
use serde::{Deserialize, Serialize};

/// How tokens are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Softmax temperature; 0 takes the most likely token.
    pub temperature: f64,
    /// Only the k most likely tokens are drawn, and those as likely as the last of them; 0: all.
    pub top_k: usize,
    /// Only the most likely tokens are drawn whose probabilities just add up to this; 1: all.
    pub top_p: f64,
}

impl Sampling {
    /// Draws from the whole distribution, as training does.
    #[must_use]
    pub fn at(temperature: f64) -> Self {
        Self { temperature, top_k: 0, top_p: 1.0 }
    }

    /// Whether it draws, and from the whole distribution.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.temperature > 0.0 && self.top_k == 0 && self.top_p >= 1.0
    }

    /// The logit below which no token is drawn. As in transformers, temperature comes first, then
    /// `top_k`, then `top_p` of what is left.
    fn lowest_logit(&self, logits: &[impl Copy + Into<f64>]) -> f64 {
        let all = self.top_k == 0 || self.top_k >= logits.len();
        if self.temperature <= 0.0 || all && self.top_p >= 1.0 {
            return f64::NEG_INFINITY;
        }
        let fall = |a: &f64, b: &f64| b.total_cmp(a);
        let mut falling: Vec<f64> = logits.iter().map(|&logit| logit.into()).collect();
        if !all {
            // Of a vocabulary only the few that are kept are sorted.
            let last = *falling.select_nth_unstable_by(self.top_k - 1, fall).1;
            falling.retain(|&logit| logit >= last);
        }
        falling.sort_unstable_by(fall);
        let highest = falling.first().copied().unwrap_or(0.0);
        let mass = |logit: f64| libm::exp((logit - highest) / self.temperature);
        let enough = self.top_p * falling.iter().map(|&logit| mass(logit)).sum::<f64>();
        let mut above = 0.0;
        let kept = falling.iter().take_while(|&&logit| {
            let keep = above < enough;
            above += mass(logit);
            keep
        });
        // The first is always kept.
        kept.last().or(falling.first()).copied().unwrap_or(f64::NEG_INFINITY)
    }
}

/// One sampled token and its log-probability at the sampling temperature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledToken {
    /// Index in the vocabulary.
    pub token: u32,
    /// Natural logarithm of its probability in the whole distribution, as a loss scores it.
    pub log_probability: f64,
}

/// Draws a token from softmax(logits / temperature); temperature 0 takes the most likely one.
///
/// # Formula
/// p_i = exp(l_i / T) / Σ_j exp(l_j / T); the first i whose cumulated p, among the tokens that are
/// kept, exceeds a uniform share of their sum.
#[must_use]
pub fn sample<L: Copy + Into<f64>>(
    logits: &[L],
    sampling: Sampling,
    stream: &mut Stream,
) -> SampledToken {
    let temperature = sampling.temperature;
    let scale = if temperature > 0.0 { 1.0 / temperature } else { 1.0 };
    let scaled = |logit: L| logit.into() * scale;
    let (best, highest) = logits
        .iter()
        .map(|&l| scaled(l))
        .enumerate()
        .fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
    let total: f64 = logits.iter().map(|&l| libm::exp(scaled(l) - highest)).sum();
    let token = if temperature > 0.0 {
        let least = sampling.lowest_logit(logits);
        let mass = |l: L| if l.into() >= least { libm::exp(scaled(l) - highest) } else { 0.0 };
        let kept =
            if least > f64::NEG_INFINITY { logits.iter().map(|&l| mass(l)).sum() } else { total };
        draw(logits, mass, stream.uniform() * kept)
    } else {
        best
    };
    let log_probability =
        logits.get(token).map_or(f64::NEG_INFINITY, |&l| scaled(l)) - highest - libm::log(total);
    SampledToken { token: token as u32, log_probability }
}

/// The first place at which the cumulated masses exceed `target`; the last of some mass if rounding
/// keeps them below.
pub(super) fn draw<L: Copy>(values: &[L], mass: impl Fn(L) -> f64, target: f64) -> usize {
    let mut cumulated = 0.0;
    let mut last_possible = 0;
    for (at, &value) in values.iter().enumerate() {
        let mass = mass(value);
        if mass > 0.0 {
            last_possible = at;
        }
        cumulated += mass;
        if cumulated > target {
            return at;
        }
    }
    last_possible
}

#[cfg(test)]
mod tests {
    use super::*;
    use hgpo_env::random::Purpose;

    #[test]
    fn frequencies_follow_the_softmax() {
        // Logits 0 and ln 3 at temperature 1: probabilities 1/4 and 3/4; at 0.5: 1/10 and 9/10.
        let logits = [0.0, 3f32.ln()];
        for (temperature, expected) in [(1.0, 0.75), (0.5, 0.9)] {
            let mut stream = Stream::new(5, Purpose::Sampling, [0, 0]);
            let draws = 20_000;
            let ones = (0..draws)
                .filter(|_| sample(&logits, Sampling::at(temperature), &mut stream).token == 1);
            let share = ones.count() as f64 / f64::from(draws);
            // Standard error at most 0.0031; five of them.
            assert!((share - expected).abs() < 0.016, "{temperature}: {share}");
        }
    }

    #[test]
    fn filters_keep_the_most_likely_tokens() {
        // Probabilities 0.1, 0.4, 0.2, 0.3 at temperature 1.
        let logits = [1f32, 4.0, 2.0, 3.0].map(f32::ln);
        let drawn = |top_k, top_p| {
            let sampling = Sampling { temperature: 1.0, top_k, top_p };
            let mut stream = Stream::new(5, Purpose::Sampling, [0, 0]);
            let mut counts = [0_i32; 4];
            for _ in 0..2000 {
                counts[sample(&logits, sampling, &mut stream).token as usize] += 1;
            }
            counts
        };
        assert!(drawn(0, 1.0).iter().all(|&count| count > 0));
        assert_eq!(drawn(1, 1.0), [0, 2000, 0, 0]);
        let [first, second, third, fourth] = drawn(2, 1.0);
        assert_eq!((first, third), (0, 0));
        // 4/7 of 2000 with a standard error of 22; five of them.
        assert!((1143_i32 - second).abs() < 110 && second + fourth == 2000, "{second}");
        // 0.4 is not enough, 0.7 is: the token that crosses the share is kept.
        assert_eq!(drawn(0, 0.5).map(|it| it > 0), [false, true, false, true]);
        assert_eq!(drawn(0, 0.65).map(|it| it > 0), [false, true, false, true]);
        assert_eq!(drawn(0, 0.75).map(|it| it > 0), [false, true, true, true]);
        // Of the two that are kept first, 4/7 of the share are more than a half.
        assert_eq!(drawn(2, 0.5), [0, 2000, 0, 0]);
        assert_eq!(drawn(0, 0.0), [0, 2000, 0, 0]);
    }

    #[test]
    fn log_probability_is_that_of_the_softmax() {
        let mut stream = Stream::new(5, Purpose::Sampling, [0, 0]);
        let choice = sample(&[0.0, 3f32.ln()], Sampling::at(0.0), &mut stream);
        assert_eq!(choice.token, 1);
        assert!((choice.log_probability - 0.75f64.ln()).abs() < 1e-7);
    }
}
