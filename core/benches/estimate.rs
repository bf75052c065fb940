//! Grouping, returns and advantages from parsed strings, beside one hash pass over the same bytes.
//!
//! The batch is the published iteration: 16 tasks x 8 trajectories x 50 steps, observations of 300
//! bytes. A plain hash pass reads every observation once: what any exact grouping must do at least.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hgpo_core::{Batch, Estimator, Hgpo, Options, Step, Trajectory, estimate};
use rapidhash::v3::rapidhash_v3;

use self::walks::{Numbers, acting, trajectories};

mod walks;

fn options(context_length: usize) -> Options {
    let estimator = Estimator::Hgpo(Hgpo { context_length, ..Hgpo::default() });
    Options { estimator, ..Options::default() }
}

fn hash_pass(trajectories: &[Trajectory]) -> u64 {
    let steps = trajectories.iter().flat_map(|trajectory| &trajectory.steps);
    steps.fold(0, |sum, step| sum ^ rapidhash_v3(step.state.as_bytes()))
}

fn iteration(c: &mut Criterion) {
    let trajectories = trajectories(16, 8, 50);
    let mut group = c.benchmark_group("6400 steps");
    group.throughput(Throughput::Elements(6400));
    // Every measurement begins with a fresh copy, as after parsing.
    group.bench_function("hash pass", |b| {
        b.iter_batched_ref(
            || trajectories.clone(),
            |trajectories| hash_pass(black_box(trajectories)),
            BatchSize::PerIteration,
        );
    });
    group.bench_function("batch", |b| {
        b.iter_batched(
            || trajectories.clone(),
            |trajectories| Batch::new(trajectories).unwrap(),
            BatchSize::PerIteration,
        );
    });
    for context_length in [0, 2, 4] {
        let options = options(context_length);
        group.bench_function(BenchmarkId::new("batch and hgpo, K", context_length), |b| {
            b.iter_batched(
                || trajectories.clone(),
                |trajectories| {
                    let batch = Batch::new(trajectories).unwrap();
                    let estimate = estimate(&batch, &options).unwrap();
                    (batch, estimate)
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// Time a step, which should hardly depend on how many steps there are.
fn scaling(c: &mut Criterion) {
    let mut group = c.benchmark_group("hgpo, K = 2");
    group.sample_size(10);
    let mut measure = |name: &str, trajectories: Vec<Trajectory>| {
        let batch = Batch::new(trajectories).unwrap();
        let (steps, options) = (batch.step_count(), options(2));
        group.throughput(Throughput::Elements(steps as u64));
        let id = BenchmarkId::new(name, steps);
        group.bench_function(id, |b| b.iter(|| estimate(&batch, &options).unwrap()));
    };
    for tasks in [10, 100, 1_000, 10_000] {
        measure("tasks of 100 steps", trajectories(tasks, 10, 10));
    }
    for group_size in [20, 200, 2_000] {
        measure("one task", trajectories(1, group_size, 50));
    }
    group.finish();
}

/// Time in the depth of the hierarchy.
fn depth(c: &mut Criterion) {
    let batch = Batch::new(trajectories(16, 8, 50)).unwrap();
    let mut group = c.benchmark_group("6400 steps, prepared");
    for context_length in [0, 1, 2, 4, 8, 16] {
        let options = options(context_length);
        let id = BenchmarkId::new("hgpo, K", context_length);
        group.bench_function(id, |b| b.iter(|| estimate(&batch, &options).unwrap()));
    }
    group.finish();
}

/// The estimators as they are by default.
fn estimators(c: &mut Criterion) {
    let batch = Batch::new(acting(16, 8, 50)).unwrap();
    let mut group = c.benchmark_group("6400 steps with actions, prepared");
    group.throughput(Throughput::Elements(6400));
    for estimator in Estimator::all() {
        let name = estimator.name();
        let options = Options { estimator, ..Options::default() };
        group.bench_function(name, |b| b.iter(|| estimate(&batch, &options).unwrap()));
    }
    group.finish();
}

/// One task of 100,000 steps that goes round among so many states: those of a loop are solved together.
fn rounds(c: &mut Criterion) {
    let mut group = c.benchmark_group("crbc, one task of 100,000 steps");
    group.sample_size(10);
    let estimator = Estimator::default_named("crbc").unwrap();
    let options = Options { estimator, ..Options::default() };
    for states in [10_u64, 100, 1_000] {
        let mut numbers = Numbers(3);
        let mut step = || {
            let (state, action) = (numbers.below(states), numbers.below(4));
            Step::new(state.to_string(), 0.0).with_action(action.to_string())
        };
        let mut walk: Vec<Step> = (0..100_000).map(|_| step()).collect();
        walk.last_mut().unwrap().reward = 1.0;
        let batch = Batch::new(vec![Trajectory::new("g", "t", walk)]).unwrap();
        let id = BenchmarkId::new("states", states);
        group.bench_function(id, |b| b.iter(|| estimate(&batch, &options).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, iteration, scaling, depth, estimators, rounds);
criterion_main!(benches);
