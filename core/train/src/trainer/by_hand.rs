//! Training by hand: the parts of an iteration, one at a time, for loops that others write: play, or responses to prompts
//! of any kind; scores; advantages; the whole update, or gradients of any share of the steps, their sum, and a step.

use hgpo_core::{Batch, Trajectory, estimate};
use hgpo_env::random::{Purpose, Stream};

use super::metrics::{Metrics, losses};
use super::{Learner, Trainer};
use crate::error::unless_stopped;
use crate::host::check_interrupted;
use crate::objective::clipped::{
    ClippedObjective, LossCount, LossSums, Sample, gradient_divisor, normalize,
};
use crate::policy::remote::PortablePolicy;
use crate::policy::{Passage, PolicyError, TokenScore};
use crate::rollout::collect::respond;
use crate::rollout::episode::{Episode, Turn};
use crate::rollout::prompt_format::{PromptError, SpokenMessage, StopCondition};
use crate::rollout::state_embedding::embed_states;
use crate::update::divergence_in_reward::divergence_in_reward;
use crate::update::micro_batches::MicroBatches;
use crate::update::repeats::DistinctPassages;
use crate::update::{optimizer_step, reference_scores, update};
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

/// What a response is asked for.
#[derive(Clone, Debug)]
pub enum Prompt {
    /// Tokens as they are.
    Tokens(Vec<u32>),
    /// A conversation, in the chat template of the language model.
    Messages(Vec<SpokenMessage>),
}

/// A learner whose iterations can be made by hand.
pub trait LearnerByHand: Learner {
    /// Plays groups of the tasks of the iteration that comes next, by their numbers, as [`Learner::iterate`] does of
    /// all of them (without dynamic sampling); `None` when interrupted.
    ///
    /// # Errors
    /// When a task cannot be started, or the device fails.
    fn play(&self, tasks: &[usize], host: &dyn Host) -> Interruptible<Vec<EpisodeRecord>>;

    /// Responses to prompts, with their texts if the policy is a language model; `None` when interrupted. Those of an
    /// iteration are drawn with streams numbered from `first` on.
    ///
    /// # Errors
    /// When a prompt cannot be put into tokens, or the device fails.
    fn respond(
        &self,
        prompts: Vec<Prompt>,
        first: u64,
        host: &dyn Host,
    ) -> Interruptible<Vec<(Turn, Option<String>)>>;

    /// What the policy, or its reference, says of the response tokens of passages; `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    fn score(
        &self,
        passages: &[Passage<'_>],
        by_reference: bool,
        host: &dyn Host,
    ) -> Interruptible<Vec<Vec<TokenScore>>>;

    /// The advantages of all steps by the estimator of the settings, trajectory by trajectory.
    ///
    /// # Errors
    /// When the trajectories are no valid batch.
    fn estimate(&self, trajectories: Vec<Trajectory>) -> Result<Vec<f64>, TrainerError>;

    /// All updates of an iteration from steps, as [`Learner::iterate`] makes them of those that it played (advantages are
    /// normalised if `learn.normalize_advantages` is set), and counts it; `None` when interrupted: nothing has changed then.
    ///
    /// # Errors
    /// When the device fails or the optimisation diverges.
    fn update(&mut self, samples: Vec<Sample>, host: &dyn Host) -> Interruptible<Metrics>;

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
            for episode in std::mem::take(&mut episodes) {
                episodes.extend(episode.learned_from(self.config.learn.agent_rewards)?);
            }
            divergence_in_reward(&self.reference, &mut episodes, &self.config, host)?;
            let record = |it: Episode| EpisodeRecord { trajectory: it.trajectory, turns: it.turns };
            Ok(episodes.into_iter().map(record).collect())
        };
        unless_stopped(play())
    }

    fn respond(
        &self,
        prompts: Vec<Prompt>,
        first: u64,
        host: &dyn Host,
    ) -> Interruptible<Vec<(Turn, Option<String>)>> {
        let conversations = self.format.conversations();
        let respond = || {
            let tokens = |prompt| match (prompt, conversations) {
                (Prompt::Tokens(tokens), _) if tokens.is_empty() => {
                    Err(PromptError::new("a prompt without tokens: give at least one"))
                }
                (Prompt::Tokens(tokens), _) => Ok(tokens),
                (Prompt::Messages(messages), Some(format)) => format.prompt(&messages),
                (Prompt::Messages(_), None) => Err(PromptError::new(
                    "this policy reads no text: give tokens, or train a language model (pretrained.model)",
                )),
            };
            let prompts: Vec<Vec<u32>> =
                prompts.into_iter().map(tokens).collect::<Result<_, _>>()?;
            let iteration = self.state.iteration + 1;
            let stream =
                |index| Stream::new(self.config.seed, Purpose::Prompts, [iteration, index]);
            let mut streams: Vec<Stream> = (first..).map(stream).take(prompts.len()).collect();
            let stop = || match conversations {
                Some(format) => Box::new(|token| format.is_end(token)) as StopCondition<'_>,
                None => self.format.stop_condition(),
            };
            let (sampler, total) = (self.sampler(host), prompts.len());
            let responses =
                respond(&sampler, &prompts, streams.iter_mut().collect(), &stop, &|drawn| {
                    host.progress("responses", drawn, total);
                    check_interrupted(host)
                })?;
            let turn = |(prompt, response): (Vec<u32>, Vec<_>)| {
                let turn = Turn { prompt, response };
                let tokens: Vec<u32> = turn.response.iter().map(|choice| choice.token).collect();
                let text = conversations.map(|format| format.text(&tokens)).transpose()?;
                Ok((turn, text))
            };
            prompts.into_iter().zip(responses).map(turn).collect()
        };
        unless_stopped(respond())
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        by_reference: bool,
        host: &dyn Host,
    ) -> Interruptible<Vec<Vec<TokenScore>>> {
        let policy = if by_reference { &self.reference } else { &self.state.policy };
        let micro_batches = MicroBatches::new(&self.config.learn, policy);
        let scores = micro_batches.score(policy, passages, self.config.rollout.temperature, host);
        unless_stopped(scores.map_err(Into::into))
    }

    fn estimate(&self, mut trajectories: Vec<Trajectory>) -> Result<Vec<f64>, TrainerError> {
        if self.config.estimator.reads_embeddings() {
            embed_states(&self.reference, self.format.as_ref(), &mut trajectories)?;
        }
        let found = estimate(&Batch::new(trajectories)?, &self.config.options()?)?;
        Ok(found.advantages.into_values())
    }

    fn update(&mut self, mut samples: Vec<Sample>, host: &dyn Host) -> Interruptible<Metrics> {
        let Self { state, reference, config, .. } = self;
        if config.learn.normalize_advantages {
            let advantages: Vec<f64> = samples.iter().map(|sample| sample.advantage).collect();
            for (sample, advantage) in samples.iter_mut().zip(normalize(&advantages)) {
                sample.advantage = advantage;
            }
        }
        let number = state.iteration + 1;
        let (policy, optimizer) = (&mut state.policy, &mut state.optimizer);
        let report = update(policy, reference, optimizer, &samples, config, number, host);
        let Some(report) = unless_stopped(report)? else { return Ok(None) };
        state.iteration = number;
        config.learn.micro_batch_tokens = report.micro_batch_tokens;
        let mut metrics = Metrics::new();
        metrics.insert("iteration".to_owned(), number.into());
        losses(&report, config, &mut metrics);
        metrics.insert("learning_rate".to_owned(), config.learn.learning_rate_of(number).into());
        Ok(Some(metrics))
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
    use hgpo_env::Observation;

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
        let (_, mut by_updates) = trainer();
        for _ in 0..3 {
            let iteration = by_loop.iterate(&Sequential).unwrap().unwrap();
            let attempts =
                LearnerByHand::play(&by_hand, &[0, 1, 2, 3], &Sequential).unwrap().unwrap();
            let (trajectories, turns): (Vec<_>, Vec<_>) =
                attempts.into_iter().map(|it| (it.trajectory, it.turns)).unzip();
            assert_eq!(trajectories, iteration.trajectories);
            let batch = Batch::new(trajectories).unwrap();
            let found = by_hand.estimate(batch.trajectories().to_vec()).unwrap();
            let advantages = estimate(&batch, &config.options().unwrap()).unwrap().advantages;
            assert_eq!(found, advantages.clone().into_values());
            let samples: Vec<Sample> = turns
                .into_iter()
                .flatten()
                .zip(advantages.into_values())
                .map(|(turn, advantage)| Sample::new(turn, advantage))
                .collect();
            let own = by_updates.estimate(iteration.trajectories.clone()).unwrap();
            let own = iteration.samples.iter().zip(own);
            let own = own.map(|(sample, advantage)| Sample { advantage, ..sample.clone() });
            let metrics = by_updates.update(own.collect(), &Sequential).unwrap().unwrap();
            for (name, value) in &metrics {
                assert_eq!(value, &iteration.metrics[name], "{name}");
            }
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
        assert_eq!((by_hand.iteration(), by_updates.iteration()), (3, 3));
        assert_eq!(by_hand.state.policy.len(), by_loop.state.policy.len());
        let weights = |it: &Trainer<TablePolicy>| -> Vec<(u64, u64, f64)> {
            let mut entries: Vec<(u64, u64, f64)> =
                crate::policy::remote::decode(&it.state.policy.write_weights().unwrap()).unwrap();
            entries.sort_by_key(|&(memory, action, _)| (memory, action));
            entries
        };
        assert_eq!(weights(&by_updates), weights(&by_loop));
        // Added up in another order.
        for (by_hand, by_loop) in weights(&by_hand).into_iter().zip(weights(&by_loop)) {
            assert_eq!((by_hand.0, by_hand.1), (by_loop.0, by_loop.1));
            assert!((by_hand.2 - by_loop.2).abs() < 1e-9, "{by_hand:?} {by_loop:?}");
        }
    }

    #[test]
    fn responses_to_tokens_are_drawn_by_their_numbers_and_scored() {
        let (_, mut trainer) = trainer();
        let four = Observation::listed("s", ["a", "b", "c", "d"].map(str::to_owned).to_vec());
        let prompt = trainer.format.prompt("choose", &[], &four).unwrap();
        let respond = |trainer: &Trainer<TablePolicy>, first| {
            let prompts = vec![Prompt::Tokens(prompt.clone()); 32];
            let found = trainer.respond(prompts, first, &Sequential).unwrap().unwrap();
            found.into_iter().map(|(turn, _)| turn.response).collect::<Vec<_>>()
        };
        let responses = respond(&trainer, 0);
        assert_eq!(responses, respond(&trainer, 0));
        assert_ne!(responses, respond(&trainer, 32));
        assert_eq!(responses[1..], respond(&trainer, 1)[..31]);
        let tokens: Vec<u32> = responses[0].iter().map(|it| it.token).collect();
        let passage = Passage { prompt: &prompt, response: &tokens };
        for by_reference in [false, true] {
            let scores = trainer.score(&[passage], by_reference, &Sequential).unwrap().unwrap();
            let difference = scores[0][0].log_probability - responses[0][0].log_probability;
            assert!(difference.abs() < 1e-12, "{difference}");
        }
        trainer.end_iteration();
        assert_ne!(responses, respond(&trainer, 0));
        // As many actions as the tokens say, or none.
        let nonsense = trainer.respond(vec![Prompt::Tokens(vec![7])], 0, &Sequential);
        assert!(nonsense.is_err() || nonsense.unwrap().is_some());
        let refused =
            |prompt| trainer.respond(vec![prompt], 0, &Sequential).unwrap_err().to_string();
        assert!(refused(Prompt::Tokens(Vec::new())).contains("at least one"));
        let text = Prompt::Messages(vec![("user".to_owned(), "hello".to_owned())]);
        assert!(refused(text).contains("pretrained.model"));
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
