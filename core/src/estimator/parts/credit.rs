//! Credit of a step for how its trajectory went on.

use super::anchors::Moves;
use super::temporal_difference::TemporalDifferences;
use super::value::StateWorth;
use crate::breakdown::{Ground, Prior, Source, Value};

/// The credit of every row of a cohort.
pub(super) enum Credits {
    Return(Vec<f64>),
    Action(Actions),
    TemporalDifferences(TemporalDifferences),
}

impl Credits {
    /// The numbers of all rows at a level; if a row has no such context, any number.
    pub(super) fn at(&self, level: usize) -> Vec<f64> {
        match self {
            Self::Return(returns) => returns.clone(),
            Self::Action(actions) => actions.levels[level].1.clone(),
            Self::TemporalDifferences(gains) => gains.credits.clone(),
        }
    }

    /// Whether the number of a row depends on the level.
    pub(super) fn differs_by_level(&self) -> bool {
        matches!(self, Self::Action(_))
    }

    /// The number of a row at a level that it has, with what it is made of.
    pub(super) fn value(
        &self,
        ground: &Ground<'_>,
        worth: &StateWorth,
        level: usize,
        row: usize,
    ) -> Value {
        match self {
            Self::Return(_) => ground.step_return(row),
            Self::Action(actions) => actions.value(ground, worth, level, row),
            Self::TemporalDifferences(gains) => gains.value(ground, worth, row),
        }
    }
}

/// Q of every row's state and action at every level, drawn toward V by κ visits:
/// (n Q + κ V) / (n + κ).
pub(super) struct Actions {
    shrinkage: f64,
    levels: Vec<(Moves, Vec<f64>)>,
}

impl Actions {
    pub(super) fn new(worth: &StateWorth, actions: &[u32], shrinkage: f64) -> Self {
        let of_level = |level: usize| {
            let anchors = &worth.levels[level].anchors;
            let moves = Moves::new(anchors, actions);
            let targets = worth.targets(level);
            let (of_moves, of_anchors) =
                (moves.numbers.statistics(&targets), anchors.contexts.statistics(&targets));
            let value = |row| {
                let Some((own, all)) = moves.numbers.of(row).zip(anchors.contexts.of(row)) else {
                    return 0.0;
                };
                let (own, all) = (of_moves[own], of_anchors[all]);
                shrink(own.size as f64, own.mean, shrinkage, all.mean)
            };
            let values = (0..targets.len()).map(value).collect();
            (moves, values)
        };
        Self { shrinkage, levels: (0..worth.levels.len()).map(of_level).collect() }
    }

    fn value(&self, ground: &Ground<'_>, worth: &StateWorth, level: usize, row: usize) -> Value {
        let (moves, values) = &self.levels[level];
        let visits =
            moves.numbers.members(row).map(|row| worth.visit(ground, level, row)).collect();
        let prior = (self.shrinkage > 0.0).then(|| {
            let targets = worth.targets(level);
            let members: Vec<f64> =
                worth.levels[level].anchors.contexts.members(row).map(|row| targets[row]).collect();
            let all = crate::Statistics::of(&members, crate::StdRule::Population);
            Prior { visits: self.shrinkage, mean: all.mean }
        });
        let source = Source::Action { discount: worth.discount.get(), visits, prior };
        Value::new(source, values[row])
    }
}

/// The mean of `count` numbers and of `weight` more of another mean.
fn shrink(count: f64, mean: f64, weight: f64, other: f64) -> f64 {
    if weight == 0.0 { mean } else { (count * mean + weight * other) / (count + weight) }
}
