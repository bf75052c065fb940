//! Hierarchy of groups: its levels, the contexts that are compared there, and the groups of a whole batch by number.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::groups::grouping::{Groups, Membership, levels};
use crate::rollout::{Step, Trajectory};

/// Level k of the hierarchy: how many earlier states a context holds, from 0.
///
/// The reference code counts from 1; its level is this one plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Level(pub usize);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// C_k(s_t) = (s_{t−k}, …, s_t): states only, oldest first. None if t < k, for there is no
/// padding, and if the trajectory has no step t.
///
/// ```
/// use hgpo_core::{context, Level, Step, Trajectory};
/// let walk = Trajectory::new("g", "t", ["hall", "kitchen", "hall"].map(|s| Step::new(s, 0.0)).into());
/// let states: Vec<_> = context(&walk, 2, Level(1)).unwrap().iter().map(|s| s.state.as_str()).collect();
/// assert_eq!(states, ["kitchen", "hall"]);
/// assert_eq!(context(&walk, 0, Level(1)), None);
/// ```
#[must_use]
pub fn context(trajectory: &Trajectory, step: usize, level: Level) -> Option<&[Step]> {
    let first = step.checked_sub(level.0)?;
    trajectory.steps.get(first..=step)
}

/// Steps of one task with equal contexts, at every level 0..=K, for a whole batch.
///
/// Groups are numbered through the batch, in order of first appearance; step t has the levels
/// 0..=min(K, t).
///
/// ```
/// use hgpo_core::{Batch, Hierarchy, Level, Step, Trajectory};
/// let walk = |name, states: [&str; 2]| {
///     Trajectory::new("g", name, states.map(|state| Step::new(state, 0.0)).into())
/// };
/// let batch = Batch::new(vec![walk("a", ["x", "s"]), walk("b", ["y", "s"])])?;
/// let groups = Hierarchy::new(&batch, 1);
/// // Rows 1 and 3 are in state s; only at level 1 do their pasts x and y part them.
/// assert_eq!(groups.group(Level(0), 1), groups.group(Level(0), 3));
/// assert_ne!(groups.group(Level(1), 1), groups.group(Level(1), 3));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hierarchy {
    levels: Vec<Numbers>,
}

/// The group of every row of one level.
#[derive(Debug, Clone)]
struct Numbers {
    group_of: Vec<Option<usize>>,
    count: usize,
}

impl Hierarchy {
    /// Groups for contexts of up to `context_length` earlier states.
    ///
    /// Levels that no trajectory is long enough for are not stored.
    #[must_use]
    pub fn new(batch: &Batch, context_length: usize) -> Self {
        let cohort = Cohort::whole(batch);
        let levels = levels(&cohort, context_length);
        Self {
            levels: levels.iter().map(|groups| Numbers::new(groups, cohort.rows.len())).collect(),
        }
    }

    /// Number of groups at a level.
    #[must_use]
    pub fn group_count(&self, level: Level) -> usize {
        self.levels.get(level.0).map_or(0, |numbers| numbers.count)
    }

    /// Group of a row at a level; none if the step has no such context.
    #[must_use]
    pub fn group(&self, level: Level, row: usize) -> Option<usize> {
        *self.levels.get(level.0)?.group_of.get(row)?
    }

    /// Rows of a group, in input order.
    pub fn members(&self, level: Level, group: usize) -> impl Iterator<Item = usize> + '_ {
        let rows = self.levels.get(level.0).into_iter().flat_map(|numbers| &numbers.group_of);
        rows.enumerate().filter(move |&(_, of)| *of == Some(group)).map(|(row, _)| row)
    }

    /// Levels that at least one step has.
    pub fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        (0..self.levels.len()).map(Level)
    }
}

impl Numbers {
    /// Numbers for those who are alone, too.
    fn new(groups: &Groups, rows: usize) -> Self {
        let mut known = vec![None; groups.count()];
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let number = |row| match groups.of(row) {
            Membership::Missing => None,
            Membership::Alone => Some(next()),
            Membership::Group(group) => Some(*known[group].get_or_insert_with(&mut next)),
        };
        let group_of = (0..rows).map(number).collect();
        Self { group_of, count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(walks: &[(&str, &str)]) -> Batch {
        let trajectory = |(index, (task, states)): (usize, &(&str, &str))| {
            let steps = states.chars().map(|state| Step::new(state, 0.0)).collect();
            Trajectory::new(*task, index.to_string(), steps)
        };
        Batch::new(walks.iter().enumerate().map(trajectory).collect()).expect("valid")
    }

    #[test]
    fn contexts_split_level_by_level() {
        // The overview figure: all reach c; from b three of them; from a, b two of them.
        let batch = batch(&[("g", "abc"), ("g", "abc"), ("g", "adbc"), ("g", "aec")]);
        let groups = Hierarchy::new(&batch, 2);
        let sizes = |row| {
            let size =
                |level| groups.members(level, groups.group(level, row).expect("group")).count();
            [size(Level(0)), size(Level(1)), size(Level(2))]
        };
        assert_eq!(sizes(2), [4, 3, 2]); // abc
        assert_eq!(sizes(9), [4, 3, 1]); // adbc
        assert_eq!(sizes(12), [4, 1, 1]); // aec
        assert_eq!(groups.group(Level(1), 0), None);
        assert_eq!(groups.group(Level(2), 1), None);
    }

    #[test]
    fn tasks_never_mix_and_visits_of_one_trajectory_do() {
        let groups = Hierarchy::new(&batch(&[("g", "aaa"), ("h", "a")]), 1);
        assert_eq!(groups.members(Level(0), 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(groups.members(Level(1), 0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(groups.group_count(Level(0)), 2);
    }

    #[test]
    fn no_level_beyond_the_longest_trajectory() {
        let groups = Hierarchy::new(&batch(&[("g", "ab")]), usize::MAX);
        assert_eq!(groups.levels().collect::<Vec<_>>(), [Level(0), Level(1)]);
        assert_eq!((groups.group_count(Level(7)), groups.group(Level(7), 0)), (0, None));
    }
}
