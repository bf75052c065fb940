//! True values against means of many attempts.

use std::collections::BTreeMap;

use hgpo_core::process::{Decision, Process};
use hgpo_core::{Discount, Statistics, StdRule, discounted_returns};

use super::{door, examples, words};

/// Attempts of each process.
const ATTEMPTS: usize = 20_000;

/// Fewer visits of a place are no sample whose mean is distributed as one expects.
const ENOUGH: usize = 200;

/// Checks that a mean of independent returns is within four standard errors of the true value.
fn check(place: &str, returns: &[f64], truth: f64) {
    let found = Statistics::of(returns, StdRule::Sample);
    let error = found.std / (found.size as f64).sqrt();
    let far = (found.mean - truth).abs();
    assert!(far <= 4.0 * error + 1e-9, "{place}: {} ± {error}, not {truth}", found.mean);
}

/// Returns of every decision, and of every situation with its steps left: each is there at most once in
/// an attempt, so that they are independent.
fn compare(name: &str, process: &Process, discount: Discount, seed: u64) -> usize {
    let values = process.values(discount);
    let mut decisions = BTreeMap::<Decision, Vec<f64>>::new();
    let mut situations = BTreeMap::<(usize, usize), Vec<f64>>::new();
    for attempt in process.episodes("g", ATTEMPTS, &mut words(seed)) {
        let rewards: Vec<f64> = attempt.steps.iter().map(|step| step.reward).collect();
        let located = process.locate(&attempt).expect("an attempt of the process");
        for (value, decision) in discounted_returns(&rewards, discount).into_iter().zip(located) {
            let Some(decision) = decision else { continue };
            decisions.entry(decision).or_default().push(value);
            let place = (decision.situation, decision.steps_left);
            situations.entry(place).or_default().push(value);
        }
    }
    decisions.retain(|_, returns| returns.len() >= ENOUGH);
    situations.retain(|_, returns| returns.len() >= ENOUGH);
    for (&decision, returns) in &decisions {
        check(&format!("{name}, {decision:?}"), returns, values.action_value(decision));
    }
    for (&(situation, steps_left), returns) in &situations {
        let place = format!("{name}, situation {situation} with {steps_left} steps left");
        check(&place, returns, values.value(situation, steps_left));
    }
    decisions.len() + situations.len()
}

#[test]
fn enumeration_and_sampling_agree() {
    let mut compared = 0;
    for (seed, (name, process)) in examples().iter().enumerate() {
        for discount in [0.5, 0.95, 1.0] {
            let discount = Discount::new(discount).unwrap();
            compared += compare(name, process, discount, seed as u64);
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn a_value_of_the_start_needs_no_location() {
    // The first step of an attempt at the door, whose situation the attempt does not always tell:
    // V is that of both, with probability 1/2 each. γ = 1/2: (3/8 + 6 + 15/32) / 2.
    let half = Discount::new(0.5).unwrap();
    let first = |attempt: hgpo_core::Trajectory| {
        let rewards: Vec<f64> = attempt.steps.iter().map(|step| step.reward).collect();
        discounted_returns(&rewards, half)[0]
    };
    let attempts = door().episodes("g", ATTEMPTS, &mut words(7));
    let returns: Vec<f64> = attempts.into_iter().map(first).collect();
    check("door", &returns, 0.5 * 0.375 + 0.5 * 6.468_75);
}
