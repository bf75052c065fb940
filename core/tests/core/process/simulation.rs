//! Estimators against the truth.

use hgpo_core::process::simulation::{EstimateSummary, SimulationPlan, SimulationReport, Unit};
use hgpo_core::process::{Decision, Process, simulate};
use hgpo_core::{Comparison, Level, Options};
use serde_json::json;

use super::{examples, words};

fn options(estimator: &serde_json::Value) -> Options {
    serde_json::from_value(
        json!({ "discount": 0.95, "invalid_penalty": 0, "estimator": estimator }),
    )
    .unwrap()
}

fn hgpo(baseline: &str, scale: &str) -> Options {
    options(&json!({ "name": "hgpo", "context_length": 2, "baseline": baseline, "scale": scale }))
}

fn example(name: &str) -> Process {
    examples().into_iter().find(|it| it.0 == name).unwrap().1
}

fn studied(name: &str, options: Options, samples: usize) -> SimulationReport {
    let plan = SimulationPlan { samples, attempts: 8, options };
    simulate(&example(name), &plan, &mut words(5)).unwrap()
}

/// What is said by level k, or by all together, of a decision.
fn said(study: &SimulationReport, decision: Decision, level: Option<usize>) -> &EstimateSummary {
    let comparison = level.map(|level| Comparison::Level(Level(level)));
    let of = study.of(decision).expect("drawn");
    of.said.iter().find(|it| it.comparison == comparison).expect("said")
}

/// To take the bridge, at the river.
const BRIDGE: Decision = Decision { situation: 5, steps_left: 1, action: 0 };

#[test]
fn where_the_state_tells_all_deeper_is_noisier_and_no_less_biased() {
    let found = studied("streets", hgpo("others", "mean"), 2000);
    assert_eq!(found.of(BRIDGE).unwrap().truth, 2.5);
    let of = |level| {
        let EstimateSummary { bias, estimates, .. } = said(&found, BRIDGE, Some(level));
        (bias.unwrap(), estimates.standard_error.unwrap(), estimates.spread.unwrap())
    };
    // Compared with others alone, no level is biased.
    for level in 0..=2 {
        let (bias, error, _) = of(level);
        assert!(bias.abs() < 4.0 * error, "level {level}: {bias} ± {error}");
    }
    // Seven others at level 0: σ = √(7.5 · 2.5) = 4.33 of one return, /√7 = 1.64 of their mean. One
    // to seven at level 2, mostly one or two.
    assert!((of(0).2 - 4.33 / 7.0_f64.sqrt()).abs() < 0.05);
    assert!(of(0).2 + 0.3 < of(1).2 && of(1).2 + 0.6 < of(2).2, "{:?}", [of(0), of(1), of(2)]);
    // With the step's own return in the mean, groups of n take 1/n of the advantage away as well.
    let found = studied("streets", hgpo("group", "mean"), 2000);
    let bias = |level| said(&found, BRIDGE, Some(level)).bias.unwrap();
    assert!((bias(0) + 2.5 / 8.0).abs() < 0.1);
    assert!(bias(1) < bias(0) - 0.2 && bias(2) < bias(1) - 0.2);
}

#[test]
fn where_the_state_hides_something_deeper_is_less_biased() {
    let found = studied("inconsistent", hgpo("others", "mean"), 2000);
    let squared_bias = |level: usize| {
        let errors = found.overall[level].errors.as_ref().unwrap();
        errors.squared_bias.unwrap()
    };
    assert!(squared_bias(0) > 1.0 && squared_bias(2) < squared_bias(0) / 2.0);
    // A needless knock with the key in hand, after hall and desk: worse than the mean of those who
    // have the key, better than that of all at the door.
    let knock = Decision { situation: 2, steps_left: 6, action: 1 };
    let of = |level| said(&found, knock, Some(level)).bias.unwrap();
    assert!(found.of(knock).unwrap().truth < 0.0 && of(0) > 1.0 && of(1).abs() < 0.2);
}

#[test]
fn every_decision_adds_up() {
    let found = studied("errand", hgpo("group", "mean"), 50);
    let steps: usize = found.decisions.iter().map(|it| it.steps).sum();
    assert_eq!((found.samples, found.attempts, steps), (50, 8, found.steps));
    for (place, overall) in found.overall.iter().enumerate() {
        let level = Some(Comparison::Level(Level(place))).filter(|_| place < 3);
        assert_eq!(overall.comparison, level);
        let of = found.decisions.iter().flat_map(|it| &it.said);
        let of: Vec<&EstimateSummary> = of.filter(|it| it.comparison == level).collect();
        let count: usize = of.iter().map(|it| it.estimates.count).sum();
        let opposite: usize = of.iter().map(|it| it.estimates.opposite).sum();
        assert_eq!((overall.estimates.count, overall.estimates.opposite), (count, opposite));
        let histogram = |it: &[(usize, usize)]| it.iter().map(|bin| bin.1).sum::<usize>();
        assert_eq!(histogram(&overall.estimates.histogram), count);
        let errors = overall.errors.as_ref().unwrap();
        assert_eq!(histogram(&errors.errors.histogram), count);
        // A group's deviations from its mean add up to 0.
        assert!(place == 3 || overall.estimates.mean.abs() < 0.2);
    }
    assert_eq!(found.overall[3].estimates.count, found.steps);
}

#[test]
fn the_same_words_give_the_same_study_and_it_comes_back_from_json() {
    let found = studied("loop", Options::default(), 20);
    assert_eq!(found, studied("loop", Options::default(), 20));
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<SimulationReport>(&text).unwrap(), found);
}

#[test]
fn advantages_in_other_units_are_not_subtracted_from() {
    let units = [
        (hgpo("group", "mean-std"), Unit::Spread),
        (options(&json!({ "name": "gigpo" })), Unit::Spread),
        (options(&json!({ "name": "rloo" })), Unit::Return),
        (options(&json!({ "name": "reinforce-plus-plus" })), Unit::Batch),
    ];
    for (options, unit) in units {
        let found = studied("team", options, 20);
        assert_eq!(found.unit, unit);
        let said = found.decisions.iter().flat_map(|it| &it.said);
        let is_return = unit == Unit::Return;
        assert!(said.clone().all(|it| it.bias.is_some() == is_return) && said.count() > 10);
        assert!(found.overall.iter().all(|it| it.errors.is_some() == is_return));
        assert!(found.overall.last().unwrap().correlation.unwrap() > 0.0);
    }
}

#[test]
fn the_whole_is_what_estimate_says() {
    for name in hgpo_core::Estimator::NAMES {
        let options = options(&json!({ "name": name }));
        let plan = SimulationPlan { samples: 1, attempts: 6, options: options.clone() };
        let process = example("anchors");
        let found = simulate(&process, &plan, &mut words(5)).unwrap();
        let batch = hgpo_core::Batch::new(process.episodes("g", 6, &mut words(5))).unwrap();
        let estimate = hgpo_core::estimate(&batch, &options).unwrap();
        let overall = &found.overall.last().unwrap().estimates;
        let values = estimate.advantages.values();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert_eq!(overall.count, values.len());
        assert!((overall.mean - mean).abs() < 1e-12, "{name}");
    }
}

#[test]
fn too_much_or_nothing_is_refused() {
    let refused = |samples, attempts| {
        let plan = SimulationPlan { samples, attempts, options: Options::default() };
        simulate(&example("loop"), &plan, &mut words(1)).unwrap_err().to_string()
    };
    assert_eq!(refused(0, 8), "process: a study needs at least one sample of one attempt");
    assert_eq!(
        refused(200_000, 8),
        "process: 200000 samples of 8 attempts with up to 8 steps, 4 advantages each, are more than \
         10000000: lower one of them"
    );
    refused(usize::MAX, usize::MAX);
}
