//! Sampling of a token a row from logits that are on a device.
//!
//! Of a large vocabulary only the sums of blocks come to the host, and then of each row the block that
//! its draw falls into: to read all logits back, and to take their exponentials in f64, would take a
//! GPU's batch longer than the model does.

use burn::tensor::Tensor;
use hgpo_env::random::Stream;

use crate::policy::PolicyError;
use crate::policy::sampling::{SampledToken, Sampling, draw, sample};
use crate::policy::transformer::indices;
use crate::policy::transformer::weights::read_tensor;

/// Tokens of a block: about the square root of a large vocabulary, as of both the sums of blocks and
/// one block are read.
const BLOCK: usize = 512;
/// Vocabularies from this size on are drawn from in blocks.
pub const LARGE: usize = 1 << 13;

/// What a token of each row is drawn from.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// Logits `[rows, vocabulary]`; of a large vocabulary in blocks what is proportional to probabilities,
    /// `[rows · blocks, BLOCK]`.
    values: Tensor<2>,
    /// Sums of blocks, `[rows · blocks, 1]`.
    sums: Option<Tensor<2>>,
}

impl Distribution {
    /// The distribution of logits `[rows, vocabulary]`.
    #[must_use]
    pub fn of(logits: Tensor<2>, sampling: Sampling) -> Self {
        let [rows, vocabulary] = logits.dims();
        if vocabulary < LARGE || !sampling.is_whole() {
            return Self { values: logits, sums: None };
        }
        let blocks = vocabulary.div_ceil(BLOCK);
        let padding = blocks * BLOCK - vocabulary;
        let logits = if padding > 0 {
            let none = Tensor::full([rows, padding], f32::NEG_INFINITY, &logits.device());
            Tensor::cat(vec![logits, none], 1)
        } else {
            logits
        };
        let scaled = logits.div_scalar(sampling.temperature).reshape([rows, blocks, BLOCK]);
        // In two steps: a graphics adapter gives each row's largest to one thread.
        let largest = scaled.clone().max_dim(2).max_dim(1);
        let masses: Tensor<2> = (scaled - largest).exp().reshape([rows * blocks, BLOCK]);
        Self { sums: Some(masses.clone().sum_dim(1)), values: masses }
    }

    /// A token for each row that has a stream.
    ///
    /// # Errors
    /// When the device does not give values back.
    pub fn draw(
        self,
        sampling: Sampling,
        streams: Vec<Option<&mut Stream>>,
    ) -> Result<Vec<Option<SampledToken>>, PolicyError> {
        if let Some(sums) = self.sums {
            return from_blocks(self.values, sums, streams);
        }
        let vocabulary = self.values.dims()[1];
        let logits = read_tensor(self.values)?;
        let rows = streams.into_iter().zip(logits.chunks_exact(vocabulary.max(1)));
        Ok(rows.map(|(stream, logits)| Some(sample(logits, sampling, stream?))).collect())
    }
}

fn from_blocks(
    masses: Tensor<2>,
    sums: Tensor<2>,
    streams: Vec<Option<&mut Stream>>,
) -> Result<Vec<Option<SampledToken>>, PolicyError> {
    let device = masses.device();
    let blocks = masses.dims()[0] / streams.len().max(1);
    let sums = read_tensor(sums)?;
    let mass = |&sum: &f32| f64::from(sum);
    let chosen = streams.into_iter().zip(sums.chunks_exact(blocks.max(1))).map(|(stream, sums)| {
        let total: f64 = sums.iter().map(mass).sum();
        let target = stream?.uniform() * total;
        let block = draw(sums, f64::from, target);
        let before: f64 = sums[..block].iter().map(mass).sum();
        Some((block, target - before, total))
    });
    let chosen: Vec<Option<(usize, f64, f64)>> = chosen.collect();
    let place = |(row, it): (usize, &Option<(usize, f64, f64)>)| {
        (row * blocks + it.map_or(0, |(block, ..)| block)) as i32
    };
    let places = indices(chosen.iter().enumerate().map(place), &device);

    let parts = read_tensor(masses.select(0, places))?;
    let choices = chosen.into_iter().zip(parts.chunks_exact(BLOCK)).map(|(chosen, part)| {
        let (block, target, total) = chosen?;
        let at = draw(part, f64::from, target);
        let log_probability = libm::log(f64::from(part[at])) - libm::log(total);
        Some(SampledToken { token: (block * BLOCK + at) as u32, log_probability })
    });
    Ok(choices.collect())
}

#[cfg(test)]
mod tests {
    use burn::tensor::{Device, TensorData};

    use super::*;
    use hgpo_env::random::Purpose;

    #[test]
    fn sampling_in_blocks_gives_the_same_tokens() {
        // Not a multiple of the block; one row is not drawn from.
        let (rows, vocabulary) = (4, LARGE + 100);
        let mut chance = Stream::new(1, Purpose::Weights, [0, 0]);
        let values: Vec<f32> =
            (0..rows * vocabulary).map(|_| 3.0 * chance.normal() as f32).collect();
        let logits = Tensor::<2>::from_data(
            TensorData::new(values.clone(), [rows, vocabulary]),
            &Device::flex(),
        );
        let sampling = Sampling::at(0.7);
        let mut streams: Vec<Stream> =
            (0..rows as u64).map(|row| Stream::new(2, Purpose::Sampling, [row, 0])).collect();
        let mut alone = streams.clone();
        for _ in 0..50 {
            let given = streams.iter_mut().enumerate();
            let given = given.map(|(row, stream)| (row != 2).then_some(stream)).collect();
            let distribution = Distribution::of(logits.clone(), sampling);
            let drawn = distribution.draw(sampling, given).expect("readable");
            for (row, choice) in drawn.into_iter().enumerate() {
                let Some(choice) = choice else {
                    assert_eq!(row, 2);
                    continue;
                };
                let logits = &values[row * vocabulary..(row + 1) * vocabulary];
                let expected = sample(logits, sampling, &mut alone[row]);
                assert_eq!(choice.token, expected.token);
                let off = (choice.log_probability - expected.log_probability).abs();
                assert!(off < 1e-5, "{off}");
            }
        }
    }

    #[test]
    fn impossible_tokens_are_never_sampled() {
        let mut values = vec![f32::NEG_INFINITY; LARGE];
        (values[700], values[5000]) = (1.0, 1.0);
        let logits = Tensor::<2>::from_data(TensorData::new(values, [1, LARGE]), &Device::flex());
        let mut stream = Stream::new(2, Purpose::Sampling, [0, 0]);
        for _ in 0..20 {
            let streams = vec![Some(&mut stream)];
            let sampling = Sampling::at(1.0);
            let distribution = Distribution::of(logits.clone(), sampling);
            let drawn = distribution.draw(sampling, streams).expect("readable");
            let choice = drawn[0].expect("drawn");
            assert!([700, 5000].contains(&choice.token));
            assert!((choice.log_probability - 0.5f64.ln()).abs() < 1e-7);
        }
    }
}
