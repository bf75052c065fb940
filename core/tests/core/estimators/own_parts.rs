//! Parts beyond the papers: contexts for states, agents, and what chance does to explained shares.

use super::parts::{assert_close, attempt, fraction, half};
use super::*;
use hgpo_core::{Among, Composed, Crbc, Credit, Gagpo, Source, StateSource, Trust};

#[test]
fn contexts_may_stand_for_states() {
    // z after p and after q: a from p succeeds, b from q; by the state alone, a and b are as good.
    let batch = Batch::new(vec![
        attempt("1", &[("p", "on"), ("z", "a")], true),
        attempt("2", &[("p", "on"), ("z", "b")], false),
        attempt("3", &[("q", "on"), ("z", "a")], false),
        attempt("4", &[("q", "on"), ("z", "b")], true),
    ])
    .expect("valid");
    let crbc = |context_length| {
        let crbc = Crbc {
            context_length,
            value_discount: fraction(0.5),
            episode_weight: 0.0,
            scale: Scale::Mean,
            ..Crbc::default()
        };
        half(Estimator::Crbc(crbc))
    };
    assert_eq!(advantages(&batch, &crbc(0)).into_values(), [0.0; 8]);
    // Level 1: Q = ½ or 0 around ¼. Level 0 is left out, so that level 1 has the whole weight of 5.
    let found = advantages(&batch, &crbc(1));
    assert_eq!([found[0][1], found[1][1], found[2][1], found[3][1]], [1.25, -1.25, -1.25, 1.25]);
    let why = explain(&batch, &crbc(1), &StepAddress::new("e", "1", 1)).expect("there");
    assert_eq!((why.terms.len(), why.terms[1].weight, why.values.len()), (2, 5.0, 2));
    // V of z is that after p if it is met after p: 1 and 0 around ½; δ = R − V = ±½ there.
    let gagpo = Gagpo { context_length: 1, lambda: 0.0, scale: Scale::Mean, ..Gagpo::default() };
    let why = explain(&batch, &half(Estimator::Gagpo(gagpo)), &StepAddress::new("e", "1", 1));
    let why = why.expect("there");
    let Source::Differences { differences, .. } = &why.values[0].source else { panic!("{why}") };
    let StateSource::Visits { visits, .. } = &differences[0].own.source else { panic!("{why}") };
    let names: Vec<&str> = visits.iter().map(|visit| visit.trajectory.as_str()).collect();
    assert_eq!((names, differences[0].number), (vec!["1", "2"], 0.5));
}

#[test]
fn explained_shares_are_too_large_by_chance() {
    // Returns that have nothing to do with the action, normally distributed: two actions, two visits
    // each. The share is (k − 1)/(n − 1) = 1/3 on average.
    let mut state = 7_u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let mut normal = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
    let tasks = 20_000;
    let mut attempts = Vec::new();
    for task in 0..tasks {
        for (name, action) in [("1", "a"), ("2", "a"), ("3", "b"), ("4", "b")] {
            let step = Step::new("s", normal()).with_action(action);
            attempts.push(Trajectory::new(task.to_string(), name, vec![step]));
        }
    }
    let batch = Batch::new(attempts).expect("valid");
    let of = |trust| {
        let parts =
            Composed { trust, scale: Scale::Mean, episode_weight: 0.0, ..Composed::default() };
        advantages(&batch, &half(Estimator::Composed(parts))).into_values()
    };
    let (trusted, plain) = (of(Trust::Variance), of(Trust::None));
    let shares = trusted.iter().zip(&plain).step_by(4).map(|(trusted, plain)| trusted / plain);
    let mean = shares.sum::<f64>() / f64::from(tasks);
    // The share's deviation is 0.3: 0.002 for the mean.
    assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
}

#[test]
fn an_agents_turns_add_up_to_its_returns() {
    // p, q, p: between the turns of p the reward of q counts, too. λ = 1, so x = R − V.
    let turn = |agent: &str, state: &str, reward| Step {
        agent: Some(agent.to_owned()),
        ..Step::new(state, reward).with_action("on")
    };
    let team = |name, rewards: [f64; 3]| {
        let steps = vec![
            turn("p", "s", rewards[0]),
            turn("q", "t", rewards[1]),
            turn("p", "u", rewards[2]),
        ];
        Trajectory::new("e", name, steps)
    };
    let batch = Batch::new(vec![team("a", [1.0, 2.0, 8.0]), team("b", [0.0, 0.0, 4.0])]);
    let batch = batch.expect("valid");
    let parts = Composed {
        credit: Credit::Gae,
        lambda: 1.0,
        among: Among::Nothing,
        episode_weight: 0.0,
        ..Composed::default()
    };
    let dr_mas = DrMas { estimator: Box::new(Estimator::Composed(parts)), ..DrMas::default() };
    // R: 1 + 1 + 2 = 4, 2 + 4 = 6, 8; 1, 2, 4.
    let found = advantages(&batch, &half(Estimator::DrMas(dr_mas))).into_values();
    assert_close(&found, &[1.5, 2.0, 2.0, -1.5, -2.0, -2.0], 1e-12);
}
