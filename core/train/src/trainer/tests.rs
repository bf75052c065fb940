use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use hgpo_core::{Divergence, Objective, Options, Summary, estimate, format};

use super::initial_policy;
use super::*;
use crate::config::{Config, PolicyKind};
use crate::executor::{Executor, Sequential};
use crate::test_environment::CoinSuite;

/// An iteration with an estimator, and the advantages of its trace, written and read.
fn iterated(name: &str, inside: Option<&str>) -> (Iteration, Options, Vec<f64>) {
    let mut config = Config::default();
    config.warm_start.episodes = 0;
    config.estimator = hgpo_core::Estimator::default_named(name).unwrap();
    if let Some(inside) = inside {
        config.estimator.set("inside", inside.into()).unwrap();
    }
    let (policy, format) = initial_policy::table(&config);
    let suite = Arc::new(CoinSuite { shown: true });
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
fn metrics_of_advantages_match_those_of_the_trace() {
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
fn updates_use_normalized_advantages_and_metrics_the_estimators_own() {
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
        let (policy, format) = initial_policy::table(&config);
        let suite = Arc::new(CoinSuite { shown: true });
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
fn evaluation_attempts_share_tasks_and_differ_in_sampling() {
    let config = Config::default();
    let (policy, format) = initial_policy::table(&config);
    let trainer =
        Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy).unwrap();
    let attempt_at = |attempt, temperature| {
        let sampling = Sampling::at(temperature);
        let plan = EvaluationPlan { split: Split::Seen, seed: 7, tasks: 64, attempt, sampling };
        let found = trainer.evaluate(&plan, &Sequential).unwrap().unwrap();
        assert_eq!(found.episodes, 64);
        let won = |it: &hgpo_core::Trajectory| it.success;
        let seeds: Vec<_> = found.trajectories.iter().map(|it| it.seed).collect();
        (seeds, found.trajectories.iter().map(won).collect::<Vec<_>>())
    };
    let ((tasks, first), (same, second)) = (attempt_at(0, 1.0), attempt_at(1, 1.0));
    assert_eq!(tasks, same);
    assert!(first != second && attempt_at(0, 1.0).1 == first);
    let settings = trainer.evaluate_split(Split::Seen, 7, &Sequential).unwrap().unwrap();
    let sampling = Sampling::at(config.evaluation.temperature);
    let as_plan = EvaluationPlan {
        split: Split::Seen,
        seed: 7,
        tasks: config.evaluation.tasks,
        attempt: 0,
        sampling,
    };
    let as_plan = trainer.evaluate(&as_plan, &Sequential).unwrap().unwrap();
    assert_eq!(settings.trajectories, as_plan.trajectories);
}

/// Runs its jobs on so many threads, the last first.
struct Threads(usize);

impl Executor for Threads {
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let of = |thread| (thread..count).step_by(self.0).rev();
        std::thread::scope(|scope| {
            for thread in 0..self.0 {
                scope.spawn(move || of(thread).for_each(job));
            }
        });
    }
}

impl Host for Threads {
    fn executor(&self) -> &dyn Executor {
        self
    }

    fn seconds(&self) -> f64 {
        0.0
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}

#[test]
fn panels_are_played_alike_by_any_number_of_threads_and_tasks_at_once() {
    let (environment, entry) = hgpo_env::panel::entry("chores-seen").unwrap();
    let config = Config {
        environment: hgpo_env::panel::config(environment, entry).unwrap(),
        ..Config::default()
    };
    let inner = hgpo_env::suite(&config.environment, None).unwrap();
    let panel = hgpo_env::panel::Panel::open(entry, inner.as_ref()).unwrap();
    let seeds: Vec<_> = panel.tasks().iter().map(|task| Some(task.seed)).collect();
    let (policy, format) = initial_policy::table(&config);
    let trainer = Trainer::new(&config, Arc::new(panel.suite(inner)), format, policy).unwrap();
    let written = |tasks, host: &dyn Host| {
        let (split, seed, attempt, sampling) = (Split::Seen, 3, 0, Sampling::at(1.0));
        let plan = EvaluationPlan { split, seed, tasks, attempt, sampling };
        let played = trainer.evaluate(&plan, host).unwrap().unwrap().trajectories;
        let mut bytes = Vec::new();
        format::write_jsonl(&mut bytes, &played).unwrap();
        (played, bytes)
    };
    let (played, bytes) = written(500, &Sequential);
    assert_eq!(played.iter().map(|it| it.seed).collect::<Vec<_>>(), seeds);
    for host in [Threads(1), Threads(3)] {
        assert!(written(500, &host).1 == bytes);
        for tasks in [1, 7, 128] {
            assert!(bytes.starts_with(&written(tasks, &host).1));
        }
    }
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
fn references_without_a_coefficient_are_neither_scored_nor_reported() {
    let iterated = |kl_coefficient: f64| {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.learn.objective.kl_coefficient = kl_coefficient;
        config.learn.micro_batch_size = 1;
        let (policy, format) = initial_policy::table(&config);
        let suite = Arc::new(CoinSuite { shown: true });
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
fn iterations_stopped_anywhere_leave_no_trace() {
    let mut config = Config::default();
    config.warm_start.episodes = 0;
    config.rollout.dynamic_sampling = 1;
    config.learn.restarts = 2;
    config.learn.epochs = 3;
    config.learn.mini_batch_size = 1;
    config.learn.micro_batch_size = 1;
    let trainer = || {
        let (policy, format) = initial_policy::table(&config);
        Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy).unwrap()
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

#[test]
fn a_divergence_in_the_reward_is_subtracted_before_advantages_are_estimated() {
    let trained = |in_reward: bool| {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.policy.kind = PolicyKind::Table;
        config.environment.name = "gridworld".into();
        config.rollout.tasks = 4;
        config.learn.objective = Objective {
            divergence: Divergence::K1,
            kl_coefficient: 0.5,
            divergence_in_reward: in_reward,
            ..Objective::default()
        };
        let (policy, format) = initial_policy::table(&config);
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let iterations = [0; 6].map(|_| trainer.iterate(&Sequential).unwrap().unwrap());
        (config, iterations)
    };
    let (config, iterations) = trained(true);
    let (_, plain) = trained(false);
    let rewards = |it: &Iteration| -> f64 {
        it.trajectories.iter().flat_map(|it| &it.steps).map(|it| it.reward).sum()
    };
    let number = |it: &Iteration, name: &str| it.metrics[name].as_f64().unwrap();
    // At first the policy is its own reference.
    assert_eq!(iterations[0].trajectories, plain[0].trajectories);
    assert_eq!(
        (number(&iterations[0], "kl"), number(&iterations[0], "reward/divergence")),
        (0.0, 0.0)
    );
    for it in &iterations {
        let episodes = it.trajectories.len() as f64;
        let tokens = it.trajectories.iter().map(|it| it.steps.len()).sum::<usize>() as f64;
        // The environment pays 0 or 10, and a trace has what is learned from: a token a step.
        let whole = number(it, "reward/mean") - rewards(it) / episodes;
        assert!((whole - number(it, "reward/divergence")).abs() < 1e-12);
        let paid = it.metrics["success_rate"].as_f64().unwrap() * 10.0;
        assert!((number(it, "reward/mean") - paid).abs() < 1e-9, "{:?}", it.metrics);
        let per_token = number(it, "reward/divergence") * episodes / (0.5 * tokens);
        assert!((per_token - number(it, "kl")).abs() < 1e-12);
        assert!(!it.metrics.contains_key("loss/kl"));
    }
    assert!(iterations.iter().any(|it| number(it, "reward/divergence").abs() > 1e-6));
    // Advantages are those of the trace.
    let batch = Batch::new(iterations[5].trajectories.clone()).unwrap();
    let estimate = hgpo_core::estimate(&batch, &config.options().unwrap()).unwrap();
    let mean =
        estimate.advantages.into_values().iter().sum::<f64>() / number(&iterations[5], "steps");
    assert!((mean - number(&iterations[5], "advantage/mean")).abs() < 1e-12);
}
