//! Rooms of seeds, steps in them, and shortest solutions.
//!
//! Says first how many rooms of each kind the solver solves within its limit, and how long it takes.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "says how often the solver finds a way")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::sokoban::{MOST_EXPANDED, Room, Sokoban, SokobanSettings, Solution, solve};
use hgpo_env::{Environment, EpisodeSettings, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 15, success_reward: 10.0 };
const ACTIONS: [&str; 4] = ["up", "down", "left", "right"];

fn sokoban(side: usize, boxes: usize, search_depth: usize) -> Sokoban {
    let settings = SokobanSettings {
        height: side,
        width: side,
        boxes,
        search_depth,
        ..SokobanSettings::default()
    };
    Sokoban::new(settings, EPISODE).unwrap()
}

fn solutions(c: &mut Criterion) {
    for (side, boxes, depth, count) in
        [(6, 1, 30, 1000), (8, 2, 30, 1000), (10, 3, 100, 100), (13, 4, 300, 20)]
    {
        let suite = sokoban(side, boxes, depth);
        let name = format!("{side}x{side}, {boxes} boxes, depth {depth}");
        let begun = Instant::now();
        let rooms: Vec<Room> = (0..count).map(|seed| suite.room(seed).unwrap()).collect();
        let made = begun.elapsed() / count;
        let (mut solved, mut steps, mut all, mut longest) = (0, 0, Duration::ZERO, Duration::ZERO);
        for room in &rooms {
            let begun = Instant::now();
            let solution = solve(room.ground(), room.state(), MOST_EXPANDED);
            all += begun.elapsed();
            longest = longest.max(begun.elapsed());
            if let Solution::Found(way) = solution {
                solved += 1;
                steps += way.len();
            }
        }
        let (steps, mean) = (steps as f64 / f64::from(solved), all / count);
        println!(
            "{name}: a room in {made:?}; {solved} of {count} solved, {steps:.1} steps on average, in {mean:?} each and at most {longest:?}"
        );
        if side < 10 {
            let mut next = rooms.iter().cycle();
            c.bench_function(&format!("solution, {name}"), |b| {
                b.iter(|| {
                    let room = next.next().unwrap();
                    black_box(solve(room.ground(), room.state(), MOST_EXPANDED))
                });
            });
        }
    }
}

/// Random moves without end: whoever is done begins again. What is shown is looked at if `sees`.
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
    let suite = sokoban(6, 1, 30);
    let start = suite.start(Split::Train, 0).unwrap();
    let mut group = c.benchmark_group("6x6, 1 box");
    group.throughput(Throughput::Elements(STEPS as u64));
    group.bench_function("1000 steps", |b| b.iter(|| walk(&*start, STEPS, false)));
    group.bench_function("1000 steps, seen", |b| b.iter(|| walk(&*start, STEPS, true)));
    group.finish();
    let mut seed = 0;
    c.bench_function("start", |b| {
        b.iter(|| {
            seed += 1;
            black_box(suite.start(Split::Train, seed).unwrap())
        });
    });
}

criterion_group!(benches, solutions, steps);
criterion_main!(benches);
