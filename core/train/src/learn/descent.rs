//! One optimiser update: gradients of a mini-batch, added up over micro-batches.

use burn::tensor::Tensor;

use super::optimizer::{AdamW, clip_global_norm};
use crate::config::LearnConfig;
use crate::executor::{Executor, fold};
use crate::policy::decoder::Policy;
use crate::policy::decoder::gradient::sums;
use crate::policy::decoder::parameters::{Part, parameters, replace};
use crate::policy::decoder::score::{Passage, Scores};
use crate::policy::decoder::weights::WeightsError;

/// What an update makes smaller.
pub trait Objective: Sync {
    /// What is reported of a micro-batch.
    type Report: Send + Sync;

    /// The passage that a member of a mini-batch stands for.
    fn passage(&self, member: usize) -> Passage<'_>;

    /// The loss of some members, summed over their response tokens, from the scores of their
    /// passages.
    ///
    /// # Errors
    /// When the device fails.
    fn loss(
        &self,
        members: &[usize],
        scores: Scores,
    ) -> Result<(Tensor<1>, Self::Report), WeightsError>;
}

/// How one optimiser update is made.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    /// Passages a forward and backward pass, at most.
    pub micro_batch_size: usize,
    /// Tokens a forward and backward pass, padding included, at most (but a passage at least).
    pub micro_batch_tokens: usize,
    /// Whether layers run again for their gradient, instead of keeping what they made.
    pub gradient_checkpointing: bool,
    /// Step length of the optimiser.
    pub learning_rate: f64,
    /// Largest global norm of the gradient.
    pub max_grad_norm: f64,
    /// Softmax temperature of the scores.
    pub temperature: f64,
    /// The summed loss is divided by this.
    pub divisor: usize,
}

impl Descent {
    /// An update as learning makes it, at temperature 1, of a loss that is not divided.
    #[must_use]
    pub fn new(config: &LearnConfig) -> Self {
        Self {
            micro_batch_size: config.micro_batch_size,
            micro_batch_tokens: config.micro_batch_tokens,
            gradient_checkpointing: config.gradient_checkpointing,
            learning_rate: config.learning_rate,
            max_grad_norm: config.max_grad_norm,
            temperature: 1.0,
            divisor: 1,
        }
    }
}

/// One update: the gradient of Σ loss / divisor over a mini-batch, micro-batch by micro-batch on the
/// executor, added up in a fixed order. Gives each micro-batch's report and the gradient's norm.
///
/// # Errors
/// When the device fails.
pub fn descend<O: Objective>(
    policy: &mut Policy,
    optimizer: &mut AdamW,
    mini_batch: &[usize],
    descent: &Descent,
    objective: &O,
    executor: &dyn Executor,
) -> Result<(Vec<O::Report>, f64), WeightsError> {
    let micro_batches = micro_batches(mini_batch, descent, &|it| objective.passage(it).len());
    let job = |index: usize| {
        let members = &micro_batches[index];
        let passages: Vec<Passage<'_>> = members.iter().map(|&it| objective.passage(it)).collect();
        let loss = |scores| objective.loss(members, scores);
        policy.gradient(&passages, descent.temperature, descent.gradient_checkpointing, &loss)
    };
    let add = |all: &mut Result<_, WeightsError>, result| {
        let Ok((sum, reports)) = all else { return };
        match result {
            Ok((gradient, report)) => {
                *sum = sums(std::mem::take(sum), gradient);
                Vec::push(reports, report);
            }
            Err(error) => *all = Err(error),
        }
    };
    let start = Ok((Vec::new(), Vec::with_capacity(micro_batches.len())));
    let (sum, reports) = fold(executor, micro_batches.len(), start, job, add)?;
    // Divided at the end: on the way back, numbers so small would vanish in f16.
    let mean = sum.into_iter().map(|sum| sum.div_scalar(descent.divisor as f64)).collect();
    let (gradient, norm) = clip_global_norm(mean, descent.max_grad_norm)?;
    let part = Part::trained(&policy.decoder);
    let values = parameters(&policy.decoder, part).into_iter().map(|p| p.values).collect();
    let values = optimizer.update(values, gradient, descent.learning_rate);
    policy.decoder = replace(policy.decoder.clone(), part, values);
    Ok((reports, norm))
}

/// Passages of similar length share a micro-batch, so that little is spent on padding.
fn micro_batches(
    mini_batch: &[usize],
    descent: &Descent,
    length: &dyn Fn(usize) -> usize,
) -> Vec<Vec<usize>> {
    let mut order = mini_batch.to_vec();
    order.sort_by_key(|&member| length(member));
    let mut batches = Vec::new();
    for chunk in even_chunks(&order, descent.micro_batch_size) {
        // The last is the longest.
        let longest = chunk.last().map_or(0, |&member| length(member)).max(1);
        let rows = (descent.micro_batch_tokens / longest).max(1);
        batches.extend(chunk.chunks(rows).map(<[usize]>::to_vec));
    }
    batches
}

/// Splits indices into nearly equal chunks of about `size`, so that no update is left with a few.
pub(super) fn even_chunks(indices: &[usize], size: usize) -> Vec<&[usize]> {
    let count = chunk_count(indices.len(), size);
    indices.chunks(indices.len().div_ceil(count).max(1)).collect()
}

/// How many chunks of about `size` there are in `total`: at least one.
pub(super) fn chunk_count(total: usize, size: usize) -> usize {
    (total as f64 / size.max(1) as f64).round().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn micro_batches_hold_as_many_passages_as_tokens_allow() {
        let lengths = [10, 50, 20, 200, 30, 40];
        let descent = |size, tokens| Descent {
            micro_batch_size: size,
            micro_batch_tokens: tokens,
            ..Descent::new(&LearnConfig::default())
        };
        let batches = |size, tokens| {
            micro_batches(&[0, 1, 2, 3, 4, 5], &descent(size, tokens), &|it| lengths[it])
        };
        assert_eq!(batches(3, 1000), [vec![0, 2, 4], vec![5, 1, 3]]);
        // 3 x 30 is too much for 80, and so is the longest alone.
        assert_eq!(batches(3, 80), [vec![0, 2], vec![4], vec![5], vec![1], vec![3]]);
    }
}
