//! Update: an iteration's gradients and steps of the optimiser.

pub(crate) mod divergence_in_reward;
pub mod micro_batches;
mod non_finite_gradient;
pub mod repeats;

use hgpo_env::random::{Purpose, Stream};

use self::micro_batches::MicroBatches;
use self::non_finite_gradient::likely_cause;
use self::repeats::{DistinctPassages, mini_batches};
use crate::config::{Config, LearnConfig};
use crate::executor::Executor;
use crate::objective::clipped::{ClippedObjective, LossSums, Sample, gradient_divisor};
use crate::policy::{OptimizerStep, Passage, Policy, PolicyError, TokenScore};
use crate::{Host, TrainerError};

/// The most trained values whose state before an update is kept until it is done: weights and two
/// moments in single precision are then below 2 GiB.
pub(crate) const MAX_REVERTIBLE_PARAMETERS: usize = (2 << 30) / 12;

/// What the updates of one iteration did.
#[derive(Clone, Debug, Default)]
pub struct UpdateReport {
    /// Token sums over all mini-batches.
    pub sums: LossSums,
    /// Mean norm of the gradient before clipping.
    pub grad_norm: f64,
    /// Of a team, the sum of these norms for every policy, and the updates in which it had steps.
    pub member_norms: Vec<(f64, usize)>,
    /// Optimiser updates.
    pub updates: usize,
    /// Tokens that the device had memory for at once: `learn.micro_batch_tokens`, or fewer.
    pub micro_batch_tokens: usize,
}

/// Learns from an iteration's samples: scores of the reference if the loss holds them, then for every
/// mini-batch the gradient of the loss at the policy's own scores, and a step against it. `iteration` names the shuffle.
/// When the user asks to stop, policy and optimiser are as before. What they were is kept meanwhile if it is
/// small; once a larger policy has made its first step, the rest is carried through.
///
/// # Errors
/// When the device fails, a gradient is no longer a number, or the user asks to stop.
pub fn update<P: Policy>(
    policy: &mut P,
    reference: &P,
    optimizer: &mut P::Optimizer,
    samples: &[Sample],
    config: &Config,
    iteration: u64,
    host: &dyn Host,
) -> Result<UpdateReport, TrainerError> {
    let (learn, temperature) = (&config.learn, config.rollout.temperature);
    let mut micro_batches = MicroBatches::new(learn, policy);
    let distinct = DistinctPassages::new(samples);
    let DistinctPassages { sets, passages, .. } = &distinct;
    let reference = reference_scores(reference, passages, config, host)?;
    let loss = ClippedObjective::new(samples, sets, reference.as_deref(), learn, host);
    let is_small = policy.trained_count() <= MAX_REVERTIBLE_PARAMETERS;
    let mut before = None;
    let uninterruptible = UninterruptibleHost { host, phase: None };
    let mut report = UpdateReport::default();
    let shuffled_mini_batches = |epoch| {
        let mut order: Vec<usize> = (0..sets.len()).collect();
        Stream::new(config.seed, Purpose::Shuffle, [iteration, epoch]).shuffle(&mut order);
        mini_batches(sets, &order, learn.mini_batch_size)
    };
    let mut mini_batches = (0..learn.epochs as u64).flat_map(shuffled_mini_batches).peekable();
    while let Some(mini_batch) = mini_batches.next() {
        let may_stop = is_small || report.updates == 0;
        let host = if may_stop { host } else { &uninterruptible };
        // After the last update there is nothing left to stop.
        let is_kept = is_small && report.updates == 0 && mini_batches.peek().is_some();
        let divisor = gradient_divisor(config, distinct.count(&mini_batch));
        let step = optimizer_step(learn, divisor, iteration);
        let found = micro_batches.fit(&mini_batch, passages, host, |micro_batches| {
            let (gradient, sums) =
                micro_batches.gradient(policy, passages, &mini_batch, temperature, &loss, host)?;
            let Some(gradient) = gradient else { return Ok(None) };
            if is_kept {
                before = Some((policy.clone(), optimizer.clone()));
            }
            let norm = policy.apply(gradient, optimizer, step);
            if matches!(norm, Err(PolicyError::OutOfMemory(_))) {
                policy.release_memory();
            }
            Ok(Some((norm?, sums)))
        });
        if matches!(found, Err(PolicyError::Stopped))
            && let Some(before) = before.take()
        {
            (*policy, *optimizer) = before;
        }
        let Some((norm, sums)) = found? else { continue };
        if !norm.is_finite() {
            let reference = reference.as_deref().unwrap_or_default();
            let likely = likely_cause(samples, reference, &sums, learn);
            return Err(TrainerError::Diverged { iteration, likely });
        }
        for sums in &sums {
            report.sums.add(sums);
        }
        report.grad_norm += norm;
        let member_norms = policy.member_norms();
        report.member_norms.resize(member_norms.len(), (0.0, 0));
        for (sum, norm) in report.member_norms.iter_mut().zip(member_norms) {
            *sum = (sum.0 + norm.unwrap_or_default(), sum.1 + usize::from(norm.is_some()));
        }
        report.updates += 1;
    }
    report.grad_norm /= report.updates.max(1) as f64;
    report.micro_batch_tokens = micro_batches.tokens;
    Ok(report)
}

/// A step of the optimiser in an iteration.
pub(crate) fn optimizer_step(learn: &LearnConfig, divisor: f64, iteration: u64) -> OptimizerStep {
    let learning_rate = learn.learning_rate_of(iteration);
    OptimizerStep { divisor, max_grad_norm: learn.max_grad_norm, learning_rate }
}

/// What the reference policy says of passages, if the loss compares with it.
pub(crate) fn reference_scores<P: Policy>(
    reference: &P,
    passages: &[Passage<'_>],
    config: &Config,
    host: &dyn Host,
) -> Result<Option<Vec<Vec<TokenScore>>>, PolicyError> {
    let (learn, temperature) = (&config.learn, config.rollout.temperature);
    let score =
        || MicroBatches::new(learn, reference).score(reference, passages, temperature, host);
    learn.objective.has_divergence_in_loss().then(score).transpose()
}

/// A host that nobody can interrupt; what it is told of has its own name, or that of `phase`.
pub(crate) struct UninterruptibleHost<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) phase: Option<&'static str>,
}

impl Host for UninterruptibleHost<'_> {
    fn executor(&self) -> &dyn Executor {
        self.host.executor()
    }

    fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, phase: &str, done: usize, total: usize) {
        self.host.progress(self.phase.unwrap_or(phase), done, total);
    }

    fn note(&self, text: &str) {
        self.host.note(text);
    }
}
