//! Training by hand: the parts of an iteration, one at a time, for loops that others write: play, advantages
//! of any kind, the gradient of any share of the steps, a sum of gradients, a step of the optimiser.

use hgpo_core::Trajectory;

use super::{Learner, Trainer};
use crate::error::unless_stopped;
use crate::objective::clipped::{ClippedObjective, LossCount, LossSums, Sample, gradient_divisor};
use crate::policy::PolicyError;
use crate::policy::remote::PortablePolicy;
use crate::rollout::episode::{Episode, Turn};
use crate::update::divergence_in_reward::divergence_in_reward;
use crate::update::micro_batches::MicroBatches;
use crate::update::repeats::DistinctPassages;
use crate::update::{optimizer_step, reference_scores};
use crate::{Host, Interruptible, TrainerError};

/// An episode that was played, with what the policy read and wrote at each of its steps.
#[derive(Clone, Debug)]
pub struct EpisodeRecord {
    /// What happened.
    pub trajectory: Trajectory,
    /// Prompts and responses.
    pub turns: Vec<Turn>,
}

/// A gradient as bytes, summed over response tokens, and what the loss reports of them; no bytes of no tokens.
pub type GradientShare = (Vec<u8>, LossSums);

/// A learner whose iterations can be made by hand.
pub trait LearnerByHand: Learner {
    /// Plays groups of the tasks of the iteration that comes next, by their numbers, as [`Learner::iterate`] does of
    /// all of them (without dynamic sampling); `None` when interrupted.
    ///
    /// # Errors
    /// When a task cannot be started, or the device fails.
    fn play(&self, tasks: &[usize], host: &dyn Host) -> Interruptible<Vec<EpisodeRecord>>;

    /// The gradient of the clipped objective at steps, which are a mini-batch; `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    fn gradient(&self, samples: &[Sample], host: &dyn Host) -> Interruptible<GradientShare>;

    /// The sum of gradients, in their order.
    ///
    /// # Errors
    /// They are not of this policy.
    fn sum(&self, gradients: &[Vec<u8>]) -> Result<Vec<u8>, TrainerError>;

    /// A step of the optimiser against a gradient that is summed over so many response tokens and responses, with the
    /// learning rate of the iteration that comes next. Gives the norm of the mean before clipping; if that is not finite, nothing
    /// has changed.
    ///
    /// # Errors
    /// The gradient is not of this policy, or the device fails.
    fn apply(&mut self, gradient: &[u8], count: LossCount) -> Result<f64, TrainerError>;

    /// Counts an iteration that was made by hand.
    fn end_iteration(&mut self);
}

impl<P: PortablePolicy> LearnerByHand for Trainer<P> {
    fn play(&self, tasks: &[usize], host: &dyn Host) -> Interruptible<Vec<EpisodeRecord>> {
        let play = || {
            let sampler = self.sampler(host);
            let drawn = tasks.iter().map(|&task| (task, task));
            let mut episodes = sampler.start_groups(self.state.iteration + 1, drawn)?;
            sampler.play(&mut episodes, "rollout")?;
            divergence_in_reward(&self.reference, &mut episodes, &self.config, host)?;
            let record = |it: Episode| EpisodeRecord { trajectory: it.trajectory, turns: it.turns };
            Ok(episodes.into_iter().map(record).collect())
        };
        unless_stopped(play())
    }

    fn gradient(&self, samples: &[Sample], host: &dyn Host) -> Interruptible<GradientShare> {
        let gradient = || {
            let Self { state, reference, config, .. } = self;
            let DistinctPassages { sets, passages, .. } = &DistinctPassages::new(samples);
            let scores = reference_scores(reference, passages, config, host)?;
            let loss = ClippedObjective::new(samples, sets, scores.as_deref(), &config.learn, host);
            let all: Vec<usize> = (0..passages.len()).collect();
            let (policy, temperature) = (&state.policy, config.rollout.temperature);
            let (gradient, reports) = MicroBatches::new(&config.learn, policy).gradient(
                policy,
                passages,
                &all,
                temperature,
                &loss,
                host,
            )?;
            let bytes = gradient.map(P::write_gradient).transpose()?.unwrap_or_default();
            let mut sums = LossSums::default();
            for report in &reports {
                sums.add(report);
            }
            Ok((bytes, sums))
        };
        unless_stopped(gradient())
    }

    fn sum(&self, gradients: &[Vec<u8>]) -> Result<Vec<u8>, TrainerError> {
        let given = gradients.iter().filter(|bytes| !bytes.is_empty());
        let read = given.map(|bytes| self.state.policy.read_gradient(bytes));
        let sum = read.reduce(|sum, more| Ok(P::add(sum?, more?))).transpose()?;
        Ok(sum.map(P::write_gradient).transpose()?.unwrap_or_default())
    }

    fn apply(&mut self, gradient: &[u8], count: LossCount) -> Result<f64, TrainerError> {
        let divisor = gradient_divisor(&self.config, count);
        if gradient.is_empty() || count.tokens <= 0.0 || divisor <= 0.0 {
            let problem = "a gradient of no response tokens: there is nothing to learn from";
            return Err(PolicyError::Workers(problem.into()).into());
        }
        let step = optimizer_step(&self.config.learn, divisor, self.state.iteration + 1);
        let gradient = self.state.policy.read_gradient(gradient)?;
        Ok(self.state.policy.apply(gradient, &mut self.state.optimizer, step)?)
    }

    fn end_iteration(&mut self) {
        self.state.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hgpo_core::{Batch, estimate};

    use super::*;
    use crate::config::Config;
    use crate::executor::Sequential;
    use crate::policy::table::TablePolicy;
    use crate::test_environment::CoinSuite;
    use crate::trainer::initial_policy;

    fn trainer() -> (Config, Trainer<TablePolicy>) {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.rollout.tasks = 4;
        // One update, of all that was played.
        config.learn.epochs = 1;
        config.learn.mini_batch_size = 1000;
        let (policy, format) = initial_policy::table(&config);
        let trainer = Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy);
        (config, trainer.unwrap())
    }

    #[test]
    fn training_by_hand_gives_the_updates_of_the_loop() {
        let (config, mut by_hand) = trainer();
        let (_, mut by_loop) = trainer();
        for _ in 0..3 {
            let iteration = by_loop.iterate(&Sequential).unwrap().unwrap();
            let attempts =
                LearnerByHand::play(&by_hand, &[0, 1, 2, 3], &Sequential).unwrap().unwrap();
            let (trajectories, turns): (Vec<_>, Vec<_>) =
                attempts.into_iter().map(|it| (it.trajectory, it.turns)).unzip();
            assert_eq!(trajectories, iteration.trajectories);
            let batch = Batch::new(trajectories).unwrap();
            let advantages = estimate(&batch, &config.options().unwrap()).unwrap().advantages;
            let samples: Vec<Sample> = turns
                .into_iter()
                .flatten()
                .zip(advantages.into_values())
                .map(|(turn, advantage)| Sample::new(turn, advantage))
                .collect();
            // In three shares, as three machines would find them.
            let found = samples.chunks(samples.len().div_ceil(3));
            let found = found
                .map(|it| LearnerByHand::gradient(&by_hand, it, &Sequential).unwrap().unwrap());
            let (shares, sums): (Vec<_>, Vec<LossSums>) = found.unzip();
            let mut whole = LossSums::default();
            for it in &sums {
                whole.add(it);
            }
            assert_eq!(shares.len(), 3);
            let gradient = by_hand.sum(&shares).unwrap();
            let norm = by_hand.apply(&gradient, whole.count).unwrap();
            by_hand.end_iteration();
            let expected = iteration.metrics["grad_norm"].as_f64().unwrap();
            assert!((norm - expected).abs() < 1e-12, "{norm} {expected}");
        }
        assert_eq!(by_hand.iteration(), 3);
        assert_eq!(by_hand.state.policy.len(), by_loop.state.policy.len());
        let weights = |it: &Trainer<TablePolicy>| -> Vec<(u64, u64, f64)> {
            let mut entries: Vec<(u64, u64, f64)> =
                crate::policy::remote::decode(&it.state.policy.write_weights().unwrap()).unwrap();
            entries.sort_by_key(|&(memory, action, _)| (memory, action));
            entries
        };
        // Added up in another order.
        for (by_hand, by_loop) in weights(&by_hand).into_iter().zip(weights(&by_loop)) {
            assert_eq!((by_hand.0, by_hand.1), (by_loop.0, by_loop.1));
            assert!((by_hand.2 - by_loop.2).abs() < 1e-9, "{by_hand:?} {by_loop:?}");
        }
    }

    #[test]
    fn damaged_gradients_are_refused() {
        let (_, mut trainer) = trainer();
        let (none, sums) = LearnerByHand::gradient(&trainer, &[], &Sequential).unwrap().unwrap();
        assert_eq!((none.len(), sums), (0, LossSums::default()));
        assert_eq!(trainer.sum(&[none.clone(), none.clone()]).unwrap(), none);
        let none_counted = LossCount::default();
        let error = trainer.apply(&none, none_counted).unwrap_err().to_string();
        assert!(error.contains("a gradient of no response tokens"), "{error}");
        let one = LossCount { tokens: 1.0, responses: 1.0 };
        assert!(trainer.apply(b"no gradient", one).is_err() && trainer.sum(&[vec![9]]).is_err());
    }
}
