//! Hierarchy-of-groups policy optimisation (HGPO): rollouts in, advantages out.
//!
//! # The method on one page
//!
//! An agent plays each *task* N times from the same initial state. A *step* t of a trajectory has a
//! state s_t and a reward r_t. Every step is one training sample; how good was it?
//!
//! | symbol | text | meaning |
//! |---|---|---|
//! | γ | [`Discount`] | discount factor, 0.95 |
//! | R_t | `Σ_{j≥t} γ^{j−t} r_j` | step return; 0.1 less if the response was invalid ([`Scores`]) |
//! | C_k(s_t) | `(s_{t−k}, …, s_t)` | [`context`] at [`Level`] k: the last k states and the current one |
//! | G_k(s_t) | [`Hierarchy`] | steps of the task with the same context; G_0 ⊇ G_1 ⊇ … ⊇ G_K |
//! | A_k | `(R_t − mean_{G_k} R) / (σ_{G_k} + 1e-6)` | level advantage ([`Statistics`]) |
//! | w_k | `(k+1)^α / Σ_l (l+1)^α` | [`Weights`], over the levels that are not skipped |
//! | A | `Σ_k w_k A_k` | the advantage |
//!
//! Steps in the same state may have come there by different ways, so comparing them is biased;
//! steps with the same history are few, so comparing them is noisy. The hierarchy weighs both. If
//! true values are known, a [`BiasStudy`] measures how much of either an estimator has; in a finite
//! [`process`] they always are.
//!
//! | estimator | advantage | source |
//! |---|---|---|
//! | [`Hgpo`] | Σ_k w_k A_k | arXiv 2602.22817 (ICLR 2026) |
//! | [`Gigpo`] | episode advantage + w · A_0 | arXiv 2505.10978 |
//! | [`Grpo`] | episode advantage: S − mean of the task, over σ; without σ: Dr. GRPO | arXiv 2402.03300, 2503.20783 |
//! | [`Rloo`] | S − mean of the other rows | arXiv 2402.14740 |
//! | [`ReinforcePlusPlus`] | S, or S − mean of the task, whitened over the batch | arXiv 2501.03262 |
//! | [`GraphGpo`] | episode advantage + nearness to the goal among equal states | arXiv 2605.26684 |
//! | [`G2po`] | episode advantage + value of the next state, among equal states and among all | arXiv 2606.22995 |
//! | [`Crbc`] | episode advantage + w · (Q − V) in the process of the group's own attempts | arXiv 2609.35082 |
//! | [`Pgpo`] | A_0 + (failure rate)^α · deviation of the progress in value among equal states | arXiv 2609.02236 |
//! | [`AdaStep`] | episode advantage + share of variance that actions explain · A_0 | arXiv 2610.03223 |
//! | [`Ecpo`] | episode advantage + gate · mean return of the action, drawn toward the state's | arXiv 2606.05885 |
//! | [`Gagpo`] | generalised advantage over mean returns of states, among all steps of the task | arXiv 2605.13217 |
//! | [`Composed`] | the parts of these, each an option: value, credit, trust, mix | |
//! | [`DrMas`] | any of these within each agent's steps | arXiv 2602.08847 |
//!
//! (S is the sum of an episode's rewards. Its mean and deviation are over the step rows of the task,
//! as in verl-agent, so that long episodes count more; [`EpisodeStatistics::Trajectories`] counts
//! each episode once.) What HGPO's authors leave open are options of [`Hgpo`]:
//! level weights from the data ([`Weights::Adaptive`]), histories that are alike instead of equal
//! ([`Similarity`]), summaries of the past instead of its last states ([`History::Summary`]), a
//! baseline without the step's own trajectory ([`Baseline::Others`]), and one level alone.
//!
//! # A worked example
//!
//! The paper's overview figure: four trajectories from `home`, all in `shop` at some step; three
//! come from `road`, two of them with the same two states before. (`cargo run --example
//! worked_example` prints every step of it.)
//!
//! ```
//! use hgpo_core::{estimate, explain, Batch, Estimator, Hgpo, Options, Scale, Step, StepAddress, Trajectory};
//! let walk = |name, states: &[&str], reward| {
//!     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
//!     steps.last_mut().unwrap().reward = reward;
//!     Trajectory::new("errand", name, steps)
//! };
//! let batch = Batch::new(vec![
//!     walk("a", &["home", "road", "shop"], 10.0),
//!     walk("b", &["home", "road", "shop"], 0.0),
//!     walk("c", &["home", "park", "road", "shop"], 10.0),
//!     walk("d", &["home", "lake", "shop"], 0.0),
//! ])?;
//! let options = Options {
//!     estimator: Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..Hgpo::default() }),
//!     ..Options::default()
//! };
//! let why = explain(&batch, &options, &StepAddress::new("errand", "a", 2))?;
//! // The last step's return is its reward. G_0 = {10, 0, 10, 0}, G_1 = {10, 0, 10}, G_2 = {10, 0}.
//! let sizes: Vec<_> = why.levels().map(|level| level.size).collect();
//! assert_eq!(sizes, [4, 3, 2]);
//! // A_0 = 10 − 5, A_1 = 10 − 20/3, A_2 = 10 − 5; weights 1/6, 2/6, 3/6.
//! // A = 5/6 + 10/9 + 5/2 = 40/9.
//! assert!((why.advantage - 40.0 / 9.0).abs() < 1e-12);
//! assert_eq!(why.advantage, estimate(&batch, &options)?.advantages[0][2]);
//! // d came another way: alone at levels 1 and 2, it keeps A_0 = 0 − 5 with the whole weight.
//! assert_eq!(estimate(&batch, &options)?.advantages[3][2], -5.0);
//! # Ok::<(), hgpo_core::Error>(())
//! ```
//!
//! # Where things are
//!
//! Most programs need the first three lines.
//!
//! | to | use |
//! |---|---|
//! | make rollouts, or read and write them | [`Step`], [`Trajectory`], [`Batch`]; [`format::read`], [`format::write_advantages`] and the rest of [`mod@format`] |
//! | estimate | [`estimate()`] with [`Options`]; its [`Estimate`] holds [`PerStep`] columns |
//! | choose an estimator | [`Estimator`] and the structs of the table above, or by name: [`Estimator::default_named`], [`Options::set`], `serde` |
//! | see why a step has its advantage | [`explain()`] gives an [`Explanation`] of [`ExplainedTerm`]s; print it, or work with its kinds: [`Comparison`], [`Value`] and its [`Source`], [`Rule`], [`Factor`], [`Weighting`] |
//! | see how much the groups say, or why nothing has an advantage | [`diagnostics()`], [`diagnostics_by_task`], [`estimate_with_diagnostics`], [`Signal`] |
//! | measure bias and variance | [`BiasStudy`], if true advantages are known |
//! | say what went wrong | [`Error`], its [`Place`] and [`Problem`] |
//! | say what loss advantages are trained with | [`Objective`] |
//! | offer the options in an interface | [`Declaration`]: names, ranges, meanings and sources of all options |
//! | go below the estimators | [`Hierarchy`], [`context`], [`Statistics`], [`Scores`], [`Weights`], [`clusters`] |
//!
//! Enums that will grow (errors, estimators, named values of options) are `#[non_exhaustive]`. Those
//! that explanations are made of are not, nor are the choices of an [`Objective`]: who draws, checks or
//! computes one must know all of its kinds. Structs
//! of options are written as `Hgpo { alpha: 2.0, ..Hgpo::default() }`, so that a new option breaks
//! nothing.
//!
//! # In a project of your own
//!
//! The crate is not on crates.io. Cargo finds it in a clone or at the address that you cloned from:
//!
//! ```toml
//! [dependencies]
//! hgpo-core = { git = "ADDRESS" } # or path = "CLONE/core"; features = ["rayon"] for all cores
//! ```
//!
//! It needs Rust 1.95. For browsers, without the feature `rayon`:
//!
//! ```sh
//! rustup target add wasm32-unknown-unknown
//! cargo build --release -p hgpo-core --target wasm32-unknown-unknown
//! ```
//!
//! # Features
//!
//! `rayon`: the tasks of a batch are worked on side by side. Off by default, and not for wasm.
//!
//! # Rules
//!
//! Numbers are `f64` from reading to writing. A group of equal values gives exactly 0; a step that
//! is alone in its group says nothing (a typed rule: [`SingletonRule`]). Nothing here reads a
//! clock, draws a random number or prints; the same input gives the same bytes on every target.
#![forbid(unsafe_code)]

mod batch;
mod bias;
mod breakdown;
mod diagnostics;
mod error;
mod estimate;
mod estimator;
mod explain;
pub mod format;
mod groups;
mod level_weights;
mod objective;
mod option;
mod parallel;
pub mod process;
mod returns;
mod rollout;
mod signal;
mod similarity;
mod statistics;
mod text;
pub mod token_loss;

/// The example of the README, which is tested with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

pub use batch::address::StepAddress;
pub use batch::per_step::PerStep;
pub use batch::{Batch, StateId};
pub use bias::{BiasReport, BiasRow, BiasStudy, Measure, Quantity, TrueAdvantage};
pub use breakdown::{
    Comparison, Difference, Factor, Prior, Rule, Skipped, Source, StateSource, StateValue, Value,
    Visit, Weighting,
};
pub use diagnostics::{
    Diagnostics, GroupCount, GroupDiagnostics, Inconsistency, SizeCount, Summary, diagnostics,
    diagnostics_by_task, estimate_with_diagnostics,
};
pub use error::{Error, Place, Problem};
pub use estimate::{Estimate, estimate};
pub use estimator::each::*;
pub use estimator::{
    ALPHA_LIMIT, AgentStatistics, Among, Baseline, CONTEXT_LENGTH_LIMIT, Credit, Depth,
    EpisodeStatistics, Estimator, History, Options, Trust, TurnGroups, Whitening, Worth,
};
pub use explain::{ExplainedTerm, Explanation, Member, StepHistories, explain, explain_row};
pub use groups::hierarchy::{Hierarchy, Level, context};
pub use level_weights::Weights;
pub use objective::{Aggregation, Divergence, Objective, Ratio};
pub use option::declaration::{About, Declaration, Kind};
pub use returns::{Discount, Scores, discounted_returns};
pub use rollout::{REWARD_LIMIT, Step, Trajectory, token_fields};
pub use signal::{NoSignal, Signal};
pub use similarity::{Linkage, Metric, Similarity, StateMetric, clusters, edit_similarity};
pub use statistics::{ROUNDING, STD_EPSILON, Scale, SingletonRule, Statistics, StdRule};
pub use text::escape::{is_control_character, shortened};
pub use text::json::read_json;
pub use text::number::number;
