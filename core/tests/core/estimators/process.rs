//! The fixed point of a group's own process, and what is asked of it.

use super::*;
use hgpo_core::{Composed, Crbc, Credit, Depth, Discount, Source, StateSource, Worth};
use std::fmt::Write as _;

fn attempt(name: &str, states: &[String], success: bool) -> Trajectory {
    let step = |state: &String| Step::new(state, 0.0).with_action("on");
    let steps = states.iter().map(step).collect();
    Trajectory { success: Some(success), ..Trajectory::new("e", name, steps) }
}

fn walks(walks: &[(&str, bool)]) -> Batch {
    let attempts = walks.iter().enumerate().map(|(index, (states, success))| {
        let states: Vec<String> = states.chars().map(String::from).collect();
        attempt(&index.to_string(), &states, *success)
    });
    Batch::new(attempts.collect()).expect("valid")
}

/// V of every row's state: δ less what it leads to, discounted.
fn values(batch: &Batch, discount: f64, depth: Depth) -> Vec<f64> {
    let parts = Composed {
        state_value: Worth::Process,
        depth,
        value_discount: Discount::new(discount).expect("valid"),
        credit: Credit::Difference,
        ..Composed::default()
    };
    let options = Options { estimator: Estimator::Composed(parts), ..Options::default() };
    let value = |row| {
        let why = hgpo_core::explain_row(batch, &options, row).expect("there");
        let Source::Difference(difference) = &why.values[1].source else { panic!("{why}") };
        if let StateSource::End { success } = difference.next.source {
            assert_eq!(difference.next.number, f64::from(u8::from(success)));
        }
        difference.own.number
    };
    (0..batch.step_count()).map(value).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let close =
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
    assert!(close, "{found:?}\n{expected:?}");
}

#[test]
fn loops_are_solved() {
    // s leads to itself, to the goal and to a dead end: V = β (V + 1)/3.
    let own = walks(&[("ss", true), ("s", false)]);
    assert_close(&values(&own, 1.0, Depth::FixedPoint), &[0.5; 3]);
    assert_close(&values(&own, 0.5, Depth::FixedPoint), &[0.2; 3]);
    // s → x, goal; x → s, dead end: V(s) = V(x)/2 + 1/2, V(x) = V(s)/2.
    let two = walks(&[("sxs", true), ("x", false)]);
    let (s, x) = (2.0 / 3.0, 1.0 / 3.0);
    assert_close(&values(&two, 1.0, Depth::FixedPoint), &[s, x, s, x]);
    // V⁽⁰⁾(s) = (β³ + β)/2, V⁽⁰⁾(x) = β²/2; V⁽¹⁾(s) = β (V⁽⁰⁾(x) + 1)/2, V⁽¹⁾(x) = β V⁽⁰⁾(s)/2.
    let (s, x) = (0.3125, 0.125);
    assert_close(&values(&two, 0.5, Depth::Zero), &[s, x, s, x]);
    let (s, x) = (0.28125, 0.078_125);
    assert_close(&values(&two, 0.5, Depth::One), &[s, x, s, x]);
    let (s, x) = (0.25 * (0.078_125 + 1.0), 0.25 * 0.28125);
    assert_close(&values(&two, 0.5, Depth::Two), &[s, x, s, x]);
}

#[test]
fn without_a_discount_winners_are_worth_exactly_one() {
    let batch = walks(&[("abcabdcbeab", true), ("bcadbebcd", true), ("dadbcaeb", true)]);
    let found = values(&batch, 1.0, Depth::FixedPoint);
    assert!(found.iter().all(|value| *value == 1.0), "{found:?}");
    let lost = walks(&[("abcabdcbeab", false), ("bcadbebcd", false)]);
    let found = values(&lost, 1.0, Depth::FixedPoint);
    assert!(found.iter().all(|value| *value == 0.0), "{found:?}");
}

#[test]
fn the_fixed_point_is_where_its_steps_lead() {
    // Random walks among seven states, against many sweeps of Bellman's equation.
    let mut number = 5_u64;
    let mut below = |limit: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (number >> 33) % limit
    };
    let mut all = Vec::new();
    for _ in 0..12 {
        let mut states = String::new();
        for _ in 0..=below(12) {
            write!(states, "{}", below(7)).expect("text");
        }
        all.push((states, below(2) == 1));
    }
    let all: Vec<(&str, bool)> = all.iter().map(|(states, won)| (states.as_str(), *won)).collect();
    let mut swept = vec![0.0; 7];
    for _ in 0..10_000 {
        let mut sums = vec![(0.0, 0.0); 7];
        for (states, won) in &all {
            let states: Vec<usize> =
                states.bytes().map(|state| usize::from(state - b'0')).collect();
            for (place, &state) in states.iter().enumerate() {
                let end = f64::from(u8::from(*won));
                let next = states.get(place + 1).map_or(end, |&next| swept[next]);
                sums[state] = (sums[state].0 + 0.98 * next, sums[state].1 + 1.0);
            }
        }
        let mean = |(sum, visits): (f64, f64)| if visits > 0.0 { sum / visits } else { 0.0 };
        swept = sums.into_iter().map(mean).collect();
    }
    let states = all.iter().flat_map(|(states, _)| states.bytes());
    let expected: Vec<f64> = states.map(|state| swept[usize::from(state - b'0')]).collect();
    assert_close(&values(&walks(&all), 0.98, Depth::FixedPoint), &expected);
}

/// CRBC with a discount of states.
fn crbc(depth: Depth) -> Options {
    Options { estimator: Estimator::Crbc(Crbc { depth, ..Crbc::default() }), ..Options::default() }
}

#[test]
fn what_would_take_too_long_is_refused() {
    // One loop of 1,300 states; with a way through it instead, each is solved for itself.
    let round = |loops: usize| {
        let states: Vec<String> = (0..1300 * loops).map(|step| (step % 1300).to_string()).collect();
        Batch::new(vec![attempt("1", &states, true)]).expect("valid")
    };
    let refused = estimate(&round(2), &crbc(Depth::FixedPoint)).expect_err("too large").to_string();
    let expected = "option depth: task \"e\" goes round among too many states to solve their equations: \
                    choose 0, 1, 2 or 3";
    assert_eq!(refused, expected);
    assert!(estimate(&round(2), &crbc(Depth::Three)).is_ok());
    assert!(estimate(&round(1), &crbc(Depth::FixedPoint)).is_ok());
}

#[test]
fn long_tasks_take_seconds() {
    // 100,000 steps: all states distinct; and a thousand states round and round.
    let began = std::time::Instant::now();
    for different in [100_000, 1_000] {
        let states: Vec<String> =
            (0..100_000_usize).map(|step| (step * 7919 % different).to_string()).collect();
        let batch = Batch::new(vec![attempt("1", &states, true)]).expect("valid");
        for estimator in Estimator::all() {
            let options = Options { estimator, ..Options::default() };
            let found = estimate(&batch, &options).expect("valid").advantages;
            assert!(found.values().iter().all(|advantage| advantage.is_finite()));
        }
    }
    assert!(began.elapsed().as_secs() < 120, "{:?}", began.elapsed());
}
