//! Steps in mazes: random moves, with what is seen after each.
//!
//! An episode is at most 30 steps. "Started" includes the start of a task's episode.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hgpo_env::gridworld::{Gridworld, GridworldSettings, WORLDS};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Environment, EpisodeSettings, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 30, success_reward: 10.0 };
const ACTIONS: [&str; 4] = ["up", "down", "left", "right"];

/// Random moves without end: whoever wins begins again. What is shown is looked at if `sees`.
fn walk(start: &dyn Environment, steps: usize, sees: bool) {
    let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
    let mut episode = start.snapshot();
    for step in 0..steps {
        if episode.step(ACTIONS[step * 7 / 3 % 4], &mut chance).done {
            episode = start.snapshot();
        }
        if sees {
            black_box(episode.observe());
        }
    }
}

fn steps(c: &mut Criterion) {
    const STEPS: usize = 1000;
    for world in WORLDS.iter().filter(|world| ["locked", "hall"].contains(&world.name)) {
        let suite = Gridworld::new(GridworldSettings::of(world), EPISODE).unwrap();
        let start = suite.start(Split::Train, 0).unwrap();
        let mut group = c.benchmark_group(world.name);
        group.throughput(Throughput::Elements(STEPS as u64));
        group.bench_function("1000 steps", |b| b.iter(|| walk(&*start, STEPS, false)));
        group.bench_function("1000 steps, seen", |b| b.iter(|| walk(&*start, STEPS, true)));
        group.finish();
    }
}

fn starts(c: &mut Criterion) {
    let generated = GridworldSettings {
        world: GridworldSettings::GENERATED.into(),
        ..GridworldSettings::default()
    };
    for (name, settings) in [("a world", GridworldSettings::default()), ("generated", generated)] {
        let suite = Gridworld::new(settings, EPISODE).unwrap();
        let mut seed = 0;
        c.bench_function(&format!("start, {name}"), |b| {
            b.iter(|| {
                seed += 1;
                black_box(suite.start(Split::Train, seed).unwrap())
            });
        });
    }
}

criterion_group!(benches, steps, starts);
criterion_main!(benches);
