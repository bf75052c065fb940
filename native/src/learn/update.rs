//! One iteration's optimiser updates: mini-batches of steps, gradients added over micro-batches.

use burn::tensor::Tensor;

use super::executor::{Executor, map};
use super::loss::{Sums, Targets, total};
use super::optimizer::{AdamW, clip_global_norm};
use crate::config::Config;
use crate::policy::Policy;
use crate::policy::parameters::{gradients, parameters, replace, tracked};
use crate::policy::score::Passage;
use crate::policy::weights::{WeightsError, read};
use crate::random::{Purpose, Stream};
use crate::rollout::episode::Turn;

/// One step of an episode, as the optimiser sees it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Tokens written.
    pub response: Vec<u32>,
    /// Log-probability of each token when it was drawn.
    pub old: Vec<f64>,
    /// Advantage of the step, the same for all its tokens.
    pub advantage: f64,
}

impl Sample {
    /// A step that was played, with its advantage.
    #[must_use]
    pub fn new(turn: Turn, advantage: f64) -> Self {
        Self {
            prompt: turn.prompt,
            response: turn.response.iter().map(|choice| choice.token).collect(),
            old: turn.response.iter().map(|choice| choice.log_probability).collect(),
            advantage,
        }
    }
}

/// What the updates of one iteration did.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateReport {
    /// Token sums over all mini-batches.
    pub sums: Sums,
    /// Mean norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Optimiser updates.
    pub updates: usize,
}

/// Splits indices into nearly equal chunks of about `size`, so that no update is left with a few.
pub(super) fn even_chunks(indices: &[usize], size: usize) -> Vec<&[usize]> {
    let count = (indices.len() as f64 / size.max(1) as f64).round().max(1.0) as usize;
    indices.chunks(indices.len().div_ceil(count).max(1)).collect()
}

/// Updates the policy on an iteration's samples; `iteration` names the shuffle.
///
/// # Errors
/// When the device fails.
pub fn update(
    policy: &mut Policy,
    reference: &Policy,
    optimizer: &mut AdamW,
    samples: &[Sample],
    config: &Config,
    iteration: u64,
    executor: &dyn Executor,
) -> Result<UpdateReport, WeightsError> {
    let mut report = UpdateReport::default();
    for epoch in 0..config.learn.epochs {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        Stream::new(config.seed, Purpose::Shuffle, [iteration, epoch as u64]).shuffle(&mut order);
        for mini_batch in even_chunks(&order, config.learn.mini_batch_size) {
            let loss = |policy: &Policy, members: &[usize]| {
                loss(policy, reference, samples, members, config)
            };
            let length = |&i: &usize| samples[i].prompt.len() + samples[i].response.len();
            let tokens: usize = mini_batch.iter().map(|&i| samples[i].response.len()).sum();
            let (sums, norm) = descend(
                policy,
                optimizer,
                mini_batch,
                &Descent {
                    micro_batch_size: config.learn.micro_batch_size,
                    learning_rate: config.learn.learning_rate_of(iteration),
                    max_grad_norm: config.learn.max_grad_norm,
                    divisor: tokens,
                },
                &length,
                &loss,
                executor,
            )?;
            for sums in &sums {
                report.sums.add(sums);
            }
            report.grad_norm += norm;
            report.updates += 1;
        }
    }
    report.grad_norm /= report.updates.max(1) as f64;
    Ok(report)
}

/// The summed loss of some samples under a policy, and what to report of it.
pub(super) type Loss<'a, T> =
    dyn Fn(&Policy, &[usize]) -> Result<(Tensor<1>, T), WeightsError> + Sync + 'a;

/// How one optimiser update is made.
pub(super) struct Descent {
    pub(super) micro_batch_size: usize,
    pub(super) learning_rate: f64,
    pub(super) max_grad_norm: f64,
    /// The summed loss is divided by this.
    pub(super) divisor: usize,
}

/// One optimiser update: the gradient of Σ loss / divisor over a mini-batch, micro-batch by
/// micro-batch on the executor, added up in a fixed order. Gives each micro-batch's report and the
/// gradient's norm.
pub(super) fn descend<T: Send + Sync>(
    policy: &mut Policy,
    optimizer: &mut AdamW,
    mini_batch: &[usize],
    descent: &Descent,
    length: &dyn Fn(&usize) -> usize,
    loss: &Loss<'_, T>,
    executor: &dyn Executor,
) -> Result<(Vec<T>, f64), WeightsError> {
    // Passages of similar length share a micro-batch, so that little is spent on padding.
    let mut order = mini_batch.to_vec();
    order.sort_by_key(length);
    let micro_batches = even_chunks(&order, descent.micro_batch_size);
    let results = map(executor, micro_batches.len(), |index| {
        let copy = policy.with_decoder(tracked(&policy.decoder));
        let (loss, report) = loss(&copy, micro_batches[index])?;
        let loss = loss.div_scalar(descent.divisor as f64);
        Ok::<_, WeightsError>((gradients(&copy.decoder, loss.backward()), report))
    });
    let mut sum: Option<Vec<Tensor<1>>> = None;
    let mut reports = Vec::with_capacity(results.len());
    for result in results {
        let (gradients, report) = result?;
        reports.push(report);
        sum = Some(match sum {
            None => gradients,
            Some(sum) => sum.into_iter().zip(gradients).map(|(a, b)| a + b).collect(),
        });
    }
    let (gradients, norm) = clip_global_norm(sum.unwrap_or_default(), descent.max_grad_norm)?;
    let values = parameters(&policy.decoder).into_iter().map(|p| p.values).collect();
    let values = optimizer.update(values, gradients, descent.learning_rate);
    policy.decoder = replace(policy.decoder.clone(), values);
    Ok((reports, norm))
}

fn loss(
    policy: &Policy,
    reference: &Policy,
    samples: &[Sample],
    members: &[usize],
    config: &Config,
) -> Result<(Tensor<1>, Sums), WeightsError> {
    let passages: Vec<Passage<'_>> = members
        .iter()
        .map(|&i| Passage { prompt: &samples[i].prompt, response: &samples[i].response })
        .collect();
    let temperature = config.rollout.temperature;
    let reference = read(reference.score(&passages, temperature).log_probabilities)?;
    let scores = policy.score(&passages, temperature);
    let targets = Targets {
        old: members.iter().flat_map(|&i| samples[i].old.iter().copied()).collect(),
        reference: reference.into_iter().map(f64::from).collect(),
        advantage: members
            .iter()
            .flat_map(|&i| samples[i].response.iter().map(move |_| samples[i].advantage))
            .collect(),
    };
    let sums = Sums::of(
        &read(scores.log_probabilities.clone().inner())?,
        &read(scores.entropies.clone().inner())?,
        &targets,
        &config.learn,
    );
    Ok((total(&scores.log_probabilities, scores.entropies, &targets, &config.learn), sums))
}
