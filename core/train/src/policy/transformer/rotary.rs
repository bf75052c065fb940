//! Rotary position embedding in the rotate-half form that Qwen2 and Llama weights expect.

use burn::tensor::{Device, Tensor, TensorData};

/// Cosines and sines of a batch of positions, `[rows or 1, 1, tokens, head_dim]`.
#[derive(Clone, Debug)]
pub struct Angles {
    cosine: Tensor<4>,
    sine: Tensor<4>,
}

impl Angles {
    /// Angles for `positions[row][token]`.
    ///
    /// # Formula
    /// Dimension j and j + `head_dim`/2 turn together by position · `frequencies[j]`
    /// (Su et al. 2021, in the layout of Hugging Face's Qwen2 and Llama);
    /// [`crate::config::ModelConfig::rotary_frequencies`] makes the frequencies.
    #[must_use]
    pub fn new(positions: &[Vec<usize>], frequencies: &[f64], device: &Device) -> Self {
        let half = frequencies.len();
        let head_dim = 2 * half;
        let tokens = positions.first().map_or(0, Vec::len);
        let table = |function: fn(f64) -> f64| {
            let mut values = Vec::with_capacity(positions.len() * tokens * head_dim);
            for &position in positions.iter().flatten() {
                let row = values.len();
                values.extend(frequencies.iter().map(|f| function(position as f64 * f) as f32));
                values.extend_from_within(row..row + half);
            }
            let shape = [positions.len(), 1, tokens, head_dim];
            Tensor::from_data(TensorData::new(values, shape), device)
        };
        Self { cosine: table(f64::cos), sine: table(f64::sin) }
    }

    /// Turns queries or keys `[rows, heads, tokens, head_dim]` by their positions.
    #[must_use]
    pub fn rotate(&self, x: Tensor<4>) -> Tensor<4> {
        let half = x.dims()[3] / 2;
        let first = x.clone().narrow(3, 0, half);
        let second = x.clone().narrow(3, half, half);
        x * self.cosine.clone() + Tensor::cat(vec![second.neg(), first], 3) * self.sine.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_swaps_halves_with_a_sign() {
        // head_dim 2: one frequency; with 1, position p turns (x, y) by p radians.
        let device = Device::flex();
        let angles = Angles::new(&[vec![0, 2]], &[1.0], &device);
        let x = Tensor::<4>::from_data([[[[1.0, 0.0], [1.0, 0.0]]]], &device);
        let turned: Vec<f32> = angles.rotate(x).try_into_vec_as().expect("readable");
        let expected = [1.0, 0.0, 2f32.cos(), 2f32.sin()];
        for (value, expected) in turned.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{turned:?}");
        }
    }
}
