//! Laws that hold for every batch.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

mod advantages;
mod files;
mod groups;
mod inconsistency;
mod numbers;
mod parts;

use hgpo_core::{
    AdaStep, Among, Baseline, Batch, Composed, Crbc, Credit, Depth, Discount, DrMas, Ecpo,
    EpisodeStatistics, Estimator, G2po, Gagpo, Gigpo, GraphGpo, Grpo, Hgpo, Hierarchy, History,
    Kind, Level, Linkage, Metric, Options, PerStep, Pgpo, ReinforcePlusPlus, Rloo, Scale, Scores,
    Similarity, StateMetric, StdRule, Step, StepAddress, Trajectory, Trust, Weights, Worth,
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

fn any_discount() -> impl Strategy<Value = Discount> {
    prop_oneof![0.0..1.0, Just(1.0)].prop_map(|value| Discount::new(value).expect("valid"))
}

fn any_composed() -> impl Strategy<Value = Composed> {
    // Values that steps record are not of these rollouts.
    let known = &Worth::ALL[..3];
    let values = (one_of(known), one_of(Depth::ALL), any_discount());
    let credits = (one_of(Credit::ALL), 0.0..=1.0, prop_oneof![Just(0.0), 0.0..3.0]);
    let trusts = (one_of(Trust::ALL), prop_oneof![Just(0.0), 1.0..9.0], 0.0..3.0);
    let weights = (prop_oneof![Just(0.0), 0.0..2.0], prop_oneof![Just(0.0), 0.0..2.0], 0.0..5.0);
    let how =
        (0_usize..3, one_of(Scale::ALL), prop_oneof![Just(0.0), 0.0..1.0], one_of(Among::ALL));
    (values, credits, trusts, weights, how).prop_map(|(values, credits, trusts, weights, how)| {
        Composed {
            state_value: values.0,
            depth: values.1,
            value_discount: values.2,
            credit: credits.0,
            lambda: credits.1,
            shrinkage: credits.2,
            trust: trusts.0,
            saturation: trusts.1,
            failure_exponent: trusts.2,
            episode_weight: weights.0,
            return_weight: weights.1,
            step_weight: weights.2,
            context_length: how.0,
            scale: how.1,
            floor: how.2,
            among: how.3,
            ..Composed::default()
        }
    })
}

/// Estimators that are made of parts.
fn of_parts() -> impl Strategy<Value = Estimator> {
    let how = || (0_usize..3, one_of(Scale::ALL));
    prop_oneof![
        2 => any_composed().prop_map(Estimator::Composed),
        1 => (how(), one_of(Depth::ALL), any_discount()).prop_map(|(how, depth, value_discount)| {
            let (context_length, scale) = how;
            Estimator::Crbc(Crbc { depth, value_discount, context_length, scale, ..Crbc::default() })
        }),
        1 => (how(), any_discount()).prop_map(|((context_length, scale), value_discount)| {
            Estimator::Pgpo(Pgpo { value_discount, context_length, scale, ..Pgpo::default() })
        }),
        1 => how().prop_map(|(context_length, scale)| {
            Estimator::AdaStep(AdaStep { context_length, scale, ..AdaStep::default() })
        }),
        1 => how().prop_map(|(context_length, scale)| {
            Estimator::Ecpo(Ecpo { context_length, scale, ..Ecpo::default() })
        }),
        1 => (how(), 0.0..=1.0).prop_map(|((context_length, scale), lambda)| {
            Estimator::Gagpo(Gagpo { context_length, scale, lambda, ..Gagpo::default() })
        }),
    ]
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
        4 => of_parts(),
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
