//! The worked examples are attempts of their processes.

use std::path::Path;

use hgpo_core::process::{Decision, Process};
use hgpo_core::{Batch, Discount, Trajectory, format};

use super::examples;

fn attempts(name: &str) -> Vec<Trajectory> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/presets");
    let text = std::fs::read(folder.join(format!("{name}.rollouts.jsonl"))).unwrap();
    format::read(&text[..]).unwrap()
}

/// The decisions of an example's attempts, every one of which is known.
fn located(name: &str, process: &Process) -> Vec<(Trajectory, Vec<Decision>)> {
    let of = |attempt: Trajectory| {
        let place = format!("{name}, {}", attempt.trajectory);
        let found = process.locate(&attempt).unwrap_or_else(|misfit| panic!("{place}: {misfit:?}"));
        let known = found.into_iter().enumerate();
        let known =
            known.map(|(step, it)| it.unwrap_or_else(|| panic!("{place}, step {step}: unknown")));
        (attempt, known.collect())
    };
    attempts(name).into_iter().map(of).collect()
}

/// The true advantage of a step of an example.
fn truth(name: &str, trajectory: &str, step: usize, discount: f64) -> f64 {
    let process = examples().into_iter().find(|it| it.0 == name).unwrap().1;
    let located = located(name, &process);
    let (_, decisions) = located.iter().find(|it| it.0.trajectory == trajectory).unwrap();
    process.values(Discount::new(discount).unwrap()).advantage(decisions[step])
}

#[test]
fn every_step_of_every_example_is_located() {
    let examples = examples();
    let names: Vec<&str> = examples.iter().map(|(name, _)| name.as_str()).collect();
    // `alone` has a clock that never shows the same time again, `chores` was recorded.
    assert_eq!(
        names,
        ["alike", "anchors", "errand", "inconsistent", "loop", "overview", "streets", "team"]
    );
    for (name, process) in &examples {
        assert!(!located(name, process).is_empty());
    }
}

#[test]
fn sampled_attempts_can_take_the_place_of_recorded_ones() {
    for (name, process) in examples() {
        let recorded = attempts(&name);
        let agents = |all: &[Trajectory]| all[0].steps[0].agent.is_some();
        let drawn = process.episodes(&recorded[0].task, 8, &mut super::words(3));
        assert_eq!(agents(&recorded), agents(&drawn));
        Batch::new(drawn).unwrap();
    }
}

#[test]
fn the_notes_are_true() {
    // alike: nothing is better than anything else.
    assert_eq!(truth("alike", "t1", 1, 0.95), 0.0);
    // anchors: the wrong turn at the fork, and the swim at the ford rather than the turn at the bank.
    assert!(truth("anchors", "t2", 1, 0.95) < 0.0);
    assert!(truth("anchors", "t3", 2, 0.95) < 0.0 && truth("anchors", "t3", 1, 0.95) > 0.0);
    // inconsistent: a knock with the key in hand is needless.
    assert!(truth("inconsistent", "t2", 2, 0.95) < 0.0);
    // team: the worker's cut is the right thing to do.
    assert!(truth("team", "t1", 1, 0.95) > 0.0);
}

#[test]
fn by_hand() {
    // At the door with the key, 6 steps left, γ = 1/2: to unlock is worth 10, to knock half of
    // V(5). V(n) = 7 + 0.15 V(n − 1): 7, 8.05, 8.2075, 8.231125, 8.23466875, 8.2352003125.
    let knock = truth("inconsistent", "t2", 2, 0.5);
    assert!((knock - (8.234_668_75 / 2.0 - 8.235_200_312_5)).abs() < 1e-12, "{knock}");
    // At the river: 10 by the bridge, 5 by the ferry, 7.5 by either.
    assert_eq!(truth("streets", "t1", 3, 0.5), 2.5);
    assert_eq!(truth("streets", "t4", 3, 0.5), -2.5);
    // Which way to take there does not matter.
    for step in 0..3 {
        assert_eq!(truth("streets", "t1", step, 0.95), 0.0);
    }
}
