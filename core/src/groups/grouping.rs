//! Step groups: the hierarchy G_0 ⊇ G_1 ⊇ … ⊇ G_K of equal contexts.

use std::collections::HashMap;

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::batch::intern::{Interner, number as number_of};

/// What a row is at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Membership {
    /// The step has no such context.
    Missing,
    /// Nobody else has its context.
    Alone,
    /// One of two or more members of the group with this number.
    Group(usize),
}

impl Membership {
    /// The number of the group of two or more, if it is in one.
    pub(crate) fn group(self) -> Option<usize> {
        match self {
            Self::Group(group) => Some(group),
            Self::Alone | Self::Missing => None,
        }
    }
}

const MISSING: u32 = u32::MAX;
const ALONE: u32 = u32::MAX - 1;

/// One level: who belongs together.
///
/// Only groups of two or more have a number and a place in memory; long contexts leave most steps
/// alone.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    group_of: Vec<u32>,
    count: usize,
}

impl Groups {
    /// From a number for each row, below `count`, or [`MISSING`] or [`ALONE`].
    pub(crate) fn new(mut group_of: Vec<u32>, count: usize) -> Self {
        let mut parts = vec![(0_u32, ALONE); count];
        for &group in group_of.iter().filter(|&&group| group < ALONE) {
            parts[group as usize].0 += 1;
        }
        let mut count = 0;
        for group in group_of.iter_mut().filter(|group| **group < ALONE) {
            *group = number(&mut parts[*group as usize], &mut count);
        }
        Self { group_of, count: count as usize }
    }

    /// Number of groups of two or more.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// What a row is.
    pub(crate) fn of(&self, row: usize) -> Membership {
        match self.group_of[row] {
            MISSING => Membership::Missing,
            ALONE => Membership::Alone,
            group => Membership::Group(group as usize),
        }
    }

    /// For every row the number of its group; [`Groups::count`] if it is in none.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.group_of.iter().map(|&group| (group as usize).min(self.count))
    }

    /// The rows that are in a group, each with its number.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let grouped =
            |(row, &group): (usize, &u32)| (group < ALONE).then_some((row, group as usize));
        self.group_of.iter().enumerate().filter_map(grouped)
    }

    /// Rows of a group, ascending.
    pub(crate) fn members(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows().filter(move |&(_, of_row)| of_row == group).map(|(row, _)| row)
    }
}

/// The number of a group that one of its rows was found in: the next one for the first row of two
/// or more, [`ALONE`] for a row without company. A group is its size, and its number so far.
///
/// Numbers depend on the order of the rows alone, so that sums over groups do, too.
fn number((size, number): &mut (u32, u32), count: &mut u32) -> u32 {
    let first = *size > 1 && *number == ALONE;
    *number = if first { *count } else { *number };
    *count += u32::from(first);
    *number
}

/// The levels of one cohort: its states, and contexts of up to `context_length` earlier ones.
///
/// The key of step t at level k is the pair of the groups of steps t − 1 and t at level k − 1, so a
/// level costs one pass and no text is compared twice. Who is alone with a shorter context stays
/// so, and so is the next step. Levels that no sequence is long enough for are left out.
pub(crate) fn levels(cohort: &Cohort, context_length: usize) -> Vec<Groups> {
    let mut levels = vec![states(cohort)];
    let longest = cohort.sequences().map(|rows| rows.len()).max().unwrap_or(0);
    let mut scratch = Scratch::default();
    for level in 1..=context_length.min(longest.saturating_sub(1)) {
        levels.push(refine(cohort, &levels[level - 1], level, &mut scratch));
    }
    levels
}

/// Level 0: steps in the same state.
pub(crate) fn states(cohort: &Cohort) -> Groups {
    Groups::new(cohort.states.clone(), cohort.state_count)
}

/// Steps in the same state with the same summary of the past (the step's `context`).
pub(crate) fn summaries(cohort: &Cohort, batch: &Batch) -> Groups {
    let mut summaries = Interner::default();
    let mut numbers = HashMap::new();
    let group_of = cohort.rows.iter().zip(&cohort.states).map(|(&row, &state)| {
        let Some(context) = batch.step(row).context.as_deref() else { return MISSING };
        number_of(&mut numbers, (state, summaries.number(context))) as u32
    });
    let group_of = group_of.collect();
    Groups::new(group_of, numbers.len())
}

/// The groups of contexts one state longer.
///
/// Rows are taken in the order of the group of the step before (a counting sort); among those with
/// one such group, a group of the shorter level falls into one new group. Nothing is hashed, and
/// few branches depend on the data.
fn refine(cohort: &Cohort, shorter: &Groups, level: usize, scratch: &mut Scratch) -> Groups {
    let mut group_of = vec![MISSING; cohort.rows.len()];
    scratch.order_by_group_before(cohort, shorter, level, &mut group_of);
    let Scratch { order, places, parts, .. } = scratch;
    parts.clear();
    parts.resize(shorter.count, (0, ALONE));
    let (mut count, mut start) = (0, 0);
    for &end in &*places {
        let rows = &order[start as usize..end as usize];
        let part = |row: u32| shorter.group_of[row as usize] as usize;
        for &row in rows {
            parts[part(row)].0 += 1;
        }
        for &row in rows {
            group_of[row as usize] = number(&mut parts[part(row)], &mut count);
        }
        for &row in rows {
            parts[part(row)] = (0, ALONE);
        }
        start = end;
    }
    Groups { group_of, count: count as usize }
}

/// Lists that every level needs for a moment, kept so that they are not allocated again.
#[derive(Default)]
struct Scratch {
    open: Vec<u32>,
    order: Vec<u32>,
    places: Vec<u32>,
    /// Members and number of each shorter group among the rows at hand.
    parts: Vec<(u32, u32)>,
}

impl Scratch {
    /// Puts the rows that have a context of the level and company at the one above into `order`, by
    /// the group of the step before, and into `places` where each such group ends; the others with
    /// such a context are marked alone.
    fn order_by_group_before(
        &mut self,
        cohort: &Cohort,
        shorter: &Groups,
        level: usize,
        group_of: &mut [u32],
    ) {
        let Self { open, order, places, .. } = self;
        open.resize(cohort.rows.len(), 0);
        places.clear();
        places.resize(shorter.count + 1, 0);
        let mut open_count = 0;
        for rows in cohort.sequences() {
            for row in rows.skip(level) {
                let (before, now) = (shorter.group_of[row - 1], shorter.group_of[row]);
                let company = before.max(now) < ALONE;
                group_of[row] = ALONE; // until it is found in a group
                open[open_count] = row as u32;
                open_count += usize::from(company);
                places[(before as usize).min(shorter.count)] += u32::from(company);
            }
        }
        places.pop();
        let mut sum = 0;
        for place in &mut *places {
            sum += *place;
            *place = sum - *place;
        }
        order.resize(open_count, 0);
        for &row in &open[..open_count] {
            let place = &mut places[shorter.group_of[row as usize - 1] as usize];
            order[*place as usize] = row;
            *place += 1;
        }
    }
}
