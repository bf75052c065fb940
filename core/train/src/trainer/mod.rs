//! Trainer: a policy in training, and the loop of one iteration.

#[cfg(feature = "remote")]
pub mod by_hand;
mod evaluation;
pub mod initial_policy;
mod learner;
pub mod metrics;
mod state;
#[cfg(test)]
mod tests;
pub mod warm_start;

use std::any::Any;
use std::sync::Arc;

use hgpo_core::{Batch, Estimate, estimate_with_diagnostics};
use hgpo_env::{Split, Suite};

pub use self::evaluation::{Evaluation, EvaluationPlan, SPLITS, add_evaluated};
pub use self::learner::{Iteration, Learner, render_trace};
pub use self::metrics::Metrics;
use self::metrics::{IterationCost, IterationTiming};
pub use self::state::TrainerSnapshot;
use self::state::{TrainerState, read_json, write_json};
use crate::config::{Config, EvaluationConfig, LearnConfig};
use crate::objective::clipped::{Sample, normalize};
use crate::policy::{AdamWSettings, Policy, ReadFile, WriteFile, write_file};
use crate::rollout::demonstrations::demonstrations;
use crate::rollout::episode::Turn;
use crate::rollout::episode_sampler::EpisodeSampler;
use crate::rollout::groups::{SampledGroups, sample_groups};
use crate::rollout::prompt_format::PromptFormat;
use crate::rollout::state_embedding::embed_states;
use crate::update::divergence_in_reward::divergence_in_reward;
use crate::update::update;
use crate::values::bias_study::study_task;
use crate::values::bias_study::{BiasStudyPlan, BiasStudyTask};
use crate::values::critic::{self, Critic};
use crate::values::restarts;
use crate::{Host, TrainerError};

/// A policy in training, with everything that a resumed run needs.
pub struct Trainer<P: Policy> {
    pub(crate) config: Config,
    pub(crate) suite: Arc<dyn Suite>,
    pub(crate) format: Arc<dyn PromptFormat>,
    pub(crate) policy: P,
    /// What the policy is compared with, so that it does not stray from where it began.
    pub(crate) reference: P,
    pub(crate) optimizer: P::Optimizer,
    /// What states are worth, if a critic is asked for; none before it has learned.
    pub(crate) critic: Option<Critic>,
    pub(crate) iteration: u64,
}

impl<P: Policy> Trainer<P> {
    /// A trainer at iteration 0, before the warm start.
    ///
    /// # Errors
    /// When a setting does not make sense.
    pub fn new(
        config: &Config,
        suite: Arc<dyn Suite>,
        format: Arc<dyn PromptFormat>,
        policy: P,
    ) -> Result<Self, TrainerError> {
        config.validate()?;
        Ok(Self {
            config: config.clone(),
            suite,
            format,
            reference: policy.reference(),
            optimizer: policy.optimizer(AdamWSettings::from(&config.learn)),
            policy,
            critic: None,
            iteration: 0,
        })
    }

    /// What plays.
    pub(crate) fn sampler(&self) -> EpisodeSampler<'_, P> {
        let Self { config, suite, format, policy, .. } = self;
        EpisodeSampler { config, suite: suite.as_ref(), format: format.as_ref(), policy }
    }
}

impl<P: Policy> Learner for Trainer<P> {
    fn warm_start(&mut self, host: &dyn Host) -> Result<Option<Metrics>, TrainerError> {
        let start = host.seconds();
        if self.config.warm_start.episodes == 0 {
            return Ok(Some(Metrics::new()));
        }
        let (suite, format) = (self.suite.as_ref(), self.format.as_ref());
        let steps = demonstrations(suite, format, &self.config, host)?;
        let Some(steps) = steps else { return Ok(None) };
        let imitated = warm_start::imitate(self.policy.clone(), &steps, &self.config, host)?;
        let Some((policy, loss)) = imitated else { return Ok(None) };
        self.policy = policy.after_warm_start()?;
        self.reference = self.policy.reference();
        Ok(Some(metrics::warm_start(steps.len(), loss, host.seconds() - start)))
    }

    fn iterate(&mut self, host: &dyn Host) -> Result<Option<Iteration>, TrainerError> {
        let Self { config, reference, .. } = &*self;
        let (number, start) = (self.iteration + 1, host.seconds());
        let sampler = self.sampler();
        let Some(mut groups) = sample_groups(&sampler, number, host)? else { return Ok(None) };
        if !restarts::estimate_values(&sampler, number, &mut groups, host)? {
            return Ok(None);
        }
        let divergence = divergence_in_reward(reference, &mut groups.episodes, config, host)?;
        let Some(divergence) = divergence else { return Ok(None) };
        let critic = self.critic.as_ref();
        let learned = critic::estimate_values(critic, config, reference, &mut groups.episodes)?;
        let collected = host.seconds();

        let options = config.options()?;
        let SampledGroups { mut episodes, streams, dropped, environment_steps } = groups;
        let dropped_groups = (config.rollout.dynamic_sampling > 0).then_some(dropped);
        let cost = IterationCost { environment_steps, dropped_groups, divergence };
        let turns: Vec<_> = episodes.iter_mut().map(|e| std::mem::take(&mut e.turns)).collect();
        let mut trajectories: Vec<_> = episodes.into_iter().map(|e| e.trajectory).collect();
        if config.estimator.reads_embeddings() {
            embed_states(reference, sampler.format, &mut trajectories)?;
        }
        let batch = Batch::new(trajectories)?;
        let (estimate, diagnostics) = estimate_with_diagnostics(&batch, &options)?;
        let steps = samples(turns, estimate, &config.learn);
        let estimated = host.seconds();

        let Self { policy, reference, optimizer, config, .. } = self;
        let report = update(policy, reference, optimizer, &steps, config, number, host)?;
        let Some(report) = report else { return Ok(None) };
        self.iteration = number;
        let timing = IterationTiming { start, collected, estimated, updated: host.seconds() };
        let mut metrics =
            metrics::iteration((number, cost), &batch, &diagnostics, &report, config, &timing);
        if let Some((critic, explained_variance)) = learned {
            metrics.insert("critic/explained_variance".into(), explained_variance.into());
            self.critic = Some(critic);
        }
        Ok(Some(Iteration { number, metrics, trajectories: batch.into_trajectories(), streams }))
    }

    fn evaluate(
        &self,
        plan: &EvaluationPlan,
        host: &dyn Host,
    ) -> Result<Option<Evaluation>, TrainerError> {
        evaluation::evaluate(&self.sampler(), plan, host)
    }

    fn evaluate_split(
        &self,
        split: Split,
        seed: u64,
        host: &dyn Host,
    ) -> Result<Option<Evaluation>, TrainerError> {
        let EvaluationConfig { tasks, temperature, .. } = self.config.evaluation;
        self.evaluate(&EvaluationPlan { split, seed, tasks, attempt: 0, temperature }, host)
    }

    fn save(&self, write: &mut WriteFile<'_>) -> Result<(), TrainerError> {
        self.policy.save(&self.reference, &self.optimizer, write)?;
        if let Some((name, bytes)) = self.format.file() {
            write_file(write, name, bytes)?;
        }
        if let Some(critic) = &self.critic {
            write_json(write, Critic::FILE, serde_json::to_vec(critic))?;
        }
        let state = TrainerState {
            iteration: self.iteration,
            optimizer_step: P::step_count(&self.optimizer),
            has_critic: self.critic.is_some(),
        };
        Ok(write_json(write, TrainerState::FILE, serde_json::to_vec_pretty(&state))?)
    }

    fn restore(&mut self, read: &mut ReadFile<'_>) -> Result<(), TrainerError> {
        let state: TrainerState = read_json(read, TrainerState::FILE)?;
        let step = state.optimizer_step;
        self.policy.load(&mut self.reference, &mut self.optimizer, step, read)?;
        self.critic = state.has_critic.then(|| read_json(read, Critic::FILE)).transpose()?;
        self.iteration = state.iteration;
        Ok(())
    }

    fn study_task(
        &self,
        plan: &BiasStudyPlan,
        task: usize,
        host: &dyn Host,
    ) -> Result<Option<BiasStudyTask>, TrainerError> {
        study_task(&self.sampler(), &self.reference, self.critic.as_ref(), (plan, task), host)
    }

    fn iteration(&self) -> u64 {
        self.iteration
    }

    fn group_size(&self) -> usize {
        self.config.rollout.group_size
    }

    fn trained_count(&self) -> usize {
        self.policy.trained_count()
    }

    fn policy(&self) -> &dyn Any {
        self.policy.as_any()
    }
}

/// What was played, with the advantages that are learned from.
fn samples(turns: Vec<Vec<Turn>>, estimate: Estimate, learn: &LearnConfig) -> Vec<Sample> {
    let mut advantages = estimate.advantages.into_values();
    if learn.normalize_advantages {
        advantages = normalize(&advantages);
    }
    let turns = turns.into_iter().flatten();
    turns.zip(advantages).map(|(turn, advantage)| Sample::new(turn, advantage)).collect()
}
