//! Where the groups of the chosen step part: who leaves from level to level, and from where they came.

use super::{Cell, Explained, Group, Task};
use std::cmp::Reverse;

/// What tells the members that leave from the chosen step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// They had another state, that of this step.
    State(Cell),
    /// Their trajectory had begun later.
    Start,
    /// Their past is summarised otherwise.
    Summary,
}

/// The members of a level that are not in the next group.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Split {
    /// How many there are.
    pub(crate) leaving: usize,
    /// Where they came from, and how many from there; the most first.
    pub(crate) origins: Vec<(Origin, usize)>,
}

/// Who leaves between one level and the next: an entry less than there are levels.
pub(crate) fn splits(task: &Task, explained: &Explained) -> Vec<Split> {
    explained.levels.windows(2).map(|pair| split(task, explained, &pair[0], &pair[1])).collect()
}

fn split(task: &Task, explained: &Explained, outer: &Group, inner: &Group) -> Split {
    // Both lists are in the order of the stage, so one pass tells which members stay.
    let mut staying = inner.members.iter().map(|(cell, _)| *cell).peekable();
    let mut split = Split { leaving: 0, origins: Vec::new() };
    // Where every state stands among the origins; the last place is for what is no state.
    let states = task.states.iter().map(|state| state.number + 1).max().unwrap_or(0);
    let mut place_of = vec![None; states + 1];
    let leaving = outer.members.iter().map(|(cell, _)| *cell);
    for cell in leaving.filter(|cell| staying.next_if_eq(cell).is_none()) {
        let (number, origin) = match explained.past(task, cell).nth(inner.level - 1) {
            _ if explained.pasts.are_summaries() => (states, Origin::Summary),
            Some(cell) => (task.state(cell).number, Origin::State(cell)),
            None => (states, Origin::Start),
        };
        let place = *place_of[number].get_or_insert_with(|| {
            split.origins.push((origin, 0));
            split.origins.len() - 1
        });
        split.origins[place].1 += 1;
        split.leaving += 1;
    }
    split.origins.sort_by_key(|(_, count)| Reverse(*count));
    split
}

#[cfg(test)]
mod tests {
    use super::{Origin, splits};
    use crate::model::{Cell, Controls, Explained, Rollouts};
    use hgpo_core::{Step, Trajectory};

    /// Where the groups of the last step of the first of some trajectories part.
    fn parts(walks: &[&str]) -> Vec<(usize, Vec<(Origin, usize)>)> {
        let steps = |walk: &str| walk.chars().map(|state| Step::new(state, 0.0)).collect();
        let rows = walks.iter().enumerate();
        let rows = rows.map(|(row, walk)| Trajectory::new("g", row.to_string(), steps(walk)));
        let rollouts = Rollouts::new(None, rows.collect()).expect("valid");
        let chosen = Cell { row: 0, step: walks[0].len() - 1 };
        let explained = Explained::new(&rollouts.tasks[0], chosen, &Controls::default());
        let splits = splits(&rollouts.tasks[0], &explained);
        splits.into_iter().map(|split| (split.leaving, split.origins)).collect()
    }

    const fn state(row: usize, step: usize) -> Origin {
        Origin::State(Cell { row, step })
    }

    #[test]
    fn who_leaves_is_told_by_the_state_that_differs() {
        // All are in d. One comes from e and not from c; of the others one has x before it, not b.
        assert_eq!(
            parts(&["abcd", "abcd", "xcd", "ed"]),
            [(1, vec![(state(3, 0), 1)]), (1, vec![(state(2, 0), 1)])]
        );
    }

    #[test]
    fn the_most_come_first_and_late_beginnings_count() {
        assert_eq!(
            parts(&["bd", "xd", "ed", "ed", "d"]),
            [(4, vec![(state(2, 0), 2), (state(1, 0), 1), (Origin::Start, 1)])]
        );
        assert_eq!(parts(&["bd", "bd"]), [(0, vec![])], "nobody leaves");
    }
}
