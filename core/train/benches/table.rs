//! One iteration of a table policy: 8 tasks x 8 trajectories x at most 30 steps of the gridworld
//! `shortcut`, on one thread.
//!
//! The learning rate is so small that the policy stays as it is, and all iterations are alike: almost
//! every episode has 30 steps. The first row is the least that any trainer must do: it plays as many
//! steps at random, and records nothing.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hgpo_core::Estimator;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Split, Suite};
use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy};

const SETTINGS: &str = r#"
environment = { name = "gridworld", max_steps = 30, gridworld = { world = "shortcut", slip = 0.2 } }
policy = { kind = "table" }
rollout = { tasks = 8, group_size = 8 }
warm_start = { episodes = 0 }
learn = { learning_rate = 1e-9, mini_batch_size = 4096, micro_batch_size = 4096, micro_batch_tokens = 65536 }
"#;
const EPISODES: u64 = 64;

/// Plays the episodes of an iteration with actions drawn evenly; how many steps they had.
fn play(suite: &dyn Suite) -> u64 {
    let of = |episode| {
        let mut environment = suite.start(Split::Train, episode).unwrap();
        let mut stream = Stream::new(1, Purpose::Sampling, [0, episode]);
        let mut chance = stream.chance();
        for step in 1.. {
            let now = environment.observe();
            let actions = now.actions.listed();
            let outcome = environment.step(&actions[stream.below(actions.len())], &mut chance);
            if outcome.done {
                return step;
            }
        }
        0
    };
    (0..EPISODES).map(of).sum()
}

fn iterations(criterion: &mut Criterion) {
    let config: Config = toml::from_str(SETTINGS).unwrap();
    let suite = hgpo_env::suite(&config.environment, None).unwrap();
    let mut group = criterion.benchmark_group("iteration");
    group.throughput(Throughput::Elements(play(suite.as_ref())));
    group.bench_function("play alone", |bencher| bencher.iter(|| play(black_box(&*suite))));
    for name in ["grpo", "gigpo", "hgpo"] {
        let config =
            Config { estimator: Estimator::default_named(name).unwrap(), ..config.clone() };
        let (policy, format) = initial_policy::table(&config);
        let mut trainer = Trainer::new(&config, suite.clone(), format, policy).unwrap();
        // Until the table knows most of what is met.
        for _ in 0..50 {
            trainer.iterate(&Sequential).unwrap();
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| trainer.iterate(&Sequential).unwrap().unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, iterations);
criterion_main!(benches);
