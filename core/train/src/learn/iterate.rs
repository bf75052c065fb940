//! The loop of one iteration: collect groups, estimate advantages, update the policy.

use std::any::Any;

use hgpo_core::{Batch, Estimate, estimate_with_diagnostics};
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use super::critic::Critic;
use super::groups::Played;
use super::learner::{Evaluation, Exam, Iteration, Learner};
use super::metrics::{self, Cost, Metrics, Timing};
use super::normalize::normalized;
use super::sample::Sample;
use super::state::State;
use super::study::plan::{Plan, StudiedTask};
use super::study::study;
use super::trainer::Trainer;
use super::update::update;
use super::{Host, LearnError, warm_start};
use crate::config::{EvaluationConfig, LearnConfig};
use crate::policy::{Policy, ReadFile, WriteFile, read_file, write_file};
use crate::rollout::episode::{Episode, Turn};

impl<P: Policy> Learner for Trainer<P> {
    fn warm_start(&mut self, host: &dyn Host) -> Result<Option<Metrics>, LearnError> {
        let start = host.seconds();
        if self.config.warm_start.episodes == 0 {
            return Ok(Some(Metrics::new()));
        }
        let (suite, format) = (self.suite.as_ref(), self.format.as_ref());
        let steps = warm_start::demonstrations(suite, format, &self.config, host)?;
        let Some(steps) = steps else { return Ok(None) };
        let imitated = warm_start::imitate(self.policy.clone(), &steps, &self.config, host)?;
        let Some((policy, loss)) = imitated else { return Ok(None) };
        self.policy = policy.settled()?;
        self.reference = self.policy.reference();
        Ok(Some(metrics::warm_start(steps.len(), loss, host.seconds() - start)))
    }

    fn iterate(&mut self, host: &dyn Host) -> Result<Option<Iteration>, LearnError> {
        let number = self.iteration + 1;
        let start = host.seconds();
        let Some(mut played) = self.played(number, host)? else { return Ok(None) };
        if !self.value_by_restarts(number, &mut played, host)? {
            return Ok(None);
        }
        let valued = self.value_by_critic(&mut played.episodes)?;
        let collected = host.seconds();

        let options = self.config.options()?;
        let cost = Cost::of(&played, &self.config.rollout);
        let Played { mut episodes, streams, .. } = played;
        let turns: Vec<_> = episodes.iter_mut().map(|e| std::mem::take(&mut e.turns)).collect();
        let mut trajectories: Vec<_> = episodes.into_iter().map(|e| e.trajectory).collect();
        self.embed_where_compared(&mut trajectories)?;
        let batch = Batch::new(trajectories)?;
        let (estimate, diagnostics) = estimate_with_diagnostics(&batch, &options)?;
        let samples = samples(turns, estimate, &self.config.learn);
        let estimated = host.seconds();

        let Self { policy, reference, optimizer, config, .. } = self;
        let report = update(policy, reference, optimizer, &samples, config, number, host)?;
        let Some(report) = report else { return Ok(None) };
        self.iteration = number;
        let timing = Timing { start, collected, estimated, updated: host.seconds() };
        let mut metrics = metrics::iteration(
            (number, cost),
            &batch,
            &diagnostics,
            &report,
            &self.config,
            &timing,
        );
        if let Some(valued) = valued {
            let explained = valued.explained_variance.into();
            metrics.insert("critic/explained_variance".into(), explained);
            self.critic = Some(valued.critic);
        }
        Ok(Some(Iteration { number, metrics, trajectories: batch.into_trajectories(), streams }))
    }

    fn evaluate(
        &self,
        split: Split,
        seed: u64,
        host: &dyn Host,
    ) -> Result<Option<Evaluation>, LearnError> {
        let EvaluationConfig { tasks, temperature, .. } = self.config.evaluation;
        self.examine(&Exam { split, seed, tasks, attempt: 0, temperature }, host)
    }

    fn examine(&self, exam: &Exam, host: &dyn Host) -> Result<Option<Evaluation>, LearnError> {
        let &Exam { split, seed, tasks, attempt, temperature } = exam;
        // The first attempt is what it was when there was no other.
        let drawn = (attempt << 8) | split as u64;
        let mut episodes: Vec<Episode> = (0..tasks)
            .map(|task| {
                let index = [drawn, task as u64];
                let task_seed = self.suite.evaluation_task(split, seed, task);
                let stream = Stream::new(seed, Purpose::Sampling, index);
                self.episode(split, &format!("t{task:03}"), &attempt.to_string(), task_seed, stream)
            })
            .collect::<Result<_, _>>()?;
        if !self.play(&mut episodes, temperature, "evaluate", host)? {
            return Ok(None);
        }
        let steps: usize = episodes.iter().map(|e| e.trajectory.steps.len()).sum();
        let score: f64 = episodes.iter().map(Episode::score).sum();
        Ok(Some(Evaluation {
            split,
            seed,
            episodes: episodes.len(),
            successes: episodes.iter().filter(|e| e.won).count(),
            mean_length: steps as f64 / episodes.len().max(1) as f64,
            mean_score: score / episodes.len().max(1) as f64,
            trajectories: episodes.into_iter().map(|e| e.trajectory).collect(),
        }))
    }

    fn save(&self, write: &mut WriteFile<'_>) -> Result<(), LearnError> {
        self.policy.save(&self.reference, &self.optimizer, write)?;
        if let Some((name, bytes)) = self.format.file() {
            write_file(write, name, bytes)?;
        }
        let optimizer_step = P::step_count(&self.optimizer);
        if let Some(critic) = &self.critic {
            write_file(write, Critic::FILE, critic.to_json()?)?;
        }
        let state =
            State { iteration: self.iteration, optimizer_step, has_critic: self.critic.is_some() };
        Ok(write_file(write, State::FILE, state.to_json()?)?)
    }

    fn restore(&mut self, read: &mut ReadFile<'_>) -> Result<(), LearnError> {
        let state = State::parse(&read_file(read, State::FILE)?)?;
        let step = state.optimizer_step;
        self.policy.load(&mut self.reference, &mut self.optimizer, step, read)?;
        self.critic = if state.has_critic {
            Some(Critic::parse(&read_file(read, Critic::FILE)?)?)
        } else {
            None
        };
        self.iteration = state.iteration;
        Ok(())
    }

    fn study(
        &self,
        plan: &Plan,
        task: usize,
        host: &dyn Host,
    ) -> Result<Option<StudiedTask>, LearnError> {
        study(self, plan, task, host)
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
        advantages = normalized(&advantages);
    }
    let turns = turns.into_iter().flatten();
    turns.zip(advantages).map(|(turn, advantage)| Sample::new(turn, advantage)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use hgpo_core::{Options, Summary, estimate, format};

    use super::*;
    use crate::coin::Coin;
    use crate::config::Config;
    use crate::executor::{Executor, Sequential};
    use crate::learn::start;

    /// An iteration with an estimator, and the advantages of its trace, written and read.
    fn iterated(name: &str, inside: Option<&str>) -> (Iteration, Options, Vec<f64>) {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.estimator = hgpo_core::Estimator::default_named(name).unwrap();
        if let Some(inside) = inside {
            config.estimator.set("inside", inside.into()).unwrap();
        }
        let (policy, format) = start::table(&config);
        let suite = Arc::new(Coin { shown: true });
        let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let iteration = trainer.iterate(&Sequential).unwrap().unwrap();
        let mut trace = Vec::new();
        format::write_jsonl(&mut trace, &iteration.trajectories).unwrap();
        let batch = Batch::new(format::read(trace.as_slice()).unwrap()).unwrap();
        let options = config.options().unwrap();
        let advantages = estimate(&batch, &options).unwrap().advantages.into_values();
        (iteration, options, advantages)
    }

    #[test]
    fn agents_are_trained_by_the_advantages_of_the_trace() {
        for inside in ["grpo", "gigpo", "hgpo"] {
            let (iteration, options, advantages) = iterated("dr-mas", Some(inside));
            assert_eq!(options.estimator.name(), "dr-mas");
            let agents = |index: usize| {
                let of = |it: &hgpo_core::Trajectory| it.steps[index].agent.clone().unwrap();
                iteration.trajectories.iter().map(of).collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(agents(0).into_iter().collect::<Vec<_>>(), ["thrower"]);
            assert_eq!(agents(1).into_iter().collect::<Vec<_>>(), ["catcher"]);
            let Summary { mean, std, min, max } = Summary::of(&advantages);
            assert!(std > 0.0);
            for (name, expected) in [("mean", mean), ("std", std), ("min", min), ("max", max)] {
                let found = iteration.metrics[&format!("advantage/{name}")].as_f64();
                assert_eq!(found, Some(expected), "{inside} {name}");
            }
        }
    }

    #[test]
    fn normalized_advantages_are_learned_from_and_the_estimator_s_own_reported() {
        let metrics = |normalize_advantages| {
            let mut config = Config::default();
            config.warm_start.episodes = 0;
            config.learn.normalize_advantages = normalize_advantages;
            // Who is alone keeps its score, so that the mean is not 0 before.
            config.rollout.group_size = 1;
            config.estimator = hgpo_core::Estimator::default_named("grpo").unwrap();
            for (option, value) in [("singleton", "keep"), ("episode_statistics", "trajectories")] {
                config.estimator.set(option, value.into()).unwrap();
            }
            let (policy, format) = start::table(&config);
            let suite = Arc::new(Coin { shown: true });
            let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
            let metrics = trainer.iterate(&Sequential).unwrap().unwrap().metrics;
            move |name: &str| metrics[name].as_f64().unwrap()
        };
        let (own, normalized) = (metrics(false), metrics(true));
        for name in ["mean", "std", "min", "max"].map(|it| format!("advantage/{it}")) {
            assert_eq!(own(&name).to_bits(), normalized(&name).to_bits(), "{name}");
        }
        // Before the first step ratios are 1: the policy term is minus the mean advantage.
        assert!(own("advantage/mean") > 1.0);
        assert!((own("loss/policy") + own("advantage/mean")).abs() < 1e-12);
        assert!(normalized("loss/policy").abs() < 1e-12);
    }

    #[test]
    fn attempts_at_the_same_tasks_differ_in_what_is_drawn() {
        let config = Config::default();
        let (policy, format) = start::table(&config);
        let trainer =
            Trainer::new(&config, Arc::new(Coin { shown: true }), format, policy).unwrap();
        let exam = |attempt, temperature| {
            let exam = Exam { split: Split::Seen, seed: 7, tasks: 64, attempt, temperature };
            let found = trainer.examine(&exam, &Sequential).unwrap().unwrap();
            assert_eq!(found.episodes, 64);
            let won = |it: &hgpo_core::Trajectory| it.success;
            let seeds: Vec<_> = found.trajectories.iter().map(|it| it.seed).collect();
            (seeds, found.trajectories.iter().map(won).collect::<Vec<_>>())
        };
        let ((tasks, first), (same, second)) = (exam(0, 1.0), exam(1, 1.0));
        assert_eq!(tasks, same);
        assert!(first != second && exam(0, 1.0).1 == first);
        let settings = trainer.evaluate(Split::Seen, 7, &Sequential).unwrap().unwrap();
        let temperature = config.evaluation.temperature;
        let as_exam = Exam {
            split: Split::Seen,
            seed: 7,
            tasks: config.evaluation.tasks,
            attempt: 0,
            temperature,
        };
        let as_exam = trainer.examine(&as_exam, &Sequential).unwrap().unwrap();
        assert_eq!(settings.trajectories, as_exam.trajectories);
    }

    /// Counts how often it is asked whether to stop, once for every micro-batch among others, and asks to
    /// once it was asked so many times.
    struct Asked {
        times: AtomicUsize,
        patience: usize,
    }

    impl Asked {
        fn with_patience(patience: usize) -> Self {
            Self { times: AtomicUsize::new(0), patience }
        }
    }

    impl Host for Asked {
        fn executor(&self) -> &dyn Executor {
            &Sequential
        }

        fn seconds(&self) -> f64 {
            0.0
        }

        fn interrupted(&self) -> bool {
            self.times.fetch_add(1, SeqCst) >= self.patience
        }

        fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
    }

    #[test]
    fn without_a_coefficient_the_reference_is_neither_scored_nor_told_of() {
        let iterated = |kl_coefficient: f64| {
            let mut config = Config::default();
            config.warm_start.episodes = 0;
            config.learn.kl_coefficient = kl_coefficient;
            config.learn.micro_batch_size = 1;
            let (policy, format) = start::table(&config);
            let suite = Arc::new(Coin { shown: true });
            let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
            let host = Asked::with_patience(usize::MAX);
            let metrics = trainer.iterate(&host).unwrap().unwrap().metrics;
            (metrics, host.times.into_inner())
        };
        let ((with, asked), (without, less)) = (iterated(0.01), iterated(0.0));
        // As many micro-batches are scored as have a gradient, one for every passage.
        assert!(with["kl"].as_f64().unwrap() >= 0.0 && less < asked, "{less} of {asked}");
        assert_eq!(iterated(0.02).1, asked);
        for name in ["kl", "loss/kl"] {
            assert!(with.contains_key(name) && !without.contains_key(name), "{name}");
        }
        let number = |name: &str| without[name].as_f64().unwrap();
        let coefficient = Config::default().learn.entropy_coefficient;
        let expected = number("loss/policy") - coefficient * number("entropy");
        assert!((number("loss/total") - expected).abs() < 1e-12);
        let told = ["loss/policy", "loss/total", "entropy", "grad_norm"];
        assert!(told.iter().all(|name| without[*name].is_number()), "{without:?}");
        assert_eq!(with["success_rate"], without["success_rate"]);
    }

    #[test]
    fn what_was_stopped_anywhere_goes_on_as_if_it_had_not_been() {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.rollout.dynamic_sampling = 1;
        config.learn.restarts = 2;
        config.learn.epochs = 3;
        config.learn.mini_batch_size = 1;
        config.learn.micro_batch_size = 1;
        let trainer = || {
            let (policy, format) = start::table(&config);
            Trainer::new(&config, Arc::new(Coin { shown: true }), format, policy).unwrap()
        };
        let saved = |trainer: &dyn Learner| {
            let mut files = Vec::new();
            let mut write = |name: &str, bytes| {
                files.push((name.to_owned(), bytes));
                Ok(())
            };
            trainer.save(&mut write).unwrap();
            files
        };
        let mut undisturbed = trainer();
        undisturbed.iterate(&Sequential).unwrap().unwrap();
        let mut stops = 0;
        loop {
            let mut stopped = trainer();
            let before = saved(&stopped);
            if stopped.iterate(&Asked::with_patience(stops)).unwrap().is_some() {
                break;
            }
            assert_eq!(saved(&stopped), before, "{stops}");
            stopped.iterate(&Sequential).unwrap().unwrap();
            assert_eq!(saved(&stopped), saved(&undisturbed), "{stops}");
            stops += 1;
        }
        // In the rollout, the restarts, the reference's scores, and the gradients of several mini-batches.
        assert!(stops > 12, "{stops}");
    }
}
