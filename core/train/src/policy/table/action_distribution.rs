//! Distribution over the actions of one prompt.

use crate::policy::{LossGradient, TokenScore};

/// π(a | m) of the listed actions.
pub(super) struct Distribution {
    /// Natural logarithms of the probabilities.
    log_probabilities: Vec<f64>,
    pub(super) probabilities: Vec<f64>,
    entropy: f64,
}

impl Distribution {
    /// That of preferences.
    pub(super) fn new(mut preferences: Vec<f64>, temperature: f64) -> Self {
        let scaled = &mut preferences;
        for it in &mut *scaled {
            *it /= temperature;
        }
        let highest = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scaled.iter().map(|it| libm::exp(it - highest)).sum();
        let log_total = highest + libm::log(total);
        for it in scaled {
            *it -= log_total;
        }
        let log_probabilities = preferences;
        let probabilities: Vec<f64> = log_probabilities.iter().map(|&it| libm::exp(it)).collect();
        let terms = probabilities.iter().zip(&log_probabilities);
        let entropy = -terms.map(|(probability, logarithm)| probability * logarithm).sum::<f64>();
        Self { log_probabilities, probabilities, entropy }
    }

    /// What is said of an action, by its place.
    pub(super) fn score(&self, token: u32) -> TokenScore {
        let found = self.log_probabilities.get(token as usize);
        let log_probability = found.copied().unwrap_or(f64::NEG_INFINITY);
        TokenScore { log_probability, entropy: self.entropy }
    }

    /// The derivative of a loss by the preference at `place`, times the temperature, if `token` was
    /// chosen.
    pub(super) fn loss_gradient(&self, place: usize, token: u32, by: LossGradient) -> f64 {
        let (probability, logarithm) = (self.probabilities[place], self.log_probabilities[place]);
        let chosen = f64::from(u8::from(place == token as usize));
        let by_entropy = -probability * (logarithm + self.entropy);
        by.log_probability * (chosen - probability) + by.entropy * by_entropy
    }
}
