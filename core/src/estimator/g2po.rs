//! G2PO: a step is worth the value of the state it leads to, on the graph of all that was tried.

use super::method::Method;
use super::options::shared;
use super::terms::episode_group::{EpisodeGroup, EpisodeStatistics};
use super::terms::state_values::StateValues;
use super::terms::step_groups::{Baseline, StepGroups};
use super::terms::term::{Term, Terms};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison, Ground, Source, Value};
use crate::groups::grouping::states;
use crate::option::fields::options;
use crate::returns::{Discount, Scores};
use crate::statistics::{Scale, SingletonRule, Standardise, StdRule};

options! {
    /// G2PO: a step is worth the value of the state it leads to, on the graph of all that was tried.
    ///
    /// # Formula
    /// ```text
    /// A_t  = A_E + w · (A_1 + A_2)
    /// A_E  = as GRPO, from the episode scores of the task
    /// A_1  = (x_t − mean x) / (σ + 1e-6)   over the steps of the task in the same state
    /// A_2  = (y_t − mean y) / (σ + 1e-6)   over all steps of the task
    /// x_t  = V(s_{t+1}) − p·[step t invalid]
    /// y_t  = V(s_{t+1}) − V(s_t)
    /// V(s) = mean over the visits of s, at step t of a trajectory of T steps, of 0.95^{T−t} · R
    /// R    = 10 for a success, 0 for a failure
    /// ```
    /// The last step leads to the goal, V = 10, or to a dead end, V = 0. A trajectory is a success if
    /// it says so, else if its rewards add up to more than 0. `scale = mean` drops the three divisions.
    /// Source: arXiv 2606.22995 and its reference code (sample deviations, singletons 0).
    ///
    /// Rules, each an option with the reference code's value: `std`, `step_singleton`,
    /// `episode_statistics` (all step rows), `episode_singleton` (S). Groups of equal values give
    /// exactly 0.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, Discount, Estimator, G2po, Options, Scale, Step, Trajectory};
    /// let walk = |name, states: &[&str], reward| {
    ///     let mut steps: Vec<Step> = states.iter().map(|&state| Step::new(state, 0.0)).collect();
    ///     steps.last_mut().unwrap().reward = reward;
    ///     Trajectory::new("g", name, steps)
    /// };
    /// let batch = Batch::new(vec![walk("a", &["s", "x"], 10.0), walk("b", &["s"], 0.0)])?;
    /// let g2po = G2po { scale: Scale::Mean, value_discount: Discount::new(0.5)?, ..G2po::default() };
    /// let options = Options { estimator: Estimator::G2po(g2po), ..Options::default() };
    /// // V(x) = 5, V(s) = (2.5 + 0)/2 = 1.25. A_E: 10, 10, 0 around 20/3.
    /// // A_1 from s: V(x) = 5 and 0, mean 2.5; x is alone. A_2: 5 − 1.25, 10 − 5, 0 − 1.25, mean 2.5.
    /// let advantages = estimate(&batch, &options)?.advantages;
    /// assert!((advantages[0][0] - (10.0 / 3.0 + 2.5 + 1.25)).abs() < 1e-12);
    /// assert!((advantages[0][1] - (10.0 / 3.0 + 0.0 + 2.5)).abs() < 1e-12);
    /// assert!((advantages[1][0] - (-20.0 / 3.0 - 2.5 - 3.75)).abs() < 1e-12);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct G2po {
        /// w, the weight of A_1 and A_2; 1 in the paper.
        step_weight: f64 = 1.0, shared::STEP_WEIGHT;
        /// Discount of the values V, 0.95 in the reference code.
        value_discount: Discount = Discount::default(), shared::VALUE_DISCOUNT;
        /// Whether to divide by the standard deviations.
        scale: Scale = Scale::MeanStd, shared::SCALE;
        /// Rows that A_E's mean and standard deviation are taken over.
        episode_statistics: EpisodeStatistics = EpisodeStatistics::Steps, shared::EPISODE_STATISTICS;
        /// Divisor of the variance.
        std: StdRule = StdRule::Sample, shared::STD;
        /// A_1 and A_2 of a step that is alone.
        step_singleton: SingletonRule = SingletonRule::Zero, shared::STEP_SINGLETON;
        /// A_E in a task with one row.
        episode_singleton: SingletonRule = SingletonRule::Keep, shared::EPISODE_SINGLETON;
    }
}

impl Method for G2po {
    fn context_length(&self) -> Option<usize> {
        Some(0)
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let episode = Standardise::new(self.scale, self.std, self.episode_singleton);
        let step = Standardise::new(self.scale, self.std, self.step_singleton);
        let values = StateValues::new(batch, cohort, self.value_discount);
        let own = cohort.rows.iter().enumerate();
        let led_to = own.map(|(own, &row)| values.of_next(own) - scores.penalty(row)).collect();
        let gains = (0..cohort.rows.len()).map(|row| values.gain(row)).collect();
        let anchors = vec![states(cohort)];
        Box::new(G2poTerms {
            step_weight: self.step_weight,
            episode: EpisodeGroup::new(cohort, scores, self.episode_statistics, episode),
            steps: StepGroups::new(cohort, led_to, anchors, step, Baseline::Group),
            progress: EpisodeGroup::progress(gains, step),
            values,
        })
    }
}

struct G2poTerms {
    step_weight: f64,
    episode: EpisodeGroup,
    steps: StepGroups,
    progress: EpisodeGroup,
    values: StateValues,
}

impl Terms for G2poTerms {
    fn terms(&self, row: usize, terms: &mut Vec<Term>) {
        terms.clear();
        terms.push(self.episode.term(row));
        terms.extend(self.steps.term(0, row).map(|term| term.weighted(self.step_weight)));
        terms.push(self.progress.term(row).weighted(self.step_weight));
    }

    fn values(&self, ground: &Ground<'_>, row: usize) -> Vec<Value> {
        let next = self.values.next(ground, row);
        let worth = next.number;
        let gain = self.values.difference(ground, row);
        let gained = gain.number;
        vec![
            ground.score(row),
            Value::less(Source::NextState(next), worth, ground.penalty(row)),
            Value::new(Source::Difference(gain), gained),
        ]
    }

    fn account(&self, row: usize, _place: usize, term: &Term) -> Account {
        match term.comparison {
            Comparison::Episode => self.episode.account(0),
            Comparison::Level(level) => {
                self.steps.account(row, level, 1).weighted_by("step_weight")
            }
            Comparison::Steps => self.progress.account(2).weighted_by("step_weight"),
        }
    }
}
