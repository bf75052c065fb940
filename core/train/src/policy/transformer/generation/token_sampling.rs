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

/// A token for each row `[rows, vocabulary]` that has a stream.
///
/// # Errors
/// When the device does not give values back.
pub fn draw_rows(
    logits: Tensor<2>,
    sampling: Sampling,
    streams: Vec<Option<&mut Stream>>,
) -> Result<Vec<Option<SampledToken>>, PolicyError> {
    let vocabulary = logits.dims()[1];
    if vocabulary >= LARGE && sampling.is_whole() {
        return in_blocks(logits, sampling.temperature, streams);
    }
    let logits = read_tensor(logits)?;
    let rows = streams.into_iter().zip(logits.chunks_exact(vocabulary.max(1)));
    Ok(rows.map(|(stream, logits)| Some(sample(logits, sampling, stream?))).collect())
}

fn in_blocks(
    logits: Tensor<2>,
    temperature: f64,
    streams: Vec<Option<&mut Stream>>,
) -> Result<Vec<Option<SampledToken>>, PolicyError> {
    let ([rows, vocabulary], device) = (logits.dims(), logits.device());
    let blocks = vocabulary.div_ceil(BLOCK);
    let scaled = logits.div_scalar(temperature);
    let masses = (scaled.clone() - scaled.max_dim(1)).exp();
    let padding = blocks * BLOCK - vocabulary;
    let masses = if padding > 0 {
        Tensor::cat(vec![masses, Tensor::zeros([rows, padding], &device)], 1)
    } else {
        masses
    };
    let masses: Tensor<2> = masses.reshape([rows * blocks, BLOCK]);

    let sums = read_tensor(masses.clone().sum_dim(1))?;
    let mass = |&sum: &f32| f64::from(sum);
    let chosen = streams.into_iter().zip(sums.chunks_exact(blocks)).map(|(stream, sums)| {
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
            let drawn = draw_rows(logits.clone(), sampling, given).expect("readable");
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
            let drawn = draw_rows(logits.clone(), Sampling::at(1.0), streams).expect("readable");
            let choice = drawn[0].expect("drawn");
            assert!([700, 5000].contains(&choice.token));
            assert!((choice.log_probability - 0.5f64.ln()).abs() < 1e-7);
        }
    }
}
