//! Trust factor: how much a step's credit counts.

use super::anchors::{Anchors, Moves};
use super::composed_estimator::Composed;
use super::part_choices::Trust;
use super::value::StateWorth;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::Factor;

/// What every row's credit is multiplied by.
pub(super) struct TrustFactors {
    failed: usize,
    attempts: usize,
    /// What was seen in each context, level by level.
    levels: Vec<Vec<VisitStatistics>>,
}

/// What was seen in one context.
#[derive(Clone, Copy, Default)]
struct VisitStatistics {
    visits: usize,
    actions: usize,
    /// Visits with the rarest action.
    fewest: usize,
    between: f64,
    within: f64,
}

impl TrustFactors {
    pub(super) fn new(
        settings: &Composed,
        worth: &StateWorth,
        actions: Option<&[u32]>,
        returns: &[f64],
        batch: &Batch,
        cohort: &Cohort,
    ) -> Self {
        let attempts = &cohort.trajectories;
        let failed = attempts.iter().filter(|&&one| !batch.trajectories()[one].succeeded()).count();
        let levels = match (settings.trust, actions) {
            (Trust::None | Trust::Failures, _) | (_, None) => Vec::new(),
            (_, Some(actions)) => (0..worth.levels.len())
                .map(|level| visit_statistics(&worth.levels[level].anchors, actions, returns))
                .collect(),
        };
        Self { failed, attempts: attempts.len(), levels }
    }

    /// What the credit of a row at a level is multiplied by.
    pub(super) fn factors(
        &self,
        settings: &Composed,
        worth: &StateWorth,
        level: usize,
        row: usize,
    ) -> Vec<Factor> {
        let statistics = || {
            let number = worth.levels[level].anchors.contexts.of(row);
            number.map_or_else(VisitStatistics::default, |number| self.levels[level][number])
        };
        match settings.trust {
            Trust::None => Vec::new(),
            Trust::Variance => statistics().share().into_iter().collect(),
            Trust::GatedVariance => {
                let VisitStatistics { visits, between, within, .. } = statistics();
                let whole = between + within + settings.variance_epsilon;
                let often = Factor::Often { count: visits, scale: settings.saturation };
                // Without any variance there is nothing to explain.
                let share = (whole > 0.0).then_some(Factor::Trust { part: between, whole });
                [Some(often).filter(|_| settings.saturation > 0.0), share]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Trust::Actions => vec![Factor::Gate { count: statistics().actions, needed: 2 }],
            Trust::Failures => {
                let &Self { failed, attempts, .. } = self;
                let exponent = settings.failure_exponent;
                vec![Factor::Failures { failed, attempts, exponent }]
            }
        }
    }
}

impl VisitStatistics {
    /// The share of the variance that actions explain, if that is known.
    fn share(self) -> Option<Factor> {
        let whole = self.between + self.within;
        let is_known = self.actions >= 2 && self.fewest >= 2 && whole > 0.0;
        is_known.then_some(Factor::Trust { part: self.between, whole })
    }
}

/// What was seen in every context, in the order of their numbers.
fn visit_statistics(anchors: &Anchors, actions: &[u32], returns: &[f64]) -> Vec<VisitStatistics> {
    let moves = Moves::new(anchors, actions);
    let (of_moves, of_anchors) =
        (moves.numbers.statistics(returns), anchors.contexts.statistics(returns));
    let mut all = vec![VisitStatistics::default(); anchors.contexts.count];
    for (own, &number) in of_moves.iter().zip(&moves.anchors) {
        let (seen, whole) = (&mut all[number], of_anchors[number]);
        let share = own.size as f64 / whole.size as f64;
        let deviation = whole.deviation(own.mean);
        *seen = VisitStatistics {
            visits: whole.size,
            actions: seen.actions + 1,
            fewest: if seen.actions == 0 { own.size } else { seen.fewest.min(own.size) },
            between: seen.between + share * deviation * deviation,
            within: seen.within + share * own.std * own.std,
        };
    }
    all
}
