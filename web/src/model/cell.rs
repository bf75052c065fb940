//! Where a step stands among a task's attempts, and how the arrow keys move between steps.

use std::rc::Rc;

/// A step of a task: a row, which is an attempt, and a step of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    /// Position of the trajectory among the task's trajectories.
    pub(crate) row: usize,
    /// Position of the step in its trajectory.
    pub(crate) step: usize,
}

/// Steps that are marked together, as what they have in common is pointed at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    /// The steps, in the order of the stage.
    pub(crate) cells: Rc<[Cell]>,
    /// What is pointed at, as the view numbers it.
    pub(crate) by: usize,
}

impl Cell {
    /// The step that a key leads to, named as browsers name keys, `control` if Ctrl is held; given the
    /// length of every row and how many rows a page has. At an edge it stays.
    ///
    /// Moving to a shorter trajectory leads to its last step.
    pub(crate) fn moved(
        self,
        (key, control): (&str, bool),
        lengths: &[usize],
        page: usize,
    ) -> Option<Self> {
        let last = |row: usize| lengths.get(row).map_or(0, |length| length.saturating_sub(1));
        let bottom = lengths.len().saturating_sub(1);
        let Self { row, step } = self;
        let (row, step) = match (key, control) {
            ("Home", true) => (0, 0),
            ("End", true) => (bottom, usize::MAX),
            (_, true) => return None,
            ("ArrowLeft", _) => (row, step.saturating_sub(1)),
            ("ArrowRight", _) => (row, step + 1),
            ("ArrowUp", _) => (row.saturating_sub(1), step),
            ("ArrowDown", _) => ((row + 1).min(bottom), step),
            ("Home", _) => (row, 0),
            ("End", _) => (row, usize::MAX),
            ("PageUp", _) => (row.saturating_sub(page), step),
            ("PageDown", _) => ((row + page).min(bottom), step),
            _ => return None,
        };
        Some(Self { row, step: step.min(last(row)) })
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    /// From a start along some keys, in a task whose trajectories have 3, 1 and 2 steps.
    fn walk(start: (usize, usize), keys: &[&str]) -> (usize, usize) {
        let start = Cell { row: start.0, step: start.1 };
        let end = keys.iter().fold(start, |cell, key| {
            let plain = key.strip_prefix("Ctrl+");
            let press = (plain.unwrap_or(key), plain.is_some());
            cell.moved(press, &[3, 1, 2], 2).unwrap_or(cell)
        });
        (end.row, end.step)
    }

    #[test]
    fn arrows_move_and_stop_at_the_edges() {
        assert_eq!(walk((0, 0), &["ArrowRight", "ArrowRight", "ArrowRight"]), (0, 2));
        assert_eq!(walk((0, 1), &["ArrowLeft", "ArrowLeft", "ArrowUp"]), (0, 0));
        assert_eq!(walk((2, 0), &["ArrowDown", "End"]), (2, 1));
        assert_eq!(walk((2, 1), &["Home", "x"]), (2, 0));
    }

    #[test]
    fn pages_and_corners_are_one_press_away() {
        assert_eq!(walk((0, 1), &["PageDown"]), (2, 1));
        assert_eq!(walk((1, 0), &["PageDown"]), (2, 0));
        assert_eq!(walk((2, 1), &["PageUp"]), (0, 1));
        assert_eq!(walk((0, 2), &["Ctrl+End"]), (2, 1));
        assert_eq!(walk((2, 1), &["Ctrl+Home"]), (0, 0));
        assert_eq!(walk((0, 0), &["Ctrl+ArrowRight"]), (0, 0), "left to the browser");
    }

    #[test]
    fn a_shorter_trajectory_is_entered_at_its_last_step() {
        assert_eq!(walk((0, 2), &["ArrowDown"]), (1, 0));
        assert_eq!(walk((0, 2), &["ArrowDown", "ArrowDown"]), (2, 0));
    }
}
