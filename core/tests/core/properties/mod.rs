//! Laws that hold for every batch.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

mod advantages;
mod files;
mod groups;
mod inconsistency;
mod layouts;
mod numbers;
mod parts;

use hgpo_core::{
    AdaStep, AgentStatistics, Among, Baseline, Batch, Composed, Crbc, Credit, Declaration, Depth,
    Discount, DrMas, Ecpo, Estimator, Gagpo, Gigpo, Grpo, Hgpo, Hierarchy, History, Kind, Level,
    Linkage, Metric, Options, PerStep, Pgpo, ReinforcePlusPlus, Rloo, Scale, Scores, Similarity,
    StateMetric, StdRule, Step, StepAddress, Trajectory, Trust, TurnGroups, Weights, Worth,
    clusters, diagnostics, edit_similarity, estimate, estimate_with_diagnostics, explain, format,
};
use proptest::prelude::*;
use serde_json::Value;

/// Rewards that make equal returns common, and some that do not.
fn reward() -> impl Strategy<Value = f64> {
    prop_oneof![4 => Just(0.0), 2 => Just(10.0), 1 => Just(0.1), 1 => -5.0..5.0]
}

fn step() -> impl Strategy<Value = Step> {
    let summary = prop::option::of("[uv]");
    let agent = prop::option::of("[pq]");
    let embedding = prop::collection::vec(-1.0..1.0_f64, 2);
    ("[abc]", "[mn]", reward(), prop::bool::weighted(0.9), summary, agent, embedding).prop_map(
        |(state, action, reward, valid, context, agent, embedding)| Step {
            context,
            agent,
            embedding: Some(embedding),
            ..Step::new(state, reward).with_action(action).with_valid(valid)
        },
    )
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..8)
}

/// Up to 12 trajectories of up to 3 tasks, in any order.
fn trajectories() -> impl Strategy<Value = Vec<Trajectory>> {
    let named = |walks: Vec<(u8, Vec<Step>)>| {
        let name = |(index, (task, steps)): (usize, (u8, Vec<Step>))| {
            Trajectory::new(format!("g{task}"), format!("t{index}"), steps)
        };
        walks.into_iter().enumerate().map(name).collect()
    };
    prop::collection::vec((0_u8..3, steps()), 1..12).prop_map(named)
}

fn batch(trajectories: &[Trajectory]) -> Batch {
    Batch::new(trajectories.to_vec()).expect("valid")
}

fn options(estimator: Estimator) -> Options {
    Options { discount: Discount::new(0.9).expect("valid"), estimator, ..Options::default() }
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(values: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(values)
}

fn similarity() -> impl Strategy<Value = Similarity> {
    (one_of(Metric::ALL), one_of(Linkage::ALL), 0.0..=1.0)
        .prop_map(|(metric, linkage, threshold)| Similarity { metric, linkage, threshold })
}

fn any_hgpo() -> impl Strategy<Value = Hgpo> {
    let how = (one_of(Scale::ALL), one_of(Weights::ALL), one_of(Baseline::ALL));
    let past = (one_of(History::ALL), prop::option::weighted(0.2, similarity()));
    (0_usize..5, 0.0..3.0, any::<bool>(), how, past).prop_map(
        |(context_length, alpha, base, (scale, weights, baseline), (history, similarity))| Hgpo {
            context_length,
            alpha,
            scale,
            weights,
            base_group: base && weights == Weights::Verl,
            baseline,
            history,
            similarity,
            ..Hgpo::default()
        },
    )
}

/// A value of an option, by what is declared of it.
fn value(option: &Declaration, word: u64) -> Option<Value> {
    let fraction = |most: f64| (word % 256) as f64 / 255.0 * most;
    match option.kind {
        Kind::Integer { .. } => Some((word % 5).into()),
        Kind::Number { .. } if word.is_multiple_of(7) => Some(0.into()),
        Kind::Number { most, .. } => Some(fraction(most.min(3.0)).into()),
        Kind::Flag => Some(word.is_multiple_of(2).into()),
        Kind::Choice(names) => Some(names[word as usize % names.len()].into()),
        _ => None,
    }
}

/// An estimator of these names, with any options. Values that steps record are not of these rollouts.
fn any_of(names: Vec<&'static str>) -> impl Strategy<Value = Estimator> {
    let words = prop::collection::vec(any::<u64>(), 40);
    let estimator = (prop::sample::select(names), words).prop_map(|(name, words)| {
        let mut words = words.into_iter().cycle();
        let mut word = move || words.next().unwrap_or_default();
        let choose = |option: &Declaration| {
            let is_changed = word().is_multiple_of(2);
            let word = word();
            let names = Estimator::NAMES;
            let inside = || Some(names[word as usize % names.len()].into());
            let is_inside = matches!(option.kind, Kind::Estimator);
            if is_inside { inside() } else { value(option, word).filter(|_| is_changed) }
        };
        Estimator::with_choices(name, choose).expect("a name that is known")
    });
    estimator.prop_filter("values are not recorded", |estimator| !estimator.reads_state_values())
}

/// Estimators of a whole team.
fn team_estimator() -> impl Strategy<Value = Estimator> {
    any_of(Estimator::NAMES.iter().copied().filter(|name| *name != "dr-mas").collect())
}

fn any_estimator() -> impl Strategy<Value = Estimator> {
    any_of(Estimator::NAMES.to_vec())
}

/// The estimator itself, or the one inside.
fn inside(estimator: &Estimator) -> &Estimator {
    match estimator {
        Estimator::DrMas(options) => &options.estimator,
        other => other,
    }
}

/// Clusters depend on the order of appearance, which the others do not.
fn clusters_states(estimator: &Estimator) -> bool {
    match inside(estimator) {
        Estimator::Hgpo(options) => options.similarity.is_some(),
        Estimator::Gigpo(options) => options.similarity.is_some(),
        _ => false,
    }
}

/// The graph estimators compare states with each other, however equal the rewards are, and so do
/// processes; parts may also leave out what is subtracted.
fn compares_states(estimator: &Estimator) -> bool {
    match inside(estimator) {
        Estimator::GraphGpo(_) | Estimator::G2po(_) | Estimator::Crbc(_) => true,
        Estimator::Composed(parts) => {
            let of_returns = matches!(parts.credit, Credit::Return | Credit::Action)
                && parts.state_value == Worth::Returns;
            parts.among == Among::Nothing || !of_returns
        }
        _ => false,
    }
}

/// A step that is alone in its group keeps its return.
fn keeps_lone_steps(estimator: &Estimator) -> bool {
    let is_hgpo = matches!(inside(estimator), Estimator::Hgpo(_));
    let rule = estimator.get(if is_hgpo { "singleton" } else { "step_singleton" });
    rule.is_some_and(|rule| rule == "keep")
}

fn leaves_out(estimator: &Estimator) -> bool {
    matches!(inside(estimator), Estimator::Hgpo(Hgpo { baseline: Baseline::Others, .. }))
}

fn advantages(trajectories: &[Trajectory], estimator: Estimator) -> PerStep {
    estimate(&batch(trajectories), &options(estimator)).expect("valid").advantages
}

/// γ^j by repeated multiplication.
fn power(discount: Discount, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * discount.get())
}

/// Equal but for the rounding of sums in another order.
fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * (1.0 + left.abs())
}
