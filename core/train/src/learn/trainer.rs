//! The loop of one iteration: collect groups, estimate advantages, update the policy.

use std::sync::Arc;

use burn::tensor::Device;
use hgpo_core::{Batch, Trajectory, estimate};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Split, Suite};

use super::metrics::{self, Metrics, Timing};
use super::optimizer::AdamW;
use super::start::{Policies, Start};
use super::state::{State, damaged};
use super::update::{Sample, update};
use super::{Host, LearnError, WriteFile, warm_start};
use crate::config::Config;
use crate::policy::decoder::Policy;
use crate::rollout::episode::Episode;
use crate::rollout::prompt::Format;
use crate::rollout::{Play, collect};

/// A policy in training, with everything that a resumed run needs.
pub struct Trainer {
    pub(super) config: Config,
    suite: Arc<dyn Suite>,
    pub(super) format: Arc<dyn Format>,
    pub(super) policies: Policies,
    optimizer: AdamW,
    iteration: u64,
}

/// What one iteration did.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Counted from 1.
    pub number: u64,
    /// Named values, in a fixed order.
    pub metrics: Metrics,
    /// The episodes it learned from.
    pub trajectories: Vec<Trajectory>,
}

/// Success on held-out tasks.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Which tasks.
    pub split: Split,
    /// Names the tasks and the sampling.
    pub seed: u64,
    /// Episodes played, one a task.
    pub episodes: usize,
    /// Episodes that completed their task.
    pub successes: usize,
    /// Steps an episode.
    pub mean_length: f64,
    /// The episodes.
    pub trajectories: Vec<Trajectory>,
}

impl Trainer {
    /// A trainer at iteration 0, before the warm start.
    ///
    /// # Errors
    /// When a setting does not make sense.
    pub fn new(
        config: &Config,
        suite: Arc<dyn Suite>,
        start: Start,
        device: &Device,
    ) -> Result<Self, LearnError> {
        config.validate()?;
        Self::assemble(config, suite, start, device)
    }

    fn assemble(
        config: &Config,
        suite: Arc<dyn Suite>,
        start: Start,
        device: &Device,
    ) -> Result<Self, LearnError> {
        let (policies, format) = Policies::new(config, suite.as_ref(), start, device)?;
        Ok(Self {
            optimizer: AdamW::new(&policies.policy.trained_sizes(), &config.learn, device),
            config: config.clone(),
            suite,
            format,
            policies,
            iteration: 0,
        })
    }

    /// The policy as it is now.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policies.policy
    }

    /// Iterations done.
    #[must_use]
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// Imitates scripted and random play, and makes the result the reference policy. `None` when
    /// interrupted: the policy is then as before.
    ///
    /// # Errors
    /// When the device fails.
    pub fn warm_start(&mut self, host: &dyn Host) -> Result<Option<Metrics>, LearnError> {
        let start = host.seconds();
        if self.config.warm_start.episodes == 0 {
            return Ok(Some(Metrics::new()));
        }
        let steps = warm_start::demonstrations(
            self.suite.as_ref(),
            self.format.as_ref(),
            &self.config,
            host.executor(),
        )?;
        let progress = |done, total| {
            host.progress("warm start", done, total);
            !host.interrupted()
        };
        let mut policy = self.policies.policy.clone();
        let loss =
            warm_start::imitate(&mut policy, &steps, &self.config, host.executor(), &progress)?;
        let Some(loss) = loss else { return Ok(None) };
        self.policies.begin_with(&policy)?;
        Ok(Some(metrics::warm_start(steps.len(), loss, host.seconds() - start)))
    }

    /// One iteration of the published loop (rollout, returns, penalty, advantages, reference
    /// log-probabilities, update). `None` when interrupted: the state is then unchanged.
    ///
    /// # Errors
    /// When a task cannot be started, the device fails or the optimisation diverges.
    pub fn iterate(&mut self, host: &dyn Host) -> Result<Option<Iteration>, LearnError> {
        let number = self.iteration + 1;
        let start = host.seconds();
        let mut episodes = self.groups(number)?;
        if !self.play(&mut episodes, self.config.rollout.temperature, "rollout", host)? {
            return Ok(None);
        }
        let collected = host.seconds();

        let options = self.config.options()?;
        let turns: Vec<_> = episodes.iter_mut().map(|e| std::mem::take(&mut e.turns)).collect();
        let batch = Batch::new(episodes.into_iter().map(|e| e.trajectory).collect())?;
        let estimate = estimate(&batch, &options)?;
        let samples: Vec<Sample> = turns
            .into_iter()
            .zip(estimate.advantages.iter())
            .flat_map(|(turns, advantages)| turns.into_iter().zip(advantages))
            .map(|(turn, &advantage)| Sample::new(turn, advantage))
            .collect();
        let estimated = host.seconds();

        let report = update(
            &mut self.policies.policy,
            &self.policies.reference,
            &mut self.optimizer,
            &samples,
            &self.config,
            number,
            host,
        )?;
        if !report.grad_norm.is_finite() {
            return Err(LearnError::Diverged(number));
        }
        self.iteration = number;
        let timing = Timing { start, collected, estimated, updated: host.seconds() };
        let metrics = metrics::iteration(number, &batch, &options, &report, &self.config, &timing)?;
        Ok(Some(Iteration { number, metrics, trajectories: batch.into_trajectories() }))
    }

    /// Plays held-out tasks without learning; `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    pub fn evaluate(
        &self,
        split: Split,
        seed: u64,
        host: &dyn Host,
    ) -> Result<Option<Evaluation>, LearnError> {
        let mut episodes: Vec<Episode> = (0..self.config.evaluation.tasks)
            .map(|task| {
                let index = [split as u64, task as u64];
                let task_seed = self.suite.evaluation_task(split, seed, task);
                let stream = Stream::new(seed, Purpose::Sampling, index);
                self.episode(split, &format!("t{task:03}"), "0", task_seed, stream)
            })
            .collect::<Result<_, _>>()?;
        if !self.play(&mut episodes, self.config.evaluation.temperature, "evaluate", host)? {
            return Ok(None);
        }
        let steps: usize = episodes.iter().map(|e| e.trajectory.steps.len()).sum();
        Ok(Some(Evaluation {
            split,
            seed,
            episodes: episodes.len(),
            successes: episodes.iter().filter(|e| e.won).count(),
            mean_length: steps as f64 / episodes.len().max(1) as f64,
            trajectories: episodes.into_iter().map(|e| e.trajectory).collect(),
        }))
    }

    /// Writes the files of a checkpoint.
    ///
    /// # Errors
    /// When the device does not give the weights back, or what `write` fails with.
    pub fn save<E: From<LearnError>>(&self, write: &mut WriteFile<'_, E>) -> Result<(), E> {
        let state = State {
            iteration: self.iteration,
            optimizer_step: self.optimizer.step_count(),
            tokenizer: self.policies.words.clone(),
        };
        self.policies.save(write)?;
        write("optimizer.safetensors", self.optimizer.save().map_err(LearnError::from)?)?;
        write(State::FILE, state.to_json()?)
    }

    /// The trainer that [`Trainer::save`] wrote; it needs the start that it was made from.
    ///
    /// # Errors
    /// When a file is missing or damaged, or does not fit the configuration.
    pub fn restore(
        config: &Config,
        suite: Arc<dyn Suite>,
        start: Start,
        device: &Device,
        read: &mut dyn FnMut(&str) -> Result<Vec<u8>, std::io::Error>,
    ) -> Result<Self, LearnError> {
        config.validate()?;
        let mut file = |name: &str| {
            read(name).map_err(|source| LearnError::Checkpoint { name: name.to_owned(), source })
        };
        let state = State::parse(&file(State::FILE)?)?;
        let start = match (start, state.tokenizer) {
            (Start::Scratch(_), words) => Start::Scratch(words),
            (start, _) => start,
        };
        let mut trainer = Self::assemble(config, suite, start, device)?;
        trainer.policies.load(&mut file)?;
        trainer
            .optimizer
            .load(&file("optimizer.safetensors")?, state.optimizer_step, device)
            .map_err(|error| damaged("optimizer.safetensors", &error))?;
        trainer.iteration = state.iteration;
        Ok(trainer)
    }

    /// `rollout.tasks` groups of `rollout.group_size` episodes from the same start.
    fn groups(&self, iteration: u64) -> Result<Vec<Episode>, LearnError> {
        let rollout = &self.config.rollout;
        let member = |task: usize, member: usize| {
            let seed = self.suite.training_task(self.config.seed, iteration, task);
            let index = (task * rollout.group_size + member) as u64;
            let stream = Stream::new(self.config.seed, Purpose::Sampling, [iteration, index]);
            let name = format!("g{task:02}");
            self.episode(Split::Train, &name, &format!("{name}t{member}"), seed, stream)
        };
        (0..rollout.tasks)
            .flat_map(|task| (0..rollout.group_size).map(move |index| (task, index)))
            .map(|(task, index)| member(task, index))
            .collect()
    }

    /// An episode of a task at its first step.
    pub(super) fn episode(
        &self,
        split: Split,
        task: &str,
        name: &str,
        seed: u64,
        stream: Stream,
    ) -> Result<Episode, LearnError> {
        let environment = self.suite.start(split, seed)?;
        let instruction = environment.instruction().into();
        let trajectory = Trajectory {
            environment: Some(self.suite.name().to_owned()),
            seed: Some(seed),
            extra: [("instruction".to_owned(), instruction)].into_iter().collect(),
            ..Trajectory::new(task, name, Vec::new())
        };
        Ok(Episode::new(environment, trajectory, stream))
    }

    /// Plays episodes to their end; false when interrupted.
    pub(super) fn play(
        &self,
        episodes: &mut [Episode],
        temperature: f64,
        phase: &str,
        host: &dyn Host,
    ) -> Result<bool, LearnError> {
        let play = self.at_temperature(temperature);
        let total = episodes.len();
        let keep_going = |finished| {
            host.progress(phase, finished, total);
            !host.interrupted()
        };
        let (policy, format) = (self.policies.policy.held(), self.format.as_ref());
        Ok(collect(&policy, format, episodes, play, host.executor(), &keep_going)?)
    }

    /// How this run plays.
    pub(super) fn at_temperature(&self, temperature: f64) -> Play {
        Play {
            temperature,
            max_response_tokens: self.config.rollout.max_response_tokens,
            batch_size: self.config.rollout.batch_size,
            batches: self.config.rollout.batches,
            inadmissible_is_invalid: self.config.environment.inadmissible_is_invalid,
        }
    }
}
