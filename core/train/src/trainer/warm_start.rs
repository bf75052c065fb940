//! Warm start: imitation of play that is part scripted, part random.
//!
//! Reinforcement learning then starts from a policy that speaks the language of the environment
//! but mostly fails, as an instruct model would.

use hgpo_env::random::{Purpose, Stream};

use crate::chunks::even_chunks;
use crate::config::Config;
use crate::objective::Imitation;
use crate::policy::{AdamWSettings, OptimizerStep, Passage, Policy};
use crate::rollout::demonstrations::Demonstration;
use crate::update::micro_batches::MicroBatches;
use crate::{Host, TrainerError};

/// Imitates the demonstrations. Gives the policy after it and the mean loss (nats a token) of the last
/// tenth of the updates.
///
/// # Errors
/// When the device fails, a gradient is no longer a number, or the user asks to stop.
pub fn imitate<P: Policy>(
    mut policy: P,
    demonstrations: &[Demonstration],
    config: &Config,
    host: &dyn Host,
) -> Result<(P, f64), TrainerError> {
    let warm_start = &config.warm_start;
    let settings =
        AdamWSettings { beta_2: warm_start.beta_2, ..AdamWSettings::from(&config.learn) };
    let mut optimizer = policy.optimizer(settings);
    let mut micro_batches = MicroBatches::new(&config.learn, &policy);
    let passages: Vec<Passage<'_>> =
        demonstrations.iter().map(|(prompt, response)| Passage { prompt, response }).collect();
    let order: Vec<usize> = (0..passages.len()).collect();
    let chunks = even_chunks(&order, warm_start.mini_batch_size).len();
    let total = warm_start.epochs.saturating_mul(chunks);
    let mut losses = Vec::new();
    for epoch in 0..warm_start.epochs {
        let mut order = order.clone();
        // Apart from the shuffles of iterations, which count from 1.
        Stream::new(config.seed, Purpose::Shuffle, [0, epoch as u64]).shuffle(&mut order);
        for mini_batch in even_chunks(&order, warm_start.mini_batch_size) {
            let tokens: usize = mini_batch.iter().map(|&it| passages[it].response.len()).sum();
            let update = OptimizerStep {
                divisor: tokens as f64,
                max_grad_norm: config.learn.max_grad_norm,
                learning_rate: warm_start.learning_rate * schedule(losses.len(), total),
            };
            let (norm, sums) = micro_batches.fit(mini_batch, &passages, host, |micro_batches| {
                let (gradient, sums) = micro_batches
                    .gradient(&policy, &passages, mini_batch, 1.0, &Imitation, host)?;
                let apply = |gradient| policy.apply(gradient, &mut optimizer, update);
                Ok((gradient.map(apply).transpose()?, sums))
            })?;
            losses.push(sums.iter().sum::<f64>() / tokens as f64);
            if norm.is_some_and(|norm| !norm.is_finite()) {
                if let ([_], [first, ..]) = (&losses[..], mini_batch) {
                    // Nothing was learned yet: the model itself may be to blame, and says so.
                    policy.score(&[passages[*first]], 1.0)?;
                }
                return Err(TrainerError::WarmStart { update: losses.len(), total });
            }
            host.progress("warm start", losses.len(), total);
        }
    }
    let last = &losses[losses.len() - losses.len().div_ceil(10)..];
    let loss = last.iter().sum::<f64>() / last.len().max(1) as f64;
    Ok((policy, loss))
}

/// Linear warm-up over the first tenth, then linear decay to a tenth.
fn schedule(done: usize, total: usize) -> f64 {
    let done = done as f64 / total as f64;
    (done * 10.0 + 0.1).min(1.0 - 0.9 * done)
}
