//! Estimators that are made of parts, on four attempts at one task, γ = 0.5:
//!
//! ```text
//! 1: s0 a, x c, success    2: s0 a, x d, failure    3: s0 b, x c, success    4: s0 b, y c, failure
//! ```
//! R_t: 0.5, 1; 0, 0; 0.5, 1; 0, 0. Mean of s0 1/4, of x 2/3, of y 0. Episode scores 1, 0, 1, 0, one an
//! attempt: sample deviation √(1/3), A_E = ±√3/2.

use super::*;
use hgpo_core::{
    AdaStep, Composed, Crbc, Credit, Depth, Discount, Ecpo, EpisodeStatistics, Explanation, Factor,
    Gagpo, Pgpo, Rule, Source, Worth,
};

const EPISODE: f64 = 0.866_025_403_784_438_6;

pub(super) fn attempt(name: &str, moves: &[(&str, &str)], success: bool) -> Trajectory {
    let step = |(state, action): &(&str, &str)| Step::new(*state, 0.0).with_action(*action);
    let mut steps: Vec<Step> = moves.iter().map(step).collect();
    steps.last_mut().expect("a step").reward = f64::from(u8::from(success));
    Trajectory { success: Some(success), ..Trajectory::new("e", name, steps) }
}

fn four() -> Batch {
    let attempts = [
        attempt("1", &[("s0", "a"), ("x", "c")], true),
        attempt("2", &[("s0", "a"), ("x", "d")], false),
        attempt("3", &[("s0", "b"), ("x", "c")], true),
        attempt("4", &[("s0", "b"), ("y", "c")], false),
    ];
    Batch::new(attempts.into()).expect("valid")
}

pub(super) fn half(estimator: Estimator) -> Options {
    Options { discount: fraction(0.5), estimator, ..Options::default() }
}

pub(super) fn fraction(value: f64) -> Discount {
    Discount::new(value).expect("valid")
}

fn told(estimator: &Estimator, name: &str, step: usize) -> Explanation {
    explain(&four(), &half(estimator.clone()), &StepAddress::new("e", name, step)).expect("there")
}

#[track_caller]
pub(super) fn assert_close(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    let close =
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < within);
    assert!(close, "{found:?}\n{expected:?}");
}

/// The advantages of all steps of the four.
fn all(estimator: Estimator) -> Vec<f64> {
    advantages(&four(), &half(estimator)).into_values()
}

#[test]
fn crbc_closes_the_groups_own_process() {
    let crbc = |depth| {
        let (value_discount, episode_statistics) = (fraction(0.5), EpisodeStatistics::Trajectories);
        Estimator::Crbc(Crbc { depth, value_discount, episode_statistics, ..Crbc::default() })
    };
    let closed = crbc(Depth::FixedPoint);
    // V(x) = 1/3, V(y) = 0. Q(s0, a) = 1/6, Q(s0, b) = 1/12, V(s0) = 1/8; Q(x, c) = 1/2, Q(x, d) = 0.
    let q = |name, step| told(&closed, name, step).values[1].number;
    let found = [q("1", 0), q("3", 0), q("1", 1), q("2", 1), q("4", 1)];
    assert_close(&found, &[1.0 / 6.0, 1.0 / 12.0, 0.5, 0.0, 0.0], 1e-15);
    // σ(s0) = 1/24 is below 0.1: (1/24)/0.1 = 0.41667. x: 1/6 and −1/3 over √(1/18). y: one action.
    let s0 = 1.0 / 2.4;
    let (c, d) = (0.5_f64.sqrt(), -(2.0_f64.sqrt()));
    let expected = [
        EPISODE + 5.0 * s0,
        EPISODE + 5.0 * c,
        -EPISODE + 5.0 * s0,
        -EPISODE + 5.0 * d,
        EPISODE - 5.0 * s0,
        EPISODE + 5.0 * c,
        -EPISODE - 5.0 * s0,
        -EPISODE,
    ];
    let found = all(closed.clone());
    // The episode's deviation has 1e-6 added.
    assert_close(&found, &expected, 3e-6);
    assert_close(&found, &[2.949, 4.402, 1.217, -7.937, -1.217, 4.402, -2.949, -0.866], 6e-4);
    // V⁽⁰⁾: 1/8, 1/3, 0, and Q⁽⁰⁾(s0, ·) = 1/8: nothing to tell a from b. One step more is all there is.
    assert_eq!(told(&crbc(Depth::Zero), "1", 0).terms[1].advantage, 0.0);
    for depth in [Depth::One, Depth::Two, Depth::Three] {
        assert_close(&all(crbc(depth)), &found, 1e-12);
    }
    let why = told(&closed, "4", 1);
    assert_eq!(why.terms[1].factors, []);
    assert_eq!(why.terms[1].skipped, Some(Skipped::Singleton));
    let why = told(&closed, "1", 0);
    assert_eq!(why.terms[1].factors, [Factor::Gate { count: 2, needed: 2 }]);
    assert!(matches!(why.terms[1].rule, Rule::Deviation { floor: 0.1, epsilon: 0.0, .. }));
    let text = why.to_string();
    let line =
        "\naction 0.166667  discount 0.500000  visits  1/0 0.333333 in 1, 2/0 0.333333 in 1\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("(value - mean) / max(std, 0.1), std over n  weight"), "{text}");
}

#[test]
fn pgpo_adds_progress_where_tasks_are_hard() {
    let pgpo = Estimator::Pgpo(Pgpo::default());
    // δ, γ_Φ = 1: s0 5/12, 5/12, 5/12, −1/4; x 1/3, −2/3, 1/3; y 0.
    let deltas = [("1", 0, 5.0 / 12.0), ("4", 0, -0.25), ("1", 1, 1.0 / 3.0), ("2", 1, -2.0 / 3.0)];
    for (name, step, delta) in deltas {
        assert_close(&[told(&pgpo, name, step).values[1].number], &[delta], 1e-15);
    }
    // A^φ, sample deviation 1/3 of s0: ½ ½ ½ −3/2; x as the returns. Half of the attempts fail: ¼.
    let (c, d) = (1.0 / 3.0_f64.sqrt(), -2.0 / 3.0_f64.sqrt());
    let expected = [
        EPISODE + 0.125,
        1.25 * c,
        -EPISODE + 0.125,
        1.25 * d,
        EPISODE + 0.125,
        1.25 * c,
        -EPISODE - 0.375,
        0.0,
    ];
    let found = all(pgpo.clone());
    assert_close(&found, &expected, 1e-5);
    assert_close(&found, &[0.991, 0.7217, -0.741, -1.4434, 0.991, 0.7217, -1.241, 0.0], 6e-4);
    let why = told(&pgpo, "1", 0);
    let failures = Factor::Failures { failed: 2, attempts: 4, exponent: 2.0 };
    assert_eq!((&why.terms[0].factors[..], &why.terms[1].factors[..]), (&[][..], &[failures][..]));
    let labels: Vec<&str> = why.terms.iter().map(|term| &*term.label).collect();
    assert_eq!(labels, ["0", "0\u{394}"]);
    assert!(why.to_string().contains("\n  factor 0.250000  failures: (2 / 4)^2\n"), "{why}");
    // What both terms hold of the state counts once.
    let health = diagnostics(&four(), &half(pgpo.clone())).expect("valid");
    assert_eq!((health.levels[0].steps, health.levels[0].groups), (8, 3));
    // If everybody succeeds, progress is not counted, and if nobody does, there is none.
    for (success, factor) in [(true, 0.0), (false, 1.0)] {
        let attempts = [
            attempt("1", &[("s", "a")], success),
            attempt("2", &[("s", "b"), ("x", "c"), ("y", "d")], success),
        ];
        let batch = Batch::new(attempts.into()).expect("valid");
        let why = explain(&batch, &half(pgpo.clone()), &StepAddress::new("e", "1", 0));
        let term = &why.expect("there").terms[1];
        assert_eq!((term.factors[0].number(), term.advantage), (factor, 0.0));
        assert_eq!(term.std > 0.0, success);
    }
}

#[test]
fn gagpo_sums_differences() {
    // γλ = ¼. δ: s0 → x 1/12 or −¼ → y; x 1/3, −2/3; y 0.
    let gagpo = Estimator::Gagpo(Gagpo { lambda: 0.5, ..Gagpo::default() });
    let raw = [1.0 / 6.0, 1.0 / 3.0, -1.0 / 12.0, -2.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0, -0.25, 0.0];
    let sources = ["1", "2", "3", "4"].map(|name| [told(&gagpo, name, 0), told(&gagpo, name, 1)]);
    let found: Vec<f64> = sources.iter().flatten().map(|why| why.values[0].number).collect();
    assert_close(&found, &raw, 1e-15);
    // Mean 0; squares 2/36 + 2/9 + 1/144 + 4/9 + 1/16 = 114/144 over 7.
    let std = (114.0_f64 / 144.0 / 7.0).sqrt();
    let found = all(gagpo);
    assert_close(&found, &raw.map(|raw| raw / (std + 1e-6)), 1e-12);
    assert_close(&found, &[0.4956, 0.9912, -0.2478, -1.9824, 0.4956, 0.9912, -0.7434, 0.0], 6e-5);
    let Source::Differences { decay, differences } = &sources[0][0].values[0].source else {
        panic!("{:?}", sources[0][0])
    };
    assert_eq!((*decay, differences.len(), differences[1].next.number), (0.5, 2, 0.0));
    let text = sources[0][0].to_string();
    assert!(text.contains("\nstate 2 worth 0.000000  the end\n"), "{text}");
}

#[test]
fn adastep_trusts_what_actions_explain() {
    let adastep = Estimator::AdaStep(AdaStep::default());
    // s0: a {½, 0} and b {½, 0}: nothing is explained. x: d was seen once.
    let why = told(&adastep, "1", 0);
    assert_eq!(why.terms[1].factors, [Factor::Trust { part: 0.0, whole: 0.0625 }]);
    assert_eq!(
        (why.advantage, why.terms[1].skipped),
        (why.terms[0].advantage, Some(Skipped::Zero))
    );
    assert_eq!(told(&adastep, "1", 1).terms[1].factors, []);
    let gigpo = all(Estimator::Gigpo(Gigpo::default()));
    let found = all(adastep);
    for step in [1, 3, 5, 7] {
        assert_eq!(found[step].to_bits(), gigpo[step].to_bits());
    }
}

#[test]
fn ecpo_draws_actions_toward_their_state() {
    let ecpo = Estimator::Ecpo(Ecpo { saturation: 4.0, ..Ecpo::default() });
    // x: μ = 2/3. μ̃_c = (2·1 + 4/3)/4 = 5/6, μ̃_d = (0 + 4/3)/3 = 4/9: +1/6 and −2/9 from μ.
    let shrunk = |name| told(&ecpo, name, 1).values[1].number;
    assert_close(&[shrunk("1"), shrunk("2")], &[5.0 / 6.0, 4.0 / 9.0], 1e-15);
    let why = told(&ecpo, "1", 1);
    // B = 2/9, W = 0, three visits.
    let [Factor::Often { count: 3, scale: 4.0 }, Factor::Trust { part, whole }] =
        why.terms[1].factors[..]
    else {
        panic!("{:?}", why.terms[1].factors)
    };
    assert_close(&[part, whole], &[2.0 / 9.0, 2.0 / 9.0 + 1e-6], 1e-15);
    // 5/6, 5/6, 4/9: mean 19/27, sample deviation (7/18)/√3.
    let expected =
        (5.0 / 6.0 - 19.0 / 27.0) / (7.0 / 18.0 / 3.0_f64.sqrt() + 1e-6) * 0.75_f64.tanh() * part
            / whole;
    assert_close(&[why.terms[1].advantage], &[expected], 1e-12);
    assert!(why.to_string().contains("\naction 0.833333  prior 2 of 0.666667  discount"), "{why}");
    // a {1, 1}, b {1, 0}: μ = 3/4, μ̃ 7/8 and 5/8. B = 1/16, W = 1/8: a third.
    let one = |name: &str, action: &str, reward| {
        Trajectory::new("e", name, vec![Step::new("s", reward).with_action(action)])
    };
    let batch = Batch::new(vec![
        one("1", "a", 1.0),
        one("2", "a", 1.0),
        one("3", "b", 1.0),
        one("4", "b", 0.0),
    ]);
    let batch = batch.expect("valid");
    let plain = Ecpo { saturation: 0.0, variance_epsilon: 0.0, ..Ecpo::default() };
    let of = |name| {
        let options = half(Estimator::Ecpo(plain.clone()));
        explain(&batch, &options, &StepAddress::new("e", name, 0)).expect("there")
    };
    assert_close(&[of("1").values[1].number, of("3").values[1].number], &[0.875, 0.625], 1e-15);
    assert_close(&[of("1").terms[1].factors[0].number()], &[1.0 / 3.0], 1e-15);
}

#[test]
fn values_of_actions_less_those_of_states() {
    // BiPACE's form, the step itself included: s0 ¼ − ¼; x 1 − 2/3 and 0 − 2/3.
    let form = Composed {
        credit: Credit::Action,
        scale: Scale::Mean,
        episode_weight: 0.0,
        ..Composed::default()
    };
    let found = all(Estimator::Composed(form.clone()));
    let third = 1.0 / 3.0;
    let expected = [0.0, third, 0.0, -2.0 * third, 0.0, third, 0.0, 0.0];
    assert_close(&found, &expected, 1e-15);
    // CRBC at depth 0 is the same, but that it discounts the last step too.
    let crbc = Composed {
        state_value: Worth::Process,
        depth: Depth::Zero,
        value_discount: fraction(0.5),
        ..form
    };
    assert_close(&all(Estimator::Composed(crbc)), &expected.map(|value| 0.5 * value), 1e-15);
}

#[test]
fn papers_are_settings_of_the_parts() {
    let parts = |text: &str| serde_json::from_str::<Estimator>(text).expect(text);
    let same = |name: &str, text: &str| {
        let named = Estimator::default_named(name).expect("known");
        let bits = |estimator| all(estimator).into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(named), bits(parts(text)), "{name}");
    };
    same("gigpo", r#"{"name":"composed"}"#);
    same(
        "crbc",
        r#"{"name":"composed","state_value":"process","value_discount":0.98,"credit":"action",
            "trust":"actions","step_weight":5,"floor":0.1,"step_std":"population"}"#,
    );
    same(
        "pgpo",
        r#"{"name":"composed","state_value":"potentials","value_discount":1,"credit":"difference",
            "trust":"failures","episode_weight":0,"return_weight":1}"#,
    );
    same("adastep", r#"{"name":"composed","trust":"variance"}"#);
    same("ecpo", r#"{"name":"composed","credit":"action","shrinkage":2,"trust":"gated-variance"}"#);
    same("gagpo", r#"{"name":"composed","credit":"gae","among":"task","episode_weight":0}"#);
    same(
        "hgpo",
        r#"{"name":"composed","episode_weight":0,"context_length":2,"step_std":"population"}"#,
    );
}

#[test]
fn recorded_values_give_the_advantages_of_ppo_and_vine_ppo() {
    // VinePPO's example: V(s0) = 1/2, V(x) = 1, without discount. Of a success: +1/2, 0.
    let valued = |attempt: Trajectory, values: [f64; 2]| {
        let mut attempt = attempt;
        for (step, value) in attempt.steps.iter_mut().zip(values) {
            step.state_value = Some(value);
        }
        attempt
    };
    let won = valued(attempt("1", &[("s0", "a"), ("x", "c")], true), [0.5, 1.0]);
    let lost = valued(attempt("2", &[("s0", "a"), ("x", "d")], false), [0.5, 1.0]);
    let batch = Batch::new(vec![won, lost]).expect("valid");
    let found = |credit: &str, discount: f64| {
        let text = format!(
            r#"{{"name":"composed","state_value":"recorded","among":"nothing","episode_weight":0,{credit}}}"#
        );
        let estimator: Estimator = serde_json::from_str(&text).expect("known");
        let options = Options { estimator, ..half(Estimator::default()) };
        let options = Options { discount: fraction(discount), ..options };
        let advantages = advantages(&batch, &options).into_values();
        for (row, (name, step)) in [("1", 0), ("1", 1), ("2", 0), ("2", 1)].iter().enumerate() {
            let why =
                explain(&batch, &options, &StepAddress::new("e", *name, *step)).expect("there");
            assert!((why.advantage - advantages[row]).abs() < 1e-12);
            assert!(why.to_string().contains("recorded"), "{why}");
        }
        advantages
    };
    let vine = r#""credit":"difference""#;
    assert_close(&found(vine, 1.0), &[0.5, 0.0, 0.5, -1.0], 1e-12);
    // γ = 1/2, λ = 1/2: δ of the first 1/2 · 1 − 1/2 = 0, then 1 − 1 and 0 − 1, of which a quarter counts.
    let gae = r#""credit":"gae","lambda":0.5"#;
    assert_close(&found(gae, 0.5), &[0.0, 0.0, -0.25, -1.0], 1e-12);
    // λ = 1: the return less the value, 1/2 − 1/2, 1 − 1; 0 − 1/2, 0 − 1.
    assert_close(&found(r#""credit":"gae","lambda":1"#, 0.5), &[0.0, 0.0, -0.5, -1.0], 1e-12);
}

#[test]
fn values_that_are_not_recorded_are_named() {
    let recorded =
        |credit| Composed { state_value: Worth::Recorded, credit, ..Composed::default() };
    let refused = |credit| {
        let estimator = Estimator::Composed(recorded(credit));
        estimate(&four(), &half(estimator)).expect_err("nothing is recorded").to_string()
    };
    let place =
        "task \"e\", trajectory \"1\", step 0: `state_value` is missing: record what a critic";
    assert!(refused(Credit::Gae).starts_with(place), "{}", refused(Credit::Gae));
    assert!(
        refused(Credit::Return).starts_with("option state_value: `recorded` is for differences")
    );
}

#[test]
fn steps_without_an_action_are_named() {
    let mut attempts = four().trajectories().to_vec();
    attempts[2].steps[1].action = None;
    // What an invalid step did is not asked for.
    attempts[0].steps[0].action = None;
    attempts[0].steps[0].valid = false;
    let batch = Batch::new(attempts).expect("valid");
    for name in ["crbc", "adastep", "ecpo"] {
        let estimator = Estimator::default_named(name).expect("known");
        let refused = estimate(&batch, &half(estimator)).expect_err(name).to_string();
        let place =
            "task \"e\", trajectory \"3\", step 1: `action` is missing: the estimator compares";
        assert!(refused.starts_with(place), "{refused}");
    }
    for name in ["pgpo", "gagpo", "composed"] {
        assert!(estimate(&batch, &half(Estimator::default_named(name).expect("known"))).is_ok());
    }
    let mut said = batch.trajectories().to_vec();
    said[2].steps[1].action = Some("c".to_owned());
    let said = Batch::new(said).expect("valid");
    let crbc = Estimator::default_named("crbc").expect("known");
    assert!(estimate(&said, &half(crbc)).is_ok());
}
