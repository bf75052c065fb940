//! Whether equal states have equal pasts, on batches small enough for a pencil.
#![allow(clippy::float_cmp, reason = "exact shares are what is tested")]

use hgpo_core::{
    Baseline, Batch, Discount, Estimator, Gigpo, Grpo, Hgpo, History, Inconsistency, Options, Step,
    Trajectory, diagnostics, format,
};

/// HGPO with γ = 1, so that returns are sums of rewards.
fn options(context_length: usize) -> Options {
    let estimator = Estimator::Hgpo(Hgpo { context_length, ..Hgpo::default() });
    Options { discount: Discount::new(1.0).expect("valid"), estimator, ..Options::default() }
}

fn found(batch: &Batch, options: &Options) -> Vec<Option<Inconsistency>> {
    let health = diagnostics(batch, options).expect("valid");
    health.levels.into_iter().map(|level| level.inconsistency).collect()
}

/// Attempts of a task: states, and the reward at the end.
fn walks(walks: &[(&[&str], f64)]) -> Batch {
    let walk = |(index, (states, reward)): (usize, &(&[&str], f64))| {
        let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
        steps.last_mut().expect("a step").reward = *reward;
        Trajectory::new("g", format!("t{index}"), steps)
    };
    Batch::new(walks.iter().enumerate().map(walk).collect()).expect("valid")
}

fn close(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-12)
}

#[test]
fn the_locked_door_has_inconsistent_contexts() {
    let text = include_str!("../../../assets/presets/inconsistent.rollouts.jsonl");
    let batch = Batch::new(format::read(text.as_bytes()).expect("rollouts")).expect("valid");
    let [none, Some(first), Some(second)] = found(&batch, &options(2))[..] else {
        panic!("levels")
    };
    assert!(none.is_none());
    // Level 1. The desk is always entered from the hall (returns 10, 10, 10). The door is entered from the
    // desk (10, 10, 10), from the door itself (10) and from the hall (10, 0): mean 50/6 = 25/3,
    // T = 5 (5/3)² + (25/3)² = 250/3; means of the parts 10, 10 and 5, B = 4 (5/3)² + 2 (10/3)² = 100/3;
    // three parts of six steps, E = T · 2/5 = 100/3. Just what chance would give.
    assert_eq!((first.groups, first.split, first.split_fraction), (2, 1, 0.5));
    assert!(close(first.explained, 0.4) && close(first.by_chance, 0.4));
    assert!(close(first.beyond_chance, 0.0));
    // Level 2. Only the door has two steps with two states before: hall, desk (10, 10, 10) and desk, door
    // (10). Split, but all returns are equal.
    assert_eq!((second.groups, second.split, second.split_fraction), (1, 1, 1.0));
    assert_eq!((second.explained, second.by_chance, second.beyond_chance), (None, None, None));
    let text = diagnostics(&batch, &options(2)).expect("valid").to_string();
    let lines = "\ncontexts of level 1: 1 of 2 groups of equal states are split; 40.0 % of their returns' spread is between the parts (40.0 % by chance)\ncontexts of level 2: 1 of 1 groups of equal states are split\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn a_past_that_decides_everything_explains_everything() {
    let batch = walks(&[
        (&["key", "door"], 10.0),
        (&["key", "door"], 10.0),
        (&["mat", "door"], 0.0),
        (&["mat", "door"], 0.0),
    ]);
    // T = 4 · 5² = B; two parts of four steps: E = T / 3.
    let first = found(&batch, &options(1))[1].expect("level 1");
    assert_eq!(first.explained, Some(1.0));
    assert!(close(first.by_chance, 1.0 / 3.0) && close(first.beyond_chance, 1.0));
}

#[test]
fn a_past_that_decides_nothing_explains_less_than_chance() {
    let batch = walks(&[
        (&["key", "door"], 10.0),
        (&["key", "door"], 0.0),
        (&["mat", "door"], 10.0),
        (&["mat", "door"], 0.0),
    ]);
    // B = 0, T = 100, E = 100 / 3: (0 − 1/3) / (1 − 1/3) = −1/2.
    let first = found(&batch, &options(1))[1].expect("level 1");
    assert_eq!(first.explained, Some(0.0));
    assert!(close(first.by_chance, 1.0 / 3.0) && close(first.beyond_chance, -0.5));
}

#[test]
fn parts_of_one_step_explain_everything_and_show_nothing() {
    let batch =
        walks(&[(&["key", "door"], 10.0), (&["mat", "door"], 0.0), (&["bell", "door"], 3.0)]);
    let first = found(&batch, &options(1))[1].expect("level 1");
    assert_eq!((first.groups, first.split), (1, 1));
    assert_eq!((first.explained, first.by_chance), (Some(1.0), Some(1.0)));
    assert_eq!(first.beyond_chance, None);
}

#[test]
fn sums_of_squares_are_pooled_over_groups() {
    // The door as above, B = 0 and T = 100 (γ = 1); and the gate: 30, 30 from the key, 0, 0 from the mat,
    // B = T = 4 · 15² = 900. Together 900 / 1000, E = 1000 / 3: (0.9 − 1/3) / (2/3) = 0.85.
    let batch = walks(&[
        (&["key", "door"], 10.0),
        (&["key", "door"], 0.0),
        (&["mat", "door"], 10.0),
        (&["mat", "door"], 0.0),
        (&["key", "gate"], 30.0),
        (&["key", "gate"], 30.0),
        (&["mat", "gate"], 0.0),
        (&["mat", "gate"], 0.0),
    ]);
    let first = found(&batch, &options(1))[1].expect("level 1");
    assert_eq!((first.groups, first.split), (2, 2));
    assert!(close(first.explained, 0.9) && close(first.beyond_chance, 0.85));
}

#[test]
fn steps_without_a_past_are_left_out() {
    // The first step of the second attempt is at the door too, with nothing before it.
    let batch =
        walks(&[(&["key", "door"], 10.0), (&["door", "end"], 4.0), (&["key", "door"], 1.0)]);
    let first = found(&batch, &options(1))[1].expect("level 1");
    assert_eq!((first.groups, first.split, first.split_fraction), (1, 0, 0.0));
    assert_eq!(first.explained, None);
    // No attempt is long enough for level 2.
    let second = found(&batch, &options(2))[2].expect("level 2");
    assert_eq!((second.groups, second.split, second.split_fraction), (0, 0, 0.0));
}

#[test]
fn summaries_of_the_past_split_as_states_do() {
    let walk = |(index, (past, reward)): (usize, (&str, f64))| {
        let step = Step { context: Some(past.into()), ..Step::new("door", reward) };
        Trajectory::new("g", format!("t{index}"), vec![step])
    };
    let walks = [("has key", 10.0), ("has key", 10.0), ("no key", 0.0), ("no key", 10.0)];
    let batch = Batch::new(walks.into_iter().enumerate().map(walk).collect()).expect("valid");
    let hgpo = Hgpo { history: History::Summary, ..Hgpo::default() };
    let options = Options { estimator: Estimator::Hgpo(hgpo), ..options(1) };
    // Means 10, 5 and 7.5: B = 4 · 2.5² = 25, T = 3 · 2.5² + 7.5² = 75.
    let first = found(&batch, &options)[1].expect("level 1");
    assert!(close(first.explained, 1.0 / 3.0));
}

#[test]
fn who_looks_at_states_alone_has_no_contexts() {
    let batch = walks(&[(&["key", "door"], 10.0), (&["mat", "door"], 0.0)]);
    let of = |estimator| found(&batch, &Options { estimator, ..options(0) });
    assert_eq!(of(Estimator::Gigpo(Gigpo::default())), [None]);
    assert_eq!(of(Estimator::Grpo(Grpo::default())), []);
    assert_eq!(found(&batch, &options(0)), [None]);
}

#[test]
fn groups_are_counted_whole_whoever_is_left_out_of_a_comparison() {
    // The first attempt is at the door twice, so that each of these steps is compared with one other.
    let batch = walks(&[(&["door", "door"], 1.0), (&["door"], 0.0)]);
    let hgpo = Hgpo { baseline: Baseline::Others, context_length: 0, ..Hgpo::default() };
    let options = Options { estimator: Estimator::Hgpo(hgpo), ..options(0) };
    let level = diagnostics(&batch, &options).expect("valid").levels.remove(0);
    let compared: Vec<_> = level.sizes.iter().map(|it| (it.size, it.steps)).collect();
    let groups: Vec<_> = level.group_sizes.iter().map(|it| (it.size, it.groups)).collect();
    assert_eq!((compared, groups), (vec![(1, 2), (2, 1)], vec![(3, 1)]));
}
