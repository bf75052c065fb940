//! Rotary frequencies (RoPE), also stretched for longer contexts.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::{ConfigError, ModelConfig};

/// How rotary frequencies are stretched, by the names of Hugging Face's `rope_scaling`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RopeScaling {
    /// `linear` or `llama3`.
    pub rope_type: RopeType,
    /// By how much the (slow) frequencies are divided.
    pub factor: f64,
    /// Dimensions with fewer turns in the original context are divided by the factor (llama3).
    pub low_freq_factor: f64,
    /// Dimensions with more turns in the original context are left as they are (llama3).
    pub high_freq_factor: f64,
    /// Length L of the original context, in tokens (llama3).
    pub original_max_position_embeddings: usize,
}

/// A way to stretch rotary frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RopeType {
    /// All frequencies alike (Chen et al. 2023).
    Linear,
    /// Slow frequencies alone, those in between in part (Llama 3.1).
    Llama3,
}

impl Default for RopeScaling {
    /// No stretching, with the bounds of Llama 3.
    fn default() -> Self {
        Self {
            rope_type: RopeType::Linear,
            factor: 1.0,
            low_freq_factor: 1.0,
            high_freq_factor: 4.0,
            original_max_position_embeddings: 8192,
        }
    }
}

impl RopeScaling {
    /// Whether its numbers, each within its range, fit together.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        if self.high_freq_factor > self.low_freq_factor {
            return Ok(());
        }
        Err(ConfigError::new("rope_scaling.high_freq_factor", "must be above low_freq_factor"))
    }

    /// One frequency, stretched.
    fn stretch(&self, frequency: f64) -> f64 {
        let kept = match self.rope_type {
            RopeType::Linear => 0.0,
            RopeType::Llama3 => {
                let turns = self.original_max_position_embeddings as f64 * frequency / TAU;
                let (low, high) = (self.low_freq_factor, self.high_freq_factor);
                ((turns - low) / (high - low)).clamp(0.0, 1.0)
            }
        };
        (1.0 - kept) * frequency / self.factor + kept * frequency
    }
}

impl ModelConfig {
    /// The angle, in radians a token, of each of the `head_dim`/2 pairs of dimensions.
    ///
    /// # Formula
    /// f_j = `rope_theta`^(−2j/`head_dim`) (Su et al. 2021). With `linear` scaling f_j / `factor`.
    /// With `llama3` (1 − s) f_j / `factor` + s f_j, where
    /// s = (L f_j / 2π − low) / (high − low), held between 0 and 1: how far the turns of the
    /// dimension in the original context of L tokens lie from `low_freq_factor` to
    /// `high_freq_factor` (`_compute_llama3_parameters` of Hugging Face's transformers).
    #[must_use]
    pub fn rotary_frequencies(&self) -> Vec<f64> {
        let width = self.head_dim();
        let plain = |pair| libm::pow(self.rope_theta, -2.0 * pair as f64 / width as f64);
        let stretch = |frequency| match &self.rope_scaling {
            Some(scaling) => scaling.stretch(frequency),
            None => frequency,
        };
        (0..width / 2).map(plain).map(stretch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(rope_scaling: Option<RopeScaling>) -> ModelConfig {
        // Three pairs: frequencies 1, 10^-2, 10^-4.
        ModelConfig { head_dim: Some(6), rope_theta: 1e6, rope_scaling, ..ModelConfig::default() }
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
        }
    }

    #[test]
    fn frequencies_fall_geometrically() {
        close(&model(None).rotary_frequencies(), &[1.0, 1e-2, 1e-4]);
        let scaling = RopeScaling { factor: 4.0, ..RopeScaling::default() };
        close(&model(Some(scaling)).rotary_frequencies(), &[0.25, 2.5e-3, 2.5e-5]);
    }

    #[test]
    fn llama_3_keeps_fast_turns_and_stretches_slow_ones() {
        // In 500 pi tokens the pairs turn 250, 2.5 and 0.025 times: beyond 4, halfway between 1
        // and 4, and below 1. The length is a whole number of tokens: 1571 of 1570.796.
        let scaling = RopeScaling {
            rope_type: RopeType::Llama3,
            factor: 8.0,
            original_max_position_embeddings: 1571,
            ..RopeScaling::default()
        };
        let kept = (1571.0 * 1e-2 / TAU - 1.0) / 3.0;
        assert!((kept - 0.5_f64).abs() < 2e-4);
        let between = 1e-2 * (kept + (1.0 - kept) / 8.0);
        close(&model(Some(scaling)).rotary_frequencies(), &[1.0, between, 1.25e-5]);
    }

    #[test]
    fn scaling_that_makes_no_sense_is_refused() {
        let refused = |scaling: RopeScaling, field: &str| {
            let text = model(Some(scaling)).validate().unwrap_err().to_string();
            assert!(text.contains(field), "{text}");
        };
        refused(RopeScaling { factor: 0.0, ..RopeScaling::default() }, "rope_scaling.factor");
        refused(RopeScaling { high_freq_factor: 1.0, ..RopeScaling::default() }, "low_freq_factor");
        let odd = ModelConfig { head_dim: Some(7), ..ModelConfig::default() };
        assert!(odd.validate().unwrap_err().to_string().contains("head_dim"));
    }
}
