//! Level weights from the data, derived at [`Weights::Adaptive`](crate::Weights).

use super::step_groups::StepGroups;
use super::term::Term;
use crate::breakdown::{Comparison, Skipped, Weighting};
use crate::groups::grouping::Membership;
use crate::groups::hierarchy::Level;

/// The variances of every level of a cohort.
pub(crate) struct Shrinkage {
    levels: Vec<Variances>,
}

#[derive(Clone, Copy)]
struct Variances {
    /// σ²: of returns around the mean of their group.
    within: f64,
    /// τ²: of group means around that of the group above.
    between: f64,
}

impl Shrinkage {
    pub(crate) fn new(steps: &StepGroups) -> Self {
        let top = Table::new(steps, 0);
        let mut levels = vec![Variances { within: top.within().unwrap_or(0.0), between: 0.0 }];
        for level in 1..steps.levels.len() {
            let table = Table::new(steps, level);
            let within = table.within().unwrap_or(levels[level - 1].within);
            let between = table.between(steps.levels[level - 1].count(), within);
            levels.push(Variances { within, between });
        }
        Self { levels }
    }

    /// Gives the terms of a row, shortest context first, their weights.
    pub(crate) fn weigh(&self, terms: &mut [Term]) {
        let mut left = 1.0;
        for term in terms.iter_mut().rev() {
            let Comparison::Level(level) = term.comparison else { continue };
            if term.skipped == Some(Skipped::Zero) {
                term.skipped = None;
            }
            let trust = match term.skipped {
                Some(_) => 0.0,
                None if level.0 == 0 => 1.0,
                None => self.levels[level.0].trust(term.statistics.size),
            };
            term.raw_weight = trust;
            term.weight = left * trust;
            left -= term.weight;
        }
    }

    /// What the weights of a level come from.
    pub(crate) fn weighting(&self, Level(level): Level) -> Weighting {
        let Variances { within, between } = self.levels[level];
        Weighting::Trust { between: (level > 0).then_some(between), within }
    }
}

impl Variances {
    /// B for a mean of `size` returns; without any variance the level above says as much.
    fn trust(self, size: usize) -> f64 {
        let noise = self.within / size as f64;
        let sum = self.between + noise;
        if sum > 0.0 { self.between / sum } else { 0.0 }
    }
}

/// One level of the analysis of variance.
struct Table {
    /// Mean, size and group above of each group; those who are alone but have company above too.
    groups: Vec<(f64, f64, Option<usize>)>,
    /// Sum of squares around the group means.
    squares: f64,
}

impl Table {
    fn new(steps: &StepGroups, level: usize) -> Self {
        let (groups, statistics) = (&steps.levels[level], steps.statistics(level));
        let mut means: Vec<_> =
            statistics.iter().map(|group| (group.mean, group.size as f64, None)).collect();
        let mut squares = 0.0;
        for (row, &value) in steps.values.iter().enumerate() {
            let above = level.checked_sub(1).and_then(|above| steps.levels[above].of(row).group());
            match groups.of(row) {
                Membership::Missing => {}
                Membership::Alone => means.push((value, 1.0, above)),
                Membership::Group(group) => {
                    let deviation = statistics[group].deviation(value);
                    squares += deviation * deviation;
                    means[group].2 = above;
                }
            }
        }
        Self { groups: means, squares }
    }

    /// σ²; none if no group has two members.
    fn within(&self) -> Option<f64> {
        let freedom: f64 = self.groups.iter().map(|group| group.1 - 1.0).sum();
        (freedom > 0.0).then(|| self.squares / freedom)
    }

    /// τ² around the `count` groups of the level above. Whoever is alone above is its own mean.
    fn between(&self, count: usize, within: f64) -> f64 {
        let below =
            || self.groups.iter().filter_map(|&(mean, size, above)| Some((mean, size, above?)));
        let mut parents = vec![Parent::default(); count];
        for (mean, size, above) in below() {
            let parent = &mut parents[above];
            parent.size += size;
            parent.sum += size * mean;
            parent.squares += size * size;
        }
        let (mut squares, mut children) = (0.0, 0.0);
        for (mean, size, above) in below() {
            let deviation = mean - parents[above].sum / parents[above].size;
            squares += size * deviation * deviation;
            children += 1.0;
        }
        let present = || parents.iter().filter(|parent| parent.size > 0.0);
        let freedom = children - present().count() as f64;
        let divisor: f64 = present().map(|parent| parent.size - parent.squares / parent.size).sum();
        if divisor > 0.0 { (squares - freedom * within).max(0.0) / divisor } else { 0.0 }
    }
}

/// Steps of a group that have a context one longer, over the groups below it.
#[derive(Clone, Copy, Default)]
struct Parent {
    size: f64,
    sum: f64,
    /// Sum of the squared sizes below.
    squares: f64,
}
