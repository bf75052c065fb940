//! Groups of steps: the hierarchy G_0 ⊇ G_1 ⊇ … ⊇ G_K of equal contexts, and the tasks.

use std::collections::HashMap;

use crate::choice::choice;
use crate::context::Level;
use crate::rollout::Batch;

/// Group number of rows that have no context at a level.
const NO_GROUP: u32 = u32::MAX;

/// One level: which group each row belongs to.
#[derive(Debug, Clone)]
struct LevelGroups {
    group_of: Vec<u32>,
    groups: usize,
}

/// Steps of one task with equal contexts, at every level 0..=K.
///
/// Level 0 groups equal states; the key of step t at level k is the pair of the group of step
/// t − 1 at level k − 1 and the state of step t, so a level costs one pass and no text is compared
/// twice. Groups are numbered in order of first appearance. Step t has the levels 0..=min(K, t).
#[derive(Debug, Clone)]
pub struct Hierarchy {
    levels: Vec<LevelGroups>,
}

impl Hierarchy {
    /// Groups for contexts of up to `context_length` earlier states.
    ///
    /// Levels that no trajectory is long enough for are not stored.
    #[must_use]
    pub fn new(batch: &Batch, context_length: usize) -> Self {
        let group_of = batch.states().iter().map(|state| state.0).collect();
        let mut levels = vec![LevelGroups { group_of, groups: batch.state_count() }];
        let longest = batch.rows().map(|rows| rows.len()).max().unwrap_or(0);
        for level in 1..=context_length.min(longest.saturating_sub(1)) {
            levels.push(refine(batch, &levels[level - 1], level));
        }
        Self { levels }
    }

    /// Number of groups at a level.
    #[must_use]
    pub fn group_count(&self, level: Level) -> usize {
        self.levels.get(level.0).map_or(0, |groups| groups.groups)
    }

    /// Group of a row at a level; none where the step has no such context.
    #[must_use]
    pub fn group(&self, level: Level, row: usize) -> Option<usize> {
        let group = *self.levels.get(level.0)?.group_of.get(row)?;
        (group != NO_GROUP).then_some(group as usize)
    }

    /// Levels that at least one step has.
    pub fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        (0..self.levels.len()).map(Level)
    }

    /// Group of every row at a level.
    pub(crate) fn groups(&self, level: Level) -> impl Iterator<Item = Option<usize>> + Clone + '_ {
        let of_row = |&group: &u32| (group != NO_GROUP).then_some(group as usize);
        self.levels[level.0].group_of.iter().map(of_row)
    }

    /// Rows of a group, in input order.
    pub(crate) fn members(&self, level: Level, group: usize) -> impl Iterator<Item = usize> + '_ {
        self.groups(level)
            .enumerate()
            .filter(move |&(_, of_row)| of_row == Some(group))
            .map(|(row, _)| row)
    }
}

fn refine(batch: &Batch, shorter: &LevelGroups, level: usize) -> LevelGroups {
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
    let mut group_of = vec![NO_GROUP; batch.step_count()];
    for rows in batch.rows() {
        for row in rows.skip(level) {
            let key = (shorter.group_of[row - 1], batch.states()[row].0);
            let next = numbers.len() as u32;
            group_of[row] = *numbers.entry(key).or_insert(next);
        }
    }
    LevelGroups { group_of, groups: numbers.len() }
}

choice! {
    /// Which rows the statistics of an episode group are taken over.
    pub enum EpisodeStatistics ("episode-statistics") {
        /// All step rows of the task: the reference code's default. Long episodes count more.
        #[default]
        Steps => "steps",
        /// One row a trajectory, its first.
        Trajectories => "trajectories",
    }
}

impl EpisodeStatistics {
    /// Whether a row takes part, given its step.
    pub(crate) fn counts(self, step: usize) -> bool {
        self == Self::Steps || step == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{Step, Trajectory};

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
