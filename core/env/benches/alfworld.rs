//! Loading and playing the official games, if they are present (`HGPO_ORACLE`).
//!
//! Play is random among the admissible commands; an episode is 50 steps of one game. A batch is 128
//! games, each one different; side by side means one step of every game, then the next.
#![allow(missing_docs, reason = "criterion's macros")]
#![allow(clippy::unwrap_used, reason = "a benchmark stops where its ground is missing")]
#![allow(clippy::print_stdout, reason = "says how large a running game is")]

#[path = "../tests/env/oracle/mod.rs"]
mod oracle;
#[path = "../../tests/reference_data/mod.rs"]
mod reference_data;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hgpo_env::alfworld::{Game, GameState};

const STEPS: usize = 50;
const BATCH: usize = 128;

/// A small fast generator: random numbers must not be what is measured.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize * count) >> 31
    }
}

/// One random admissible command.
fn step(play: &mut GameState, draw: &mut Draw) {
    let count: usize = play.admissible_set().iter().map(|word| word.count_ones() as usize).sum();
    let command = play.admissible_ids().nth(draw.below(count)).unwrap();
    play.step_command(command);
}

/// An episode with state, score and the set of admissible commands.
fn bare(game: &Arc<Game>, draw: &mut Draw) -> u32 {
    let mut play = GameState::new(game.clone());
    (0..STEPS).for_each(|_| step(&mut play, draw));
    u32::from(play.won())
}

/// Episodes of all games, one step of each at a time.
fn side_by_side(games: &[Arc<Game>]) -> u32 {
    let draw = |number: usize| Draw(number as u64);
    let start = |(number, game): (usize, &Arc<Game>)| (GameState::new(game.clone()), draw(number));
    let mut running: Vec<(GameState, Draw)> = games.iter().enumerate().map(start).collect();
    for _ in 0..STEPS {
        for (play, draw) in &mut running {
            step(play, draw);
        }
    }
    running.iter().map(|(play, _)| u32::from(play.won())).sum()
}

/// One random admissible command; how much there is to read after it.
fn step_and_read(play: &mut GameState, draw: &mut Draw, text: &mut String) -> usize {
    step(play, draw);
    text.clear();
    play.write_feedback(text);
    let commands: Vec<&str> = play.admissible().collect();
    black_box(text).len() + black_box(commands).len()
}

/// An episode with every observation's text and every admissible command's text, sorted.
fn texts(game: &Arc<Game>, draw: &mut Draw) -> usize {
    let mut play = GameState::new(game.clone());
    let (mut text, mut read) = (String::new(), 0);
    for _ in 0..STEPS {
        read += step_and_read(&mut play, draw, &mut text);
    }
    read
}

/// The same of all games, one step of each at a time.
fn texts_side_by_side(games: &[Arc<Game>]) -> usize {
    let start = |game: &Arc<Game>| (GameState::new(game.clone()), Draw(1));
    let mut running: Vec<(GameState, Draw)> = games.iter().map(start).collect();
    let (mut text, mut read) = (String::new(), 0);
    for _ in 0..STEPS {
        for (play, draw) in &mut running {
            read += step_and_read(play, draw, &mut text);
        }
    }
    read
}

/// Runs an episode of every game, shared out among all cores.
fn batch<T: Send>(games: &[Arc<Game>], episode: impl Fn(&Arc<Game>, &mut Draw) -> T + Sync) {
    let cores = std::thread::available_parallelism().unwrap().get();
    std::thread::scope(|scope| {
        for share in games.chunks(games.len().div_ceil(cores)) {
            let episode = &episode;
            scope.spawn(move || {
                for (number, game) in share.iter().enumerate() {
                    black_box(episode(game, &mut Draw(number as u64)));
                }
            });
        }
    });
}

fn official(c: &mut Criterion) {
    let Some(folder) = oracle::alfworld() else { return };
    let files = oracle::files(&folder.join("json_2.1.1"), "game.tw-pddl");
    let bytes: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    let games: Vec<Arc<Game>> =
        files.iter().step_by(3).take(BATCH).map(|it| oracle::game(it)).collect();
    let bytes_each = games.iter().map(|game| game.state_bytes()).max();
    println!("a running game takes at most {} bytes", bytes_each.unwrap());

    let mut group = c.benchmark_group("load and reset");
    group.throughput(Throughput::Elements(bytes.len() as u64)).sample_size(10);
    group.bench_function("474 games", |b| {
        b.iter(|| {
            for bytes in &bytes {
                black_box(GameState::new(Arc::new(Game::parse(bytes).unwrap())));
            }
        });
    });
    group.finish();

    let mut group = c.benchmark_group("50 random steps");
    group.throughput(Throughput::Elements((BATCH * STEPS) as u64));
    group.bench_function("128 games one after the other, admissible set, 1 core", |b| {
        b.iter(|| games.iter().map(|game| bare(game, &mut Draw(1))).sum::<u32>());
    });
    group.bench_function("128 games side by side, admissible set, 1 core", |b| {
        b.iter(|| side_by_side(&games));
    });
    // As in training: 16 tasks, 8 players of each.
    let groups: Vec<Arc<Game>> = (0..BATCH).map(|player| games[player / 8].clone()).collect();
    group.bench_function("16 games, 8 players each, one after the other, 1 core", |b| {
        b.iter(|| groups.iter().map(|game| bare(game, &mut Draw(1))).sum::<u32>());
    });
    group.bench_function("16 games, 8 players each, side by side, 1 core", |b| {
        b.iter(|| side_by_side(&groups));
    });
    group.bench_function("128 games one after the other, texts, 1 core", |b| {
        b.iter(|| games.iter().map(|game| texts(game, &mut Draw(1))).sum::<usize>());
    });
    group.bench_function("128 games side by side, texts, 1 core", |b| {
        b.iter(|| texts_side_by_side(&games));
    });
    group
        .bench_function("128 games, admissible set, all cores", |b| b.iter(|| batch(&games, bare)));
    group.bench_function("128 games, texts, all cores", |b| b.iter(|| batch(&games, texts)));
    group.finish();

    let mut play = GameState::new(games[0].clone());
    (0..STEPS).for_each(|_| step(&mut play, &mut Draw(3)));
    c.bench_function("snapshot", |b| b.iter(|| black_box(play.clone())));
}

criterion_group!(benches, official);
criterion_main!(benches);
