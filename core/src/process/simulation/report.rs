//! Simulation report.

use serde::{Deserialize, Serialize};

use super::histogram::Bins;
use crate::breakdown::Comparison;
use crate::estimator::Options;
use crate::process::Decision;
use crate::statistics::Scale;

/// In what unit advantages are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// Differences of returns, as the truth is. Estimators that compare scores of episodes leave the
    /// discount out.
    Return,
    /// Standard deviations of the group that the step is compared with.
    Spread,
    /// Standard deviations of the batch.
    Batch,
}

impl Unit {
    /// The unit of an estimator.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        match (options.estimator.needs_whole_batch(), options.estimator.scale()) {
            (true, _) => Self::Batch,
            (false, Scale::MeanStd) => Self::Spread,
            (false, Scale::Mean) => Self::Return,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SimulationReport {
    /// The options in force.
    pub options: Options,
    /// How often a group was drawn.
    pub samples: usize,
    /// Attempts of each.
    pub attempts: usize,
    /// The unit of estimates, means, spreads and bins.
    pub unit: Unit,
    /// Where the bins of all histograms lie.
    pub bins: Bins,
    /// Steps drawn, of all samples.
    pub steps: usize,
    /// Over all steps: the episode, the levels from 0, all steps, then the advantage itself, as far
    /// as the estimator has them.
    pub overall: Vec<Overall>,
    /// Every decision that was drawn: by situation, then by steps left, then by action.
    pub decisions: Vec<DecisionReport>,
}

/// How values are distributed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Distribution {
    /// Number of values.
    pub count: usize,
    /// Their mean; 0 of none.
    pub mean: f64,
    /// Standard error of the mean, from the scatter between samples: steps of one sample share their
    /// baselines. None from a single sample.
    pub standard_error: Option<f64>,
    /// Their standard deviation, with n − 1; none of a single value.
    pub spread: Option<f64>,
    /// How many have the sign opposite to that of the truth.
    pub opposite: usize,
    /// The bins that hold any, from the left, and how many.
    pub histogram: Vec<(usize, usize)>,
}

/// One comparison, or the advantage, over all steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overall {
    /// With whom; none for the advantage itself.
    pub comparison: Option<Comparison>,
    /// The estimates of all steps.
    pub estimates: Distribution,
    /// How far they are from the truth; none in another unit.
    pub errors: Option<Errors>,
    /// Correlation of the estimates with the truth, over decisions of two or more samples; none if
    /// either does not vary.
    pub correlation: Option<f64>,
}

/// Distances from the truth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Errors {
    /// Estimate − truth, of all steps.
    pub errors: Distribution,
    /// Squared bias, averaged over decisions by how often they occurred, without the part that chance
    /// explains: slightly negative if there is none. As the two that follow, by the formulas of a
    /// [`BiasStudy`](crate::BiasStudy), over decisions of two or more samples; none without any.
    pub squared_bias: Option<f64>,
    /// Variance between repeats.
    pub variance: Option<f64>,
    /// Both together.
    pub mean_squared_error: Option<f64>,
}

/// One decision: its truth, and what is said of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DecisionReport {
    /// Which.
    pub decision: Decision,
    /// A*.
    pub truth: f64,
    /// How often it was drawn.
    pub steps: usize,
    /// In the order of [`SimulationReport::overall`]; a comparison that it never had company in is left out.
    pub said: Vec<EstimateSummary>,
}

/// What is said of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EstimateSummary {
    /// By which comparison; none for the advantage itself.
    pub comparison: Option<Comparison>,
    /// Mean estimate − truth; none in another unit. Its standard error is that of the mean.
    pub bias: Option<f64>,
    /// The estimates.
    pub estimates: Distribution,
}

impl SimulationReport {
    /// What was found of a decision; none if it was not drawn.
    #[must_use]
    pub fn of(&self, decision: Decision) -> Option<&DecisionReport> {
        let place = self.decisions.binary_search_by_key(&decision, |it| it.decision);
        place.ok().map(|place| &self.decisions[place])
    }
}
