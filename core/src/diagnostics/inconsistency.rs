//! Context inconsistency: whether equal states have equal pasts, and what that means for their returns.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::groups::hierarchy::Level;
use crate::statistics::ROUNDING;

/// How inconsistent the contexts of equal states are at a level k from 1 on: how many groups of equal
/// states fall apart by their last k states, and how much of the spread of their returns lies between the
/// parts.
///
/// # Formula
/// Of a group of level 0, the steps that have level k are looked at, if there are two or more of them:
/// n steps with returns R_i (after the invalid-action penalty, as step groups compare them) and mean R̄.
/// They fall into m parts, the groups of level k, where a step that is alone is a part of its own; part j
/// has n_j steps and the mean R̄_j. The group is split if m > 1. Then
/// ```text
/// B = Σ_j n_j (R̄_j − R̄)²      T = Σ_i (R_i − R̄)² = B + W      E = T (m − 1) / (n − 1)
/// ```
/// are the sums of squares between the parts and of all, and what B is on average if the past does not
/// matter: over all ways to deal the n returns out to the parts. Sums run over the groups that are split:
/// ```text
/// explained = ΣB / ΣT    by_chance = ΣE / ΣT    beyond_chance = (ΣB − ΣE) / (ΣT − ΣE)
/// ```
/// All three are without unit. `explained` alone is no evidence that the past matters: parts of one step
/// explain everything. `beyond_chance` is 0 on average if the past does not matter, and may fall below;
/// 1 if returns differ between parts only. For one group it is 1 − \[W / (n − m)\] / \[T / (n − 1)\].
///
/// Equal returns (T within rounding) add to no sum. The notion is that of arXiv 2602.22817, whose term is
/// *context inconsistency*; the formulas are this crate's, an analysis of variance with the expectation
/// under permutation.
///
/// ```
/// use hgpo_core::{diagnostics, Batch, Discount, Hgpo, Options, Step, Trajectory};
/// let walk = |name, before: &str, reward| {
///     Trajectory::new("g", name, vec![Step::new(before, 0.0), Step::new("door", reward)])
/// };
/// let walks = [("a", "desk", 10.0), ("b", "desk", 10.0), ("c", "hall", 10.0), ("d", "hall", 0.0)];
/// let batch = Batch::new(walks.map(|(name, before, reward)| walk(name, before, reward)).into())?;
/// let found = diagnostics(&batch, &Options::default())?.levels[1].inconsistency.unwrap();
/// // At level 1 only the door has company: 10, 10 from the desk and 10, 0 from the hall. The means are 10,
/// // 5 and 7.5 in all: B = 2 · 2.5² + 2 · 2.5² = 25, T = 3 · 2.5² + 7.5² = 75, E = 75 · 1 / 3 = 25.
/// assert_eq!((found.groups, found.split, found.split_fraction), (1, 1, 1.0));
/// assert!((found.explained.unwrap() - 1.0 / 3.0).abs() < 1e-12);
/// assert!((found.by_chance.unwrap() - 1.0 / 3.0).abs() < 1e-12);
/// assert!(found.beyond_chance.unwrap().abs() < 1e-12);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Inconsistency {
    /// Groups of level 0 in which two or more steps have this level.
    pub groups: usize,
    /// Those of them that are split.
    pub split: usize,
    /// split / groups; 0 without groups.
    pub split_fraction: f64,
    /// Share of the sum of squares that lies between parts; none if no group with unequal returns is
    /// split.
    pub explained: Option<f64>,
    /// The share that would lie between parts if the past did not matter; none as above.
    pub by_chance: Option<f64>,
    /// What is explained beyond chance, as a share of what chance leaves; none as above, and if every
    /// part is a single step.
    pub beyond_chance: Option<f64>,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { groups, split, .. } = self;
        write!(f, "{split} of {groups} groups of equal states are split")?;
        let (Some(explained), Some(by_chance)) = (self.explained, self.by_chance) else {
            return Ok(());
        };
        let [explained, by_chance] = [explained, by_chance].map(|share| 100.0 * share);
        write!(f, "; {explained:.1} % of their returns' spread is between the parts")?;
        write!(f, " ({by_chance:.1} % by chance)")
    }
}

/// Sums over the cohorts so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Contexts {
    levels: Vec<Sums>,
    /// For every level, the group of each row of the cohort at hand, or [`MISSING`] or [`ALONE`]; short
    /// of the last rows that do not have the level.
    group_of: Vec<Vec<u32>>,
    scratch: Scratch,
}

const MISSING: u32 = u32::MAX;
const ALONE: u32 = u32::MAX - 1;

/// Sums over the groups of level 0.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    groups: usize,
    split: usize,
    between: f64,
    total: f64,
    chance: f64,
}

/// Lists that every level needs for a moment, kept so that they are not allocated again.
#[derive(Debug, Clone, Default)]
struct Scratch {
    /// The rows that have company at level 0, group after group.
    order: Vec<u32>,
    /// Where in `order` each group ends.
    ends: Vec<u32>,
    /// Of the group at hand: part and return of every step that has the level.
    members: Vec<(u32, f64)>,
    /// Of every group of the level: its members in the group at hand, and the sum of their deviations.
    parts: Vec<(u32, f64)>,
}

impl Contexts {
    /// For levels 0 to `levels` − 1.
    pub(super) fn new(levels: usize) -> Self {
        // Who has no level but the first has nothing that could split.
        let levels = if levels > 1 { levels } else { 0 };
        Self {
            levels: vec![Sums::default(); levels],
            group_of: vec![Vec::new(); levels],
            scratch: Scratch::default(),
        }
    }

    /// Takes note of the group of a row at a level, none if it is alone; rows come in their order.
    pub(super) fn add(&mut self, row: usize, level: Level, group: Option<usize>) {
        if let Some(group_of) = self.group_of.get_mut(level.0) {
            // Levels that no trajectory is long enough for take no memory.
            group_of.resize(row, MISSING);
            group_of.push(group.map_or(ALONE, |group| group as u32));
        }
    }

    /// Adds up the cohort at hand and goes on to the next; `value` is the return of a row.
    pub(super) fn end_cohort(&mut self, value: impl Fn(usize) -> f64) {
        let Some((states, deeper)) = self.group_of.split_first() else { return };
        let Scratch { order, ends, members, parts } = &mut self.scratch;
        order_by_group(states, order, ends);
        for (sums, group_of) in self.levels[1..].iter_mut().zip(deeper) {
            if group_of.is_empty() {
                break;
            }
            let part_of = |&row: &u32| match group_of.get(row as usize) {
                None | Some(&MISSING) => None,
                Some(&part) => Some((part, value(row as usize))),
            };
            let mut start = 0;
            for &end in &*ends {
                members.clear();
                members.extend(order[start..end as usize].iter().filter_map(part_of));
                sums.add(members, parts);
                start = end as usize;
            }
        }
        self.group_of.iter_mut().for_each(Vec::clear);
    }

    /// What was found at a level; none at level 0.
    pub(super) fn of(&self, level: usize) -> Option<Inconsistency> {
        let sums = self.levels.get(level).filter(|_| level > 0)?;
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        Some(Inconsistency {
            groups: sums.groups,
            split: sums.split,
            split_fraction: sums.split as f64 / sums.groups.max(1) as f64,
            explained: share(sums.between, sums.total),
            by_chance: share(sums.chance, sums.total),
            beyond_chance: share(sums.between - sums.chance, sums.total - sums.chance),
        })
    }
}

impl Sums {
    /// Adds a group of level 0: part and return of the steps that have the level.
    fn add(&mut self, members: &[(u32, f64)], parts: &mut Vec<(u32, f64)>) {
        let [(_, first), _, ..] = members else { return };
        let size = members.len() as f64;
        let mean = first + members.iter().map(|(_, value)| value - first).sum::<f64>() / size;
        let (mut total, mut between, mut count, mut largest) = (0.0, 0.0, 0, 0.0_f64);
        for &(part, value) in members {
            let deviation = value - mean;
            total += deviation * deviation;
            largest = largest.max(value.abs());
            if part == ALONE {
                between += deviation * deviation;
                count += 1;
                continue;
            }
            if parts.len() <= part as usize {
                parts.resize(part as usize + 1, (0, 0.0));
            }
            let (members, sum) = &mut parts[part as usize];
            (*members, *sum) = (*members + 1, *sum + deviation);
        }
        for &(part, _) in members.iter().filter(|(part, _)| *part != ALONE) {
            let (members, sum) = std::mem::take(&mut parts[part as usize]);
            if members > 0 {
                between += sum * sum / f64::from(members);
                count += 1;
            }
        }
        self.groups += 1;
        self.split += usize::from(count > 1);
        let rounding = ROUNDING * largest;
        if count > 1 && total > size * rounding * rounding {
            self.between += between;
            self.total += total;
            // Exactly the total if every part is a single step.
            self.chance += total * ((f64::from(count) - 1.0) / (size - 1.0));
        }
    }
}

/// Puts the rows with company into `order`, by group (a counting sort), and where each group ends into
/// `ends`.
fn order_by_group(group_of: &[u32], order: &mut Vec<u32>, ends: &mut Vec<u32>) {
    let grouped = || group_of.iter().zip(0_u32..).filter(|(group, _)| **group < ALONE);
    let groups = grouped().map(|(&group, _)| group as usize + 1).max().unwrap_or(0);
    ends.clear();
    ends.resize(groups, 0);
    for (&group, _) in grouped() {
        ends[group as usize] += 1;
    }
    let mut sum = 0;
    for end in ends.iter_mut() {
        sum += *end;
        *end = sum - *end;
    }
    order.clear();
    order.resize(sum as usize, 0);
    for (&group, row) in grouped() {
        let place = &mut ends[group as usize];
        order[*place as usize] = row;
        *place += 1;
    }
}
