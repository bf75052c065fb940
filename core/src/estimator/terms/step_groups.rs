//! Step groups of equal contexts, with the statistics that a step is compared by.

use super::term::Term;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Account, Comparison};
use crate::groups::grouping::{Groups, Membership};
use crate::groups::hierarchy::Level;
use crate::option::choice::choice;
use crate::statistics::{STD_EPSILON, Scale, Standardise, Statistics};

choice! {
    /// Whose values a step's value is compared with.
    #[non_exhaustive]
    pub enum Baseline {
        /// All members of the group, the step itself among them: the paper's.
        #[default]
        Group => "group",
        /// The steps of other trajectories: neither the step nor other visits of its own
        /// trajectory. The standard deviation stays that of the group; a step whose group holds no
        /// other trajectory is alone.
        Others => "others",
    }
}

/// Step groups: one a context and level.
pub(crate) struct StepGroups {
    /// What is compared.
    pub(crate) values: Vec<f64>,
    /// Groups of each level that a step of the cohort has.
    pub(crate) levels: Vec<Groups>,
    how: Standardise,
    /// Of the groups of each level, and at the end what rows without a group are compared with.
    statistics: Vec<Vec<Statistics>>,
    others: Option<Others>,
}

impl StepGroups {
    pub(crate) fn new(
        cohort: &Cohort,
        values: Vec<f64>,
        levels: Vec<Groups>,
        how: Standardise,
        baseline: Baseline,
    ) -> Self {
        let of_level = |groups: &Groups| {
            Statistics::by_group(&values, groups.numbers(), groups.count(), how.std)
        };
        let statistics: Vec<Vec<Statistics>> = levels.iter().map(of_level).collect();
        let others = (baseline == Baseline::Others)
            .then(|| Others::new(cohort, &values, &levels, &statistics));
        Self { values, levels, how, statistics, others }
    }

    /// Statistics of the groups of a level.
    pub(crate) fn statistics(&self, level: usize) -> &[Statistics] {
        &self.statistics[level][..self.levels[level].count()]
    }

    /// The row at a level; none if it has no such context.
    pub(crate) fn term(&self, level: usize, row: usize) -> Option<Term> {
        let membership = self.levels.get(level)?.of(row);
        let statistics = self.compared(level, row, membership)?;
        let comparison = Comparison::Level(Level(level));
        Some(Term::new(comparison, membership.group(), statistics, self.values[row], self.how))
    }

    /// Who a row is compared with at a level.
    fn compared(&self, level: usize, row: usize, membership: Membership) -> Option<Statistics> {
        match (membership, &self.others) {
            (Membership::Missing, _) => None,
            (Membership::Alone, None) => Some(Statistics::alone(self.values[row])),
            (Membership::Group(group), None) => Some(self.statistics[level][group]),
            (_, Some(others)) => Some(others.statistics[level][row]),
        }
    }

    /// Σ_k w_k A_k of every row, with the weights divided by their sum (and `epsilon`) over the
    /// levels whose A_k is not 0: the same sums as through [`StepGroups::term`] if a step that
    /// is alone has A_k = 0, bit for bit.
    pub(crate) fn weighted_sums(&self, weights: &[f64], epsilon: f64) -> Vec<f64> {
        let rows = self.values.len();
        let mut advantages = Vec::with_capacity(rows * self.levels.len());
        for level in 0..self.levels.len() {
            self.level_advantages(level, &mut advantages);
        }
        let levels = || advantages.chunks_exact(rows).zip(weights);
        let mut totals = vec![0.0; rows];
        for (advantages, &weight) in levels() {
            for (total, &advantage) in totals.iter_mut().zip(advantages) {
                *total += if advantage == 0.0 { 0.0 } else { weight };
            }
        }
        let mut sums = vec![0.0; rows];
        for (advantages, &weight) in levels() {
            for ((sum, &advantage), total) in sums.iter_mut().zip(advantages).zip(&totals) {
                // If the advantage is 0, the total may be 0 too.
                *sum += if advantage == 0.0 { 0.0 } else { weight / (total + epsilon) * advantage };
            }
        }
        sums
    }

    /// Appends A_k of every row; 0 if it is alone or has no such context.
    fn level_advantages(&self, level: usize, advantages: &mut Vec<f64>) {
        let standardise = |(statistics, &value): (&Statistics, &f64)| {
            let deviation = statistics.deviation(value);
            match self.how.scale {
                Scale::MeanStd => deviation / (statistics.std + STD_EPSILON),
                Scale::Mean => deviation,
            }
        };
        if let Some(others) = &self.others {
            let of_row = others.statistics[level].iter();
            return advantages.extend(of_row.zip(&self.values).map(standardise));
        }
        let statistics = &self.statistics[level];
        let of_row = self.levels[level].numbers().map(|group| &statistics[group]);
        advantages.extend(of_row.zip(&self.values).map(standardise));
    }

    /// What a term of a row is made of; `value` is the position of what is compared.
    pub(crate) fn account(&self, row: usize, level: Level, value: usize) -> Account {
        let groups = &self.levels[level.0];
        let rows: Vec<usize> = match groups.of(row) {
            Membership::Group(group) => groups.members(group).collect(),
            Membership::Alone => vec![row],
            Membership::Missing => Vec::new(),
        };
        let is_compared =
            |member: usize| self.others.as_ref().is_none_or(|others| others.parts(row, member));
        let (mut members, mut left_out) = (Vec::new(), Vec::new());
        for member in rows {
            let of = if is_compared(member) { &mut members } else { &mut left_out };
            of.push((member, self.values[member]));
        }
        Account { left_out, ..Account::new(value, members, self.how) }
    }
}

/// For every level and row, the statistics of its group without the row's own sequence.
struct Others {
    sequence_of: Vec<usize>,
    statistics: Vec<Vec<Statistics>>,
}

impl Others {
    fn new(
        cohort: &Cohort,
        values: &[f64],
        levels: &[Groups],
        statistics: &[Vec<Statistics>],
    ) -> Self {
        let mut sequence_of = Vec::with_capacity(cohort.rows.len());
        for (sequence, rows) in cohort.sequences().enumerate() {
            sequence_of.extend(rows.map(|_| sequence));
        }
        let of_level = |(groups, statistics): (&Groups, &Vec<Statistics>)| {
            without_own(cohort, values, groups, statistics)
        };
        let statistics = levels.iter().zip(statistics).map(of_level).collect();
        Self { sequence_of, statistics }
    }

    /// Whether two rows are of different sequences.
    fn parts(&self, one: usize, other: usize) -> bool {
        self.sequence_of[one] != self.sequence_of[other]
    }
}

/// A group's sum less that of the row's own sequence: two passes over a sequence, one to add up
/// and one to look up.
fn without_own(
    cohort: &Cohort,
    values: &[f64],
    groups: &Groups,
    statistics: &[Statistics],
) -> Vec<Statistics> {
    let mut own = vec![(0, 0.0); groups.count()];
    let mut result = vec![Statistics::NO_SIGNAL; cohort.rows.len()];
    let group_of = |row| Some((row, groups.of(row).group()?));
    for rows in cohort.sequences() {
        for (row, group) in rows.clone().filter_map(group_of) {
            own[group] = (own[group].0 + 1, own[group].1 + values[row]);
        }
        for (row, group) in rows.clone().filter_map(group_of) {
            result[row] = statistics[group].without(own[group].0, own[group].1);
        }
        for (_, group) in rows.filter_map(group_of) {
            own[group] = (0, 0.0);
        }
    }
    result
}
