//! Which games of ALFWorld a validation plays: by seed, by number of places, and by the order of files.

use std::collections::BTreeMap;

use hgpo_env::alfworld::GameOrder;
use hgpo_env::random::numpy_random::RandomState;

use crate::{head, percent, row};

/// Games of the two splits.
const SPLITS: [(&str, usize); 2] = [("valid_seen", 140), ("valid_unseen", 134)];

/// What validation adds to the seed of a run.
const VALIDATION: u32 = 1000;

/// Seeds over which a spread is taken.
const SEEDS: u32 = 1000;

/// How often every game is played: each place has a list of its own, in the order of its own seed, and every
/// round plays the next game of each.
fn played(games: usize, seed: u32, places: u32, rounds: usize) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for place in 0..places {
        for game in GameOrder::new(games, seed + VALIDATION + place).take(rounds) {
            *counts.entry(game).or_insert(0) += 1;
        }
    }
    counts
}

pub(crate) fn print() {
    distinct();
    neighbours();
    spread();
}

fn distinct() {
    head(&[
        "split",
        "seed",
        "places",
        "rounds",
        "episodes",
        "games",
        "left out",
        "most often",
        "as with 128 places",
    ]);
    for (split, games) in SPLITS {
        for (seed, places, rounds) in [
            (0, 128, 1),
            (0, 64, 2),
            (0, 32, 4),
            (0, 16, 8),
            (0, 1, 128),
            (0, 140, 1),
            (123, 128, 1),
            (123, 128, 4),
            (456, 128, 4),
            (789, 128, 4),
        ] {
            let counts = played(games, seed, places, rounds);
            let most = counts.values().max().copied().unwrap_or(0);
            let alike = common(&counts, &played(games, seed, 128, 1));
            let episodes = places as usize * rounds;
            let numbers = [seed as usize, places as usize, rounds, episodes];
            let found = [counts.len(), games - counts.len(), most, alike];
            let cells = numbers.iter().chain(&found).map(ToString::to_string);
            row(&[split.to_owned()].into_iter().chain(cells).collect::<Vec<_>>());
        }
    }
}

/// Episodes that two lists have in common.
fn common(one: &BTreeMap<usize, usize>, other: &BTreeMap<usize, usize>) -> usize {
    one.iter().map(|(game, count)| *count.min(other.get(game).unwrap_or(&0))).sum()
}

/// Episodes of one seed that are also those of the next.
fn neighbours() {
    head(&["split", "seeds", "episodes in common, of 128"]);
    for (split, games) in SPLITS {
        for seeds in [[0, 1], [0, 2], [0, 10], [123, 456]] {
            let [one, other] = seeds.map(|seed| played(games, seed, 128, 1));
            let pair = format!("{} and {}", seeds[0], seeds[1]);
            row(&[split.to_owned(), pair, common(&one, &other).to_string()]);
        }
    }
}

/// A policy that always wins the same games: its rate by the order of files, and the games that two orders share.
fn spread() {
    head(&[
        "split",
        "wins, of all",
        "its rate: least",
        "mean",
        "most",
        "deviation",
        "games that two orders share",
    ]);
    for (split, games) in SPLITS {
        let wins = games * 77 / 100;
        let counts = played(games, 0, 128, 1);
        let mut rates = Vec::new();
        let mut shared = 0;
        for order in 0..SEEDS {
            // The files in another order: the number of a game stands for another file.
            let mut files: Vec<usize> = (0..games).collect();
            RandomState::new(order).shuffle(&mut files);
            let won = counts.iter().filter(|(game, _)| files[**game] < wins);
            rates.push(won.map(|(_, count)| count).sum::<usize>() as f64 / 128.0);
            shared += counts.keys().filter(|game| counts.contains_key(&files[**game])).count();
        }
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let squares = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>();
        let deviation = (squares / rates.len() as f64).sqrt();
        let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let most = rates.iter().copied().fold(0.0, f64::max);
        let exact = wins as f64 / games as f64;
        let shared = f64::from(u32::try_from(shared).unwrap_or(0)) / f64::from(SEEDS);
        let cells = [exact, least, mean, most, deviation].map(percent);
        let shared = format!("{shared:.1} of {}", counts.len());
        row(&[split.to_owned()].into_iter().chain(cells).chain([shared]).collect::<Vec<_>>());
    }
}
