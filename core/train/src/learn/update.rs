//! One iteration's optimiser updates: mini-batches of steps, gradients added over micro-batches.

use std::sync::atomic::{AtomicUsize, Ordering};

use burn::tensor::{Int, Tensor, TensorData};
use hgpo_env::random::{Purpose, Stream};

use super::Host;
use super::descent::{Descent, Objective, descend};
use super::loss::{Sums, Targets, total};
use super::optimizer::AdamW;
use super::repeats::{mini_batches, repeats};
use crate::config::Config;
use crate::policy::decoder::Policy;
use crate::policy::decoder::score::{Passage, Scores};
use crate::policy::decoder::weights::{WeightsError, read};
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
    host: &dyn Host,
) -> Result<UpdateReport, WeightsError> {
    let mut report = UpdateReport::default();
    let sets = repeats(samples);
    let scored = AtomicUsize::new(0);
    let total = sets.len() * config.learn.epochs;
    let progress = |members: usize| {
        let done = scored.fetch_add(members, Ordering::Relaxed) + members;
        host.progress("update", done, total);
    };
    let surrogate = Surrogate { reference, samples, sets: &sets, config, progress: &progress };
    for epoch in 0..config.learn.epochs {
        let mut order: Vec<usize> = (0..sets.len()).collect();
        Stream::new(config.seed, Purpose::Shuffle, [iteration, epoch as u64]).shuffle(&mut order);
        for mini_batch in mini_batches(&sets, &order, config.learn.mini_batch_size) {
            let tokens = |&set: &usize| sets[set].len() * samples[sets[set][0]].response.len();
            let descent = Descent {
                learning_rate: config.learn.learning_rate_of(iteration),
                divisor: mini_batch.iter().map(tokens).sum(),
                temperature: config.rollout.temperature,
                ..Descent::new(&config.learn)
            };
            let (sums, norm) =
                descend(policy, optimizer, &mini_batch, &descent, &surrogate, host.executor())?;
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

/// The clipped objective over sets of equal samples: a set is scored once, its scores are compared
/// with the targets of each member.
struct Surrogate<'a> {
    reference: &'a Policy,
    samples: &'a [Sample],
    sets: &'a [Vec<usize>],
    config: &'a Config,
    progress: &'a (dyn Fn(usize) + Sync),
}

impl Objective for Surrogate<'_> {
    type Report = Sums;

    fn passage(&self, member: usize) -> Passage<'_> {
        let sample = &self.samples[self.sets[member][0]];
        Passage { prompt: &sample.prompt, response: &sample.response }
    }

    fn loss(&self, members: &[usize], scores: Scores) -> Result<(Tensor<1>, Sums), WeightsError> {
        let passages: Vec<Passage<'_>> = members.iter().map(|&it| self.passage(it)).collect();
        let reference = self.reference.score(&passages, self.config.rollout.temperature);
        let reference = read(reference.log_probabilities)?;

        // For every token of every sample, its place among the tokens that were scored.
        let mut places = Vec::new();
        let mut targets = Targets::default();
        let mut start = 0;
        for set in members.iter().map(|&member| &self.sets[member]) {
            let span = start..start + self.samples[set[0]].response.len();
            for sample in set.iter().map(|&index| &self.samples[index]) {
                places.extend(span.clone().map(|place| place as i32));
                targets.old.extend(&sample.old);
                targets.reference.extend(span.clone().map(|place| f64::from(reference[place])));
                targets.advantage.extend(span.clone().map(|_| sample.advantage));
            }
            start = span.end;
        }
        let count = places.len();
        let device = self.reference.device();
        let places = Tensor::<1, Int>::from_data(TensorData::new(places, [count]), device);
        let log_probabilities = scores.log_probabilities.select(0, places.clone());
        let entropies = scores.entropies.select(0, places);
        let learn = &self.config.learn;
        let sums = Sums::of(
            &read(log_probabilities.clone().inner())?,
            &read(entropies.clone().inner())?,
            &targets,
            learn,
        );
        (self.progress)(members.len());
        Ok((total(&log_probabilities, entropies, &targets, learn), sums))
    }
}
