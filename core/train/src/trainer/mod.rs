//! Trainer: a policy in training, and the loop of one iteration.

mod agent_metrics;
pub mod agent_play;
#[cfg(test)]
mod agent_tests;
#[cfg(feature = "remote")]
pub mod by_hand;
mod evaluation;
pub mod initial_policy;
mod learner;
#[cfg(test)]
mod memory_tests;
pub mod metrics;
mod state;
#[cfg(test)]
mod tests;
mod token_records;
mod trace;
pub mod warm_start;

use std::any::Any;
use std::sync::Arc;

use hgpo_core::{Batch, Estimate, estimate_with_diagnostics};
use hgpo_env::{Split, Suite};

pub use self::evaluation::{Evaluation, EvaluationPlan, SPLITS, add_evaluated};
pub use self::learner::{Iteration, Learner};
pub use self::metrics::Metrics;
use self::metrics::{IterationCost, IterationTiming};
pub use self::state::TrainerSnapshot;
use self::state::{TrainerState, read_json, write_json};
pub use self::token_records::TokenRecord;
pub use self::trace::render_trace;
use crate::config::{Config, EvaluationConfig, LearnConfig};
use crate::error::unless_stopped;
use crate::objective::clipped::{Sample, normalize};
use crate::policy::sampling::Sampling;
use crate::policy::{AdamWSettings, Policy, ReadFile, WriteFile, write_file};
use crate::rollout::demonstrations::demonstrations;
use crate::rollout::episode::Turn;
use crate::rollout::episode_sampler::EpisodeSampler;
use crate::rollout::groups::SampledGroups;
use crate::rollout::prompt_format::PromptFormat;
use crate::rollout::state_embedding::embed_states;
use crate::update::divergence_in_reward::divergence_in_reward;
use crate::update::update;
use crate::values::bias_study::{BiasStudyPlan, BiasStudyTask, study_task};
use crate::values::critic::{self, Critic};
use crate::values::restarts;
use crate::{Host, Interruptible, TrainerError};

/// A policy in training, with everything that a resumed run needs.
pub struct Trainer<P: Policy> {
    pub(crate) config: Config,
    pub(crate) suite: Arc<dyn Suite>,
    pub(crate) format: Arc<dyn PromptFormat>,
    /// What the policy is compared with, so that it does not stray from where it began.
    pub(crate) reference: P,
    pub(crate) state: TrainerSnapshot<P>,
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
            state: TrainerSnapshot {
                optimizer: policy.optimizer(AdamWSettings::from(&config.learn)),
                policy,
                critic: None,
                iteration: 0,
            },
        })
    }

    /// What plays.
    pub(crate) fn sampler<'a>(&'a self, host: &'a dyn Host) -> EpisodeSampler<'a, P> {
        let Self { config, suite, format, state, .. } = self;
        let (suite, format, policy) = (suite.as_ref(), format.as_ref(), &state.policy);
        let sampling = Sampling::at(config.rollout.temperature);
        EpisodeSampler { config, suite, format, policy, sampling, host }
    }

    /// Imitates scripted and random play.
    fn imitate_play(&mut self, host: &dyn Host) -> Result<Metrics, TrainerError> {
        let start = host.seconds();
        if self.config.warm_start.episodes == 0 {
            return Ok(Metrics::new());
        }
        let (suite, format) = (self.suite.as_ref(), self.format.as_ref());
        let steps = demonstrations(suite, format, &self.config, host)?;
        let (policy, loss) =
            warm_start::imitate(self.state.policy.clone(), &steps, &self.config, host)?;
        self.state.policy = policy.after_warm_start()?;
        self.reference = self.state.policy.reference();
        Ok(metrics::warm_start(steps.len(), loss, host.seconds() - start))
    }

    /// Plays the groups of an iteration, and learns from them.
    fn play_and_learn(&mut self, host: &dyn Host) -> Result<Iteration, TrainerError> {
        let Self { config, reference, .. } = &*self;
        let (number, start) = (self.state.iteration + 1, host.seconds());
        let sampler = self.sampler(host);
        let mut groups = sampler.sample_groups(number)?;
        restarts::estimate_values(&sampler, number, &mut groups)?;
        let divergence = divergence_in_reward(reference, &mut groups.episodes, config, host)?;
        let critic = self.state.critic.as_ref();
        let learned = critic::estimate_values(critic, config, reference, &mut groups.episodes)?;
        let collected = host.seconds();

        let options = config.options()?;
        let SampledGroups { mut episodes, streams, of_teams, dropped, environment_steps } = groups;
        let dropped_groups = (config.rollout.dynamic_sampling > 0).then_some(dropped);
        let cost = IterationCost { environment_steps, dropped_groups, divergence };
        let turns: Vec<_> = episodes.iter_mut().map(|e| std::mem::take(&mut e.turns)).collect();
        let mut trajectories: Vec<_> = episodes.into_iter().map(|e| e.trajectory).collect();
        if config.estimator.reads_embeddings() {
            embed_states(reference, sampler.format, &mut trajectories)?;
        }
        let batch = Batch::new(trajectories)?;
        let (estimate, diagnostics) = estimate_with_diagnostics(&batch, &options)?;
        let mut steps = samples(turns, &estimate, &config.learn);
        agent_metrics::weigh(&mut steps, &batch, &config.learn);
        let estimated = host.seconds();

        let Self { state, reference, config, .. } = self;
        let TrainerSnapshot { policy, optimizer, .. } = state;
        let report = update(policy, reference, optimizer, &steps, config, number, host)?;
        state.iteration = number;
        config.learn.micro_batch_tokens = report.micro_batch_tokens;
        let timing = IterationTiming { start, collected, estimated, updated: host.seconds() };
        let played = of_teams.as_deref().unwrap_or(batch.trajectories());
        let mut metrics =
            metrics::iteration((number, cost), played, &diagnostics, &report, config, &timing);
        let team = config.team(self.suite.as_ref());
        let norms = report.member_norms.as_slice();
        agent_metrics::put(
            of_teams.as_deref(),
            &batch,
            &estimate,
            &steps,
            (&team, norms),
            &mut metrics,
        );
        if let Some((critic, explained_variance)) = learned {
            metrics.insert("critic/explained_variance".into(), explained_variance.into());
            state.critic = Some(critic);
        }
        let trajectories = batch.into_trajectories();
        Ok(Iteration { number, metrics, trajectories, samples: steps, streams })
    }
}

impl<P: Policy> Learner for Trainer<P> {
    fn warm_start(&mut self, host: &dyn Host) -> Interruptible<Metrics> {
        unless_stopped(self.imitate_play(host))
    }

    fn iterate(&mut self, host: &dyn Host) -> Interruptible<Iteration> {
        unless_stopped(self.play_and_learn(host))
    }

    fn token_records(
        &self,
        samples: Vec<Sample>,
        host: &dyn Host,
    ) -> Result<Vec<TokenRecord>, TrainerError> {
        let TrainerSnapshot { policy, .. } = &self.state;
        let format = self.format.as_ref();
        token_records::token_records([policy, &self.reference], format, samples, &self.config, host)
    }

    fn evaluate(&self, plan: &EvaluationPlan, host: &dyn Host) -> Interruptible<Evaluation> {
        unless_stopped(evaluation::evaluate(&self.sampler(host), plan))
    }

    fn evaluate_split(
        &self,
        split: Split,
        seed: u64,
        host: &dyn Host,
    ) -> Interruptible<Evaluation> {
        let EvaluationConfig { tasks, temperature, top_p, .. } = self.config.evaluation;
        let sampling = Sampling { top_p, ..Sampling::at(temperature) };
        self.evaluate(&EvaluationPlan { split, seed, tasks, attempt: 0, sampling }, host)
    }

    fn save(&self, write: &mut WriteFile<'_>) -> Result<(), TrainerError> {
        let TrainerSnapshot { policy, optimizer, critic, iteration } = &self.state;
        policy.save(&self.reference, optimizer, write)?;
        if let Some((name, bytes)) = self.format.file() {
            write_file(write, name, bytes)?;
        }
        if let Some(critic) = critic {
            write_json(write, Critic::FILE, serde_json::to_vec(critic))?;
        }
        let state = TrainerState {
            iteration: *iteration,
            optimizer_step: P::step_count(optimizer),
            has_critic: critic.is_some(),
        };
        Ok(write_json(write, TrainerState::FILE, serde_json::to_vec_pretty(&state))?)
    }

    fn restore(&mut self, read: &mut ReadFile<'_>) -> Result<(), TrainerError> {
        let saved: TrainerState = read_json(read, TrainerState::FILE)?;
        let TrainerSnapshot { policy, optimizer, critic, iteration } = &mut self.state;
        policy.load(&mut self.reference, optimizer, saved.optimizer_step, read)?;
        *critic = saved.has_critic.then(|| read_json(read, Critic::FILE)).transpose()?;
        *iteration = saved.iteration;
        Ok(())
    }

    fn study_task(
        &self,
        plan: &BiasStudyPlan,
        task: usize,
        host: &dyn Host,
    ) -> Interruptible<BiasStudyTask> {
        let critic = self.state.critic.as_ref();
        unless_stopped(study_task(&self.sampler(host), &self.reference, critic, plan, task))
    }

    fn iteration(&self) -> u64 {
        self.state.iteration
    }

    fn group_size(&self) -> usize {
        self.config.rollout.group_size
    }

    fn trained_count(&self) -> usize {
        self.state.policy.trained_count()
    }

    fn policy(&self) -> &dyn Any {
        self.state.policy.as_any()
    }
}

/// What was played, with the advantages that are learned from.
fn samples(turns: Vec<Vec<Turn>>, estimate: &Estimate, learn: &LearnConfig) -> Vec<Sample> {
    let mut advantages = estimate.advantages.values().to_vec();
    if learn.normalize_advantages {
        advantages = normalize(&advantages);
    }
    let turns = turns.into_iter().flatten();
    turns.zip(advantages).map(|(turn, advantage)| Sample::new(turn, advantage)).collect()
}
