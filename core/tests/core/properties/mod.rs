//! Laws that hold for every batch.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

mod advantages;
mod files;
mod groups;
mod inconsistency;
mod numbers;

use hgpo_core::{
    Baseline, Batch, Discount, DrMas, EpisodeStatistics, Estimator, G2po, Gigpo, GraphGpo, Grpo,
    Hgpo, Hierarchy, History, Level, Linkage, Metric, Options, PerStep, ReinforcePlusPlus, Rloo,
    Scale, Scores, Similarity, StateMetric, StdRule, Step, StepAddress, Trajectory, Weights,
    clusters, diagnostics, edit_similarity, estimate, estimate_with_diagnostics, explain, format,
};
use proptest::prelude::*;

/// Rewards that make equal returns common, and some that do not.
fn reward() -> impl Strategy<Value = f64> {
    prop_oneof![4 => Just(0.0), 2 => Just(10.0), 1 => Just(0.1), 1 => -5.0..5.0]
}

fn step() -> impl Strategy<Value = Step> {
    let summary = prop::option::of("[uv]");
    let agent = prop::option::of("[pq]");
    let embedding = prop::collection::vec(-1.0..1.0_f64, 2);
    ("[abc]", reward(), prop::bool::weighted(0.9), summary, agent, embedding).prop_map(
        |(state, reward, valid, context, agent, embedding)| Step {
            context,
            agent,
            embedding: Some(embedding),
            ..Step::new(state, reward).with_valid(valid)
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

/// Estimators of a whole team.
fn team_estimator() -> impl Strategy<Value = Estimator> {
    let how = || (0.0..2.0, one_of(Scale::ALL), one_of(EpisodeStatistics::ALL));
    let gigpo = (how(), prop::option::weighted(0.2, similarity()));
    prop_oneof![
        4 => any_hgpo().prop_map(Estimator::Hgpo),
        1 => gigpo.prop_map(|((step_weight, scale, episode_statistics), similarity)| {
            Estimator::Gigpo(Gigpo { step_weight, scale, episode_statistics, similarity, ..Gigpo::default() })
        }),
        1 => how().prop_map(|(_, scale, episode_statistics)| {
            Estimator::Grpo(Grpo { scale, episode_statistics, ..Grpo::default() })
        }),
        1 => how().prop_map(|(_, _, episode_statistics)| {
            Estimator::Rloo(Rloo { episode_statistics, ..Rloo::default() })
        }),
        1 => (any::<bool>(), how()).prop_map(|(task_baseline, (_, _, episode_statistics))| {
            Estimator::ReinforcePlusPlus(ReinforcePlusPlus { task_baseline, episode_statistics })
        }),
        1 => how().prop_map(|(_, scale, episode_statistics)| {
            Estimator::GraphGpo(GraphGpo { scale, episode_statistics, ..GraphGpo::default() })
        }),
        1 => how().prop_map(|(step_weight, scale, episode_statistics)| {
            Estimator::G2po(G2po { step_weight, scale, episode_statistics, ..G2po::default() })
        }),
    ]
}

fn any_estimator() -> impl Strategy<Value = Estimator> {
    prop_oneof![
        4 => team_estimator(),
        1 => team_estimator().prop_map(|inside| Estimator::DrMas(DrMas { estimator: Box::new(inside) })),
    ]
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

/// The graph estimators compare states with each other, however equal the rewards are.
fn compares_states(estimator: &Estimator) -> bool {
    matches!(inside(estimator), Estimator::GraphGpo(_) | Estimator::G2po(_))
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
