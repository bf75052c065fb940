//! GraphGPO: a step is worth how near it brings the goal, on the graph of all that was tried.

use super::method::Method;
use super::options::shared;
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::step_groups::{Baseline, StepGroups};
use super::terms::term::{Term, Terms};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Source, Value};
use crate::groups::graph::{Graph, SUCCESS_VALUE};
use crate::groups::grouping::states;
use crate::option::declaration::Declared;
use crate::option::fields::options;
use crate::returns::{Discount, Scores};
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

options! {
    /// GraphGPO: a step is worth how near it brings the goal, on the graph of all that was tried.
    ///
    /// # Formula
    /// ```text
    /// A_t = A_E + A_S
    /// A_E = as GRPO, from the episode scores of the task
    /// A_S = (x_t − mean x) / (σ + 1e-6) over the steps of the task in the same state
    /// x_t = 10 · γ_g^{d(s_{t+1})}
    /// ```
    /// d(s): fewest steps from s to the goal along steps that some trajectory of the task took; the last
    /// step of a success leads to the goal, d = 0. What does not reach the goal has the largest d of the
    /// task plus 1, and so has the end of a failed trajectory (rollouts do not record the state after the
    /// last step). A trajectory is a success if it says so, else if its rewards add up to more
    /// than 0. The invalid-action penalty is in A_E only. Source: arXiv 2605.26684.
    ///
    /// Rules, each an option with the reference code's value: `scale`, `std` (sample),
    /// `step_singleton` (0), `episode_statistics` (all step rows), `episode_singleton` (S).
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, explain, Batch, Estimator, GraphGpo, Options, Scale, Step, Trajectory};
    /// let walk = |name, states: &[&str], reward| {
    ///     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
    ///     steps.last_mut().unwrap().reward = reward;
    ///     Trajectory::new("g", name, steps)
    /// };
    /// let batch = Batch::new(vec![walk("a", &["s", "x"], 1.0), walk("b", &["s", "y", "x"], 1.0)])?;
    /// let graph_gpo = GraphGpo { scale: Scale::Mean, ..GraphGpo::default() };
    /// let options = Options { estimator: Estimator::GraphGpo(graph_gpo), ..Options::default() };
    /// // d(x) = 1, d(y) = 2. From s: 10 · 0.1 = 1 by x and 10 · 0.01 = 0.1 by y, mean 0.55.
    /// // All episodes scored 1: A_E = 0.
    /// let advantages = estimate(&batch, &options)?.advantages;
    /// assert!((advantages[0][0] - 0.45).abs() < 1e-12 && (advantages[1][0] + 0.45).abs() < 1e-12);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct GraphGpo {
        /// γ_g: 0.10 for ALFWorld, 0.20 for WebShop, 0.80 for Sokoban.
        graph_discount: Discount = Discount::ALFWORLD_GRAPH,
            Declared::fraction("Discount of nearness to the goal", "arXiv 2605.26684");
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that the episode term's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance.
        std: StdRule = StdRule::Sample, shared::STD;
        /// A_S of a step that is alone in its state.
        step_singleton: SingletonRule = SingletonRule::Zero, shared::STEP_SINGLETON;
        /// A_E in a task with one row.
        episode_singleton: SingletonRule = SingletonRule::Keep, shared::EPISODE_SINGLETON;
    }
}

impl Method for GraphGpo {
    fn context_length(&self) -> Option<usize> {
        Some(0)
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let episode = Standardise::new(self.scale, self.std, self.episode_singleton);
        let step = Standardise::new(self.scale, self.std, self.step_singleton);
        let ways = Ways::new(Graph::new(batch, cohort), self.graph_discount);
        let values = (0..cohort.rows.len()).map(|row| ways.nearness(row)).collect();
        let anchors = vec![states(cohort)];
        Box::new(GraphGpoTerms {
            episode: EpisodeGroup::new(cohort, scores, self.episode_statistics, episode),
            steps: StepGroups::new(cohort, values, anchors, step, Baseline::Group),
            ways,
        })
    }
}

struct GraphGpoTerms {
    episode: EpisodeGroup,
    steps: StepGroups,
    ways: Ways,
}

/// The ways to the goal, and what it is worth to be near.
struct Ways {
    graph: Graph,
    discount: Discount,
    distances: Vec<Option<usize>>,
    out_of_reach: usize,
}

impl Ways {
    fn new(graph: Graph, discount: Discount) -> Self {
        let distances = graph.distances();
        let out_of_reach = distances.iter().flatten().max().map_or(0, |largest| largest + 1);
        Self { graph, discount, distances, out_of_reach }
    }

    /// d of the state that a row's step leads to; none if the goal is out of reach.
    fn distance(&self, row: usize) -> Option<usize> {
        self.distances[self.graph.next[row]]
    }

    /// x.
    fn nearness(&self, row: usize) -> f64 {
        let distance = self.distance(row).unwrap_or(self.out_of_reach);
        SUCCESS_VALUE * self.discount.power(distance)
    }

    /// x, with what it is made of.
    fn value(&self, row: usize) -> Value {
        let distance = self.distance(row);
        let source = Source::Nearness {
            success: SUCCESS_VALUE,
            discount: self.discount.get(),
            distance: distance.unwrap_or(self.out_of_reach),
            reaches: distance.is_some(),
        };
        Value::new(source, self.nearness(row))
    }
}

impl Terms for GraphGpoTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.episode.term(row));
        terms.extend(self.steps.term(0, row));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        vec![ground.score(row), self.ways.value(row)]
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        match term.comparison {
            Comparison::Level(level) => self.steps.account(row, level, 1),
            Comparison::Episode | Comparison::Steps => self.episode.account(0),
        }
    }
}
