//! 50,000 resamples, on one core: of 50 runs on a task, and of 16 runs on 11 tasks.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hgpo_evidence::{Bootstrap, Curve, Scores, interquartile_mean, mean, sample_efficiency};

/// Scores in [0, 1) without pattern or ties.
fn scores(runs: usize, tasks: usize, from: usize) -> Scores {
    let score = |it: usize| ((from + it) as f64 * 0.618_033_988_749_895).fract();
    let row = |run| (0..tasks).map(|task| score(run * tasks + task)).collect();
    Scores::new((0..runs).map(row).collect()).unwrap()
}

fn intervals(criterion: &mut Criterion) {
    let bootstrap = Bootstrap::default();
    for (runs, tasks) in [(50, 1), (16, 11)] {
        let (ours, theirs) = (scores(runs, tasks, 0), scores(runs, tasks, 1000));
        let thresholds: Vec<f64> = (0..100).map(|it| f64::from(it) / 100.0).collect();
        let mut group = criterion.benchmark_group(format!("{runs} runs, {tasks} tasks"));
        group.sample_size(10);
        group.bench_function("interquartile mean", |bencher| {
            bencher.iter(|| bootstrap.interval(black_box(&ours), interquartile_mean));
        });
        group.bench_function("mean", |bencher| {
            bencher.iter(|| bootstrap.interval(black_box(&ours), mean));
        });
        group.bench_function("paired interquartile means", |bencher| {
            bencher.iter(|| bootstrap.paired_difference(&ours, &theirs, interquartile_mean));
        });
        group.bench_function("probability of improvement", |bencher| {
            bencher.iter(|| bootstrap.improvement(&ours, &theirs));
        });
        group.bench_function("profile of 100 thresholds", |bencher| {
            bencher.iter(|| bootstrap.profile(&ours, &thresholds));
        });
        group.finish();
    }
}

fn bands(criterion: &mut Criterion) {
    let at: Vec<f64> = (0..200).map(f64::from).collect();
    let curve =
        |run: usize| Curve::new(at.clone(), scores(200, 1, 200 * run).values().to_vec()).unwrap();
    let curves: Vec<Curve> = (0..50_usize).map(curve).collect();
    let mut group = criterion.benchmark_group("50 curves");
    group.sample_size(10);
    group.bench_function("sample efficiency at 200 points", |bencher| {
        bencher.iter(|| sample_efficiency(&curves, &at, &Bootstrap::default()));
    });
    group.finish();
}

criterion_group!(benches, intervals, bands);
criterion_main!(benches);
