//! The generators of Python and numpy against recordings of both.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::reference_data::held;

use std::collections::BTreeMap;

use hgpo_env::random::numpy_random::RandomState;
use hgpo_env::random::python_random::PythonRandom;
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    np_shuffle: BTreeMap<String, Vec<usize>>,
    webshop_train_choice_seed0_500_6910_16: Vec<Vec<usize>>,
    webshop_val_choice_seed1000_0_500_128: Vec<Vec<usize>>,
    sokoban_train_seeds: Vec<Vec<u32>>,
    sokoban_val_seeds: Vec<Vec<u32>>,
    python_random: BTreeMap<u64, Drawn>,
}

/// What one `random.Random` draws, in this order.
#[derive(Deserialize)]
struct Drawn {
    random: Vec<f64>,
    /// From 3.78 to 11.99.
    uniform: Vec<f64>,
    /// Two of 10, 20, 30, 40.
    sample: Vec<Vec<f64>>,
    /// Below 7.
    randrange: Vec<usize>,
    /// 32 bits.
    getrandbits: Vec<u64>,
    /// Of 0 to 19.
    shuffle: Vec<usize>,
    /// Ten small letters.
    choices: String,
    /// One of the first five letters.
    choice: Vec<char>,
}

fn recording() -> Recording {
    serde_json::from_slice(&held().read("rng_oracle.json")).unwrap()
}

#[test]
fn numpy_draws_as_recorded() {
    let recording = recording();
    for (key, expected) in &recording.np_shuffle {
        let (count, seed) = key.split_once('_').unwrap();
        let mut items: Vec<usize> = (0..count.parse().unwrap()).collect();
        RandomState::new(seed.parse().unwrap()).shuffle(&mut items);
        assert_eq!(items[..expected.len()], *expected, "{key}");
    }
    assert!(recording.np_shuffle.len() >= 18);

    let mut random = RandomState::new(0);
    for expected in &recording.webshop_train_choice_seed0_500_6910_16 {
        assert_eq!(random.choice(500, 6910 - 500, 16), *expected);
    }
    let mut random = RandomState::new(1000);
    for expected in &recording.webshop_val_choice_seed1000_0_500_128 {
        assert_eq!(random.choice(0, 500, 128), *expected);
    }

    let mut random = RandomState::new(0);
    for expected in &recording.sokoban_train_seeds {
        let drawn: Vec<u32> = expected.iter().map(|_| random.integer(0, (1 << 16) - 1)).collect();
        assert_eq!(drawn, *expected);
    }
    let mut random = RandomState::new(1000);
    for expected in &recording.sokoban_val_seeds {
        let drawn: Vec<u32> = expected.iter().map(|_| random.integer(1 << 16, u32::MAX)).collect();
        assert_eq!(drawn, *expected);
    }
}

#[test]
fn python_draws_as_recorded() {
    let letters: Vec<char> = ('a'..='z').collect();
    let bits = |numbers: &[f64]| numbers.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
    let recorded = recording().python_random;
    for (&seed, expected) in &recorded {
        let mut random = PythonRandom::new(seed);
        let mut of = |draw: &mut dyn FnMut(&mut PythonRandom) -> f64, count: usize| {
            bits(&(0..count).map(|_| draw(&mut random)).collect::<Vec<_>>())
        };
        assert_eq!(of(&mut PythonRandom::random, expected.random.len()), bits(&expected.random));
        let mut uniform = |random: &mut PythonRandom| random.uniform(3.78, 11.99);
        assert_eq!(of(&mut uniform, expected.uniform.len()), bits(&expected.uniform));
        for sample in &expected.sample {
            let drawn = random.sample(&[10.0, 20.0, 30.0, 40.0], sample.len());
            assert_eq!(bits(&drawn.into_iter().copied().collect::<Vec<_>>()), bits(sample));
        }
        for &below in &expected.randrange {
            assert_eq!(random.below(7), below);
        }
        for &word in &expected.getrandbits {
            assert_eq!(random.bits(32), word);
        }
        let mut items: Vec<usize> = (0..20).collect();
        random.shuffle(&mut items);
        assert_eq!(items, expected.shuffle);
        // `choices` scales what `random` draws.
        let mut chosen = |_: char| letters[(random.random() * letters.len() as f64) as usize];
        let drawn: String = expected.choices.chars().map(&mut chosen).collect();
        assert_eq!(drawn, expected.choices);
        for letter in &expected.choice {
            assert_eq!(random.choice(&letters[..5]), Some(letter));
        }
    }
    assert_eq!(recorded.len(), 4);
}
