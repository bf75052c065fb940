//! Update: an iteration's gradients and steps of the optimiser.

pub(crate) mod divergence_in_reward;
pub mod micro_batches;
mod non_finite_gradient;
pub mod repeats;

use hgpo_env::random::{Purpose, Stream};

use self::micro_batches::{MicroBatches, unless_stopped};
use self::non_finite_gradient::likely_cause;
use self::repeats::{DistinctPassages, mini_batches};
use crate::config::{Config, LearnConfig};
use crate::executor::Executor;
use crate::objective::clipped::{ClippedObjective, LossSums, Sample, gradient_divisor};
use crate::policy::{OptimizerStep, Passage, Policy, TokenScore};
use crate::{Host, TrainerError};

/// The most trained values whose state before an update is kept until it is done: weights and two
/// moments in single precision are then below 2 GiB.
pub(crate) const MAX_REVERTIBLE_PARAMETERS: usize = (2 << 30) / 12;

/// What the updates of one iteration did.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateReport {
    /// Token sums over all mini-batches.
    pub sums: LossSums,
    /// Mean norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Optimiser updates.
    pub updates: usize,
}

/// Learns from an iteration's samples: scores of the reference if the loss holds them, then for every
/// mini-batch the gradient of the loss at the policy's own scores, and a step against it. `iteration` names the shuffle.
/// `None` when the user asks to stop: policy and optimiser are then as before. What they were is kept
/// meanwhile if it is small; once a larger policy has made its first step, the rest is carried
/// through.
///
/// # Errors
/// When the device fails, or a gradient is no longer a number.
pub fn update<P: Policy>(
    policy: &mut P,
    reference: &P,
    optimizer: &mut P::Optimizer,
    samples: &[Sample],
    config: &Config,
    iteration: u64,
    host: &dyn Host,
) -> Result<Option<UpdateReport>, TrainerError> {
    let (learn, temperature) = (&config.learn, config.rollout.temperature);
    let micro_batches = MicroBatches::new(learn);
    let sets = DistinctPassages::new(samples);
    let passages = sets.all();
    let Some(reference) = reference_scores(reference, &passages, config, host)? else {
        return Ok(None);
    };
    let loss = ClippedObjective::new(samples, &sets.sets, &reference, learn, host);
    let is_small = policy.trained_count() <= MAX_REVERTIBLE_PARAMETERS;
    let mut before = None;
    let uninterruptible = UninterruptibleHost(host);
    let mut report = UpdateReport::default();
    let shuffled_mini_batches = |epoch| {
        let mut order: Vec<usize> = (0..sets.sets.len()).collect();
        Stream::new(config.seed, Purpose::Shuffle, [iteration, epoch]).shuffle(&mut order);
        mini_batches(&sets.sets, &order, learn.mini_batch_size)
    };
    let mut mini_batches = (0..learn.epochs as u64).flat_map(shuffled_mini_batches).peekable();
    while let Some(mini_batch) = mini_batches.next() {
        let may_stop = is_small || report.updates == 0;
        let host = if may_stop { host } else { &uninterruptible };
        let found =
            micro_batches.gradient(policy, &passages, &mini_batch, temperature, &loss, host);
        let Some((gradient, sums)) = unless_stopped(found)? else {
            if let Some(before) = before {
                (*policy, *optimizer) = before;
            }
            return Ok(None);
        };
        let Some(gradient) = gradient else { continue };
        // After the last update there is nothing left to stop.
        if is_small && report.updates == 0 && mini_batches.peek().is_some() {
            before = Some((policy.clone(), optimizer.clone()));
        }
        let divisor = gradient_divisor(config, sets.count(&mini_batch));
        let step = optimizer_step(learn, divisor, iteration);
        let norm = policy.apply(gradient, optimizer, step)?;
        if !norm.is_finite() {
            let likely = likely_cause(samples, &reference, &sums, learn);
            return Err(TrainerError::Diverged { iteration, likely });
        }
        for sums in &sums {
            report.sums.add(sums);
        }
        report.grad_norm += norm;
        report.updates += 1;
    }
    report.grad_norm /= report.updates.max(1) as f64;
    Ok(Some(report))
}

/// A step of the optimiser in an iteration.
pub(crate) fn optimizer_step(learn: &LearnConfig, divisor: f64, iteration: u64) -> OptimizerStep {
    let learning_rate = learn.learning_rate_of(iteration);
    OptimizerStep { divisor, max_grad_norm: learn.max_grad_norm, learning_rate }
}

/// What the reference policy says of passages: nothing if the loss does not compare with it; `None` when the user
/// asks to stop.
pub(crate) fn reference_scores<P: Policy>(
    reference: &P,
    passages: &[Passage<'_>],
    config: &Config,
    host: &dyn Host,
) -> Result<Option<Vec<Vec<TokenScore>>>, TrainerError> {
    if !config.learn.objective.has_divergence_in_loss() {
        return Ok(Some(Vec::new()));
    }
    score(reference, passages, config, host)
}

/// What a policy says of passages, as it was trained; `None` when the user asks to stop.
fn score<P: Policy>(
    policy: &P,
    passages: &[Passage<'_>],
    config: &Config,
    host: &dyn Host,
) -> Result<Option<Vec<Vec<TokenScore>>>, TrainerError> {
    let micro_batches = MicroBatches::new(&config.learn);
    let scores = micro_batches.score(policy, passages, config.rollout.temperature, host);
    Ok(unless_stopped(scores)?)
}

/// A host that nobody can interrupt.
struct UninterruptibleHost<'a>(&'a dyn Host);

impl Host for UninterruptibleHost<'_> {
    fn executor(&self) -> &dyn Executor {
        self.0.executor()
    }

    fn seconds(&self) -> f64 {
        self.0.seconds()
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, phase: &str, done: usize, total: usize) {
        self.0.progress(phase, done, total);
    }
}
