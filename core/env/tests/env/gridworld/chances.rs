//! What moves can lead to, and how likely it is.

use super::{on, situation, start};
use hgpo_env::gridworld::{GridworldSettings, WORLDS};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Environment, Possibility};
use std::collections::BTreeMap;

const ACTIONS: [&str; 4] = ["up", "down", "left", "right"];

fn chance(seed: u64) -> Stream {
    Stream::new(seed, Purpose::Sampling, [0, 0]).chance()
}

/// What an action can lead to: where, how likely, and what it earns. What is over has no situation.
fn ahead(episode: &dyn Environment, action: &str) -> Vec<(String, f64, f64)> {
    let read = |it: Possibility| {
        let next = it.next.map_or("over".to_owned(), |next| situation(&*next));
        (next, it.probability, it.reward)
    };
    episode.possibilities(action).unwrap().into_iter().map(read).collect()
}

fn expected(ways: &[(&str, f64, f64)]) -> Vec<(String, f64, f64)> {
    ways.iter().map(|&(next, chance, reward)| (next.to_owned(), chance, reward)).collect()
}

#[test]
fn a_slip_goes_to_either_side_half_as_often() {
    // A quarter slips: 3/4 straight, 1/8 to each side.
    let slippery = |map| GridworldSettings { slip: 0.25, ..on(map) };
    let crossing = start(slippery("#.#\n.S.\n#G#"));
    let up = [("0,1", 0.75, 0.0), ("1,0", 0.125, 0.0), ("1,2", 0.125, 0.0)];
    assert_eq!(ahead(&*crossing, "up"), expected(&up));
    let right = [("1,2", 0.75, 0.0), ("0,1", 0.125, 0.0), ("over", 0.125, 10.0)];
    assert_eq!(ahead(&*crossing, "right"), expected(&right));
    // In a corridor both slips of a move along it stay; of a move against the wall, only that does.
    let corridor = start(slippery("~S.G"));
    assert_eq!(ahead(&*corridor, "right"), expected(&[("0,2", 0.75, 0.0), ("0,1", 0.25, 0.0)]));
    let up = [("0,1", 0.75, 0.0), ("0,0", 0.125, -1.0), ("0,2", 0.125, 0.0)];
    assert_eq!(ahead(&*corridor, "up"), expected(&up));
    // In a corner: up stays, and so does its slip to the left.
    let corner = start(slippery("S.\n.G"));
    assert_eq!(ahead(&*corner, "up"), expected(&[("0,0", 0.875, 0.0), ("0,1", 0.125, 0.0)]));
}

#[test]
fn without_slips_there_is_one_possibility_and_none_for_what_is_no_action() {
    let episode = start(on("S.G"));
    assert_eq!(ahead(&*episode, " right "), expected(&[("0,1", 1.0, 0.0)]));
    assert_eq!(ahead(&*episode, "up"), expected(&[("0,0", 1.0, 0.0)]));
    assert!(["", "Right", "right left"].iter().all(|it| episode.possibilities(it).is_none()));
}

/// Every situation that can be reached from here, once, with an episode in it.
fn reachable(episode: &dyn Environment) -> BTreeMap<String, Box<dyn Environment>> {
    let mut known = BTreeMap::new();
    let mut ahead = vec![episode.snapshot()];
    while let Some(episode) = ahead.pop() {
        let name = situation(&*episode);
        if known.contains_key(&name) {
            continue;
        }
        for action in ACTIONS {
            let ways = episode.possibilities(action).unwrap();
            ahead.extend(ways.into_iter().filter_map(|it| it.next));
        }
        known.insert(name, episode);
    }
    known
}

#[test]
fn steps_do_what_the_possibilities_say_as_often_as_they_say() {
    const DRAWS: u32 = 4000;
    let map = "K.S\n~#D\n..G";
    let mut worst: f64 = 0.0;
    for (name, episode) in reachable(&*start(GridworldSettings { slip: 0.3, cost: 0.5, ..on(map) }))
    {
        for action in ACTIONS {
            let ways = ahead(&*episode, action);
            let total: f64 = ways.iter().map(|way| way.1).sum();
            assert!((total - 1.0).abs() < 1e-12, "{name} {action}");
            let mut counts = vec![0_u32; ways.len()];
            let mut chance = chance(7);
            for _ in 0..DRAWS {
                let mut tried = episode.snapshot();
                let outcome = tried.step(action, &mut chance);
                let next = if outcome.won { "over".into() } else { situation(&*tried) };
                let reward = outcome.reward.to_bits();
                let found = ways.iter().position(|way| way.0 == next && way.2.to_bits() == reward);
                counts[found.expect("what happens is among the possibilities")] += 1;
            }
            for (count, (_, probability, _)) in counts.into_iter().zip(ways) {
                let error = (probability * (1.0 - probability) / f64::from(DRAWS)).sqrt();
                let off = (f64::from(count) / f64::from(DRAWS) - probability).abs();
                worst = worst.max(off / error.max(1e-9));
            }
        }
    }
    assert!(worst < 4.0, "{worst} standard errors");
}

#[test]
fn possible_results_differ_from_each_other_in_every_world() {
    for world in WORLDS {
        for slip in [0.0, 0.2, 0.9] {
            let episode = start(GridworldSettings { slip, ..GridworldSettings::of(world) });
            for (name, episode) in reachable(&*episode) {
                for action in ACTIONS {
                    let ways = ahead(&*episode, action);
                    let mut seen: Vec<&str> = ways.iter().map(|way| &*way.0).collect();
                    seen.sort_unstable();
                    seen.dedup();
                    assert_eq!(seen.len(), ways.len(), "{} {name} {action}", world.name);
                    assert!(ways.iter().all(|way| way.1 > 0.0 && way.1 <= 1.0));
                    assert!(ways.iter().map(|way| way.1).sum::<f64>() - 1.0 < 1e-12);
                }
            }
        }
    }
}

/// All that can be told of some steps of chance.
fn future(episode: &dyn Environment, seed: u64) -> Vec<String> {
    let mut episode = episode.snapshot();
    let mut chance = chance(seed);
    let mut told = vec![format!("{:?} {:?}", episode.observe(), episode.plan())];
    for step in 0..6 {
        let action = ACTIONS[(seed as usize + 3 * step) % 4];
        let outcome = episode.step(action, &mut chance);
        told.push(format!("{outcome:?} {:?} {:?}", episode.observe(), episode.plan()));
    }
    told
}

#[test]
fn episodes_in_the_same_situation_go_on_alike() {
    for world in WORLDS {
        let settings = GridworldSettings { slip: 0.2, ..GridworldSettings::of(world) };
        let mut known: BTreeMap<String, Box<dyn Environment>> = BTreeMap::new();
        for seed in 0..40 {
            let mut chance = chance(seed);
            let mut episode = start(settings.clone());
            for _ in 0..20 {
                let action = ACTIONS[chance.below(4)];
                if episode.step(action, &mut chance).done {
                    break;
                }
                let first = known.entry(situation(&*episode)).or_insert_with(|| episode.snapshot());
                // At most 20 of 30 steps are gone: the limit is not met in six more.
                assert_eq!(future(&**first, seed), future(&*episode, seed), "{}", world.name);
            }
        }
        assert!(known.len() > 5, "{}: {}", world.name, known.len());
    }
}
