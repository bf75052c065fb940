//! Long sums made short: equal neighbours together, the middle left out.

use super::Cell;
use std::ops::Range;

/// Members of one attempt that stand side by side with one value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// The first of them.
    pub(crate) first: Cell,
    /// The last of them.
    pub(crate) last: Cell,
    /// How many they are.
    pub(crate) count: usize,
    /// What each of them adds.
    pub(crate) value: f64,
}

impl Run {
    /// Whether a step is one of them, or stands between them.
    pub(crate) fn holds(&self, cell: Cell) -> bool {
        cell.row == self.first.row && (self.first.step..=self.last.step).contains(&cell.step)
    }
}

/// Members in their order, equal neighbours of an attempt taken together.
pub(crate) fn runs(members: &[(Cell, f64)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &(cell, value) in members {
        match runs.last_mut() {
            Some(run) if run.first.row == cell.row && run.value.to_bits() == value.to_bits() => {
                run.last = cell;
                run.count += 1;
            }
            _ => runs.push(Run { first: cell, last: cell, count: 1, value }),
        }
    }
    runs
}

/// The places of a sum of `length` that are left out so that at most `most` stay, two of them at the
/// end; none where all have room.
pub(crate) fn middle(length: usize, most: usize) -> Range<usize> {
    if length <= most { length..length } else { most - 2..length - 2 }
}

/// Which rewards of a sum are written: all where they are few, else the first, the last and up to six
/// that are not 0.
pub(crate) fn telling(rewards: &[f64]) -> Vec<usize> {
    const FEW: usize = 6;
    let last = rewards.len() - 1;
    let counts: Vec<usize> = (0..=last).filter(|place| rewards[*place] != 0.0).collect();
    let left_out = middle(counts.len(), FEW);
    let within = |place: usize| {
        let rank = counts.binary_search(&place);
        place == 0 || place == last || rank.is_ok_and(|rank| !left_out.contains(&rank))
    };
    (0..=last).filter(|place| rewards.len() <= FEW || within(*place)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cell, middle, runs, telling};

    #[test]
    fn equal_neighbours_of_an_attempt_are_one_addend() {
        let cell = |row, step| Cell { row, step };
        let members = [
            (cell(0, 0), 10.0),
            (cell(0, 1), 10.0),
            (cell(0, 2), 9.9),
            (cell(1, 0), 9.9),
            (cell(1, 4), 9.9),
        ];
        let runs = runs(&members);
        let brief: Vec<_> = runs.iter().map(|run| (run.first.row, run.count, run.value)).collect();
        assert_eq!(brief, [(0, 2, 10.0), (0, 1, 9.9), (1, 2, 9.9)]);
        assert!(runs[2].holds(cell(1, 4)) && !runs[2].holds(cell(0, 0)));
    }

    #[test]
    fn the_middle_of_a_long_sum_is_left_out() {
        assert_eq!(middle(8, 8), 8..8);
        assert_eq!(middle(9, 8), 6..7);
        assert_eq!(middle(100, 8), 6..98);
    }

    #[test]
    fn rewards_of_zero_are_left_out_first() {
        assert_eq!(telling(&[0.0, 1.0, 0.0]), [0, 1, 2]);
        let mut rewards = vec![0.0; 50];
        (rewards[20], rewards[49]) = (1.0, 10.0);
        assert_eq!(telling(&rewards), [0, 20, 49]);
        // 0 and 19 are the ends; of 20 rewards the first four and the last two are told.
        assert_eq!(telling(&[1.0; 20]), [0, 1, 2, 3, 18, 19]);
    }
}
