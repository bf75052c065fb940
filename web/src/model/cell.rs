//! Where a step stands among a task's attempts, and how the arrow keys move between steps.

/// A step of a task: a row, which is an attempt, and a step of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Position of the trajectory among the task's trajectories.
    pub(crate) row: usize,
    /// Position of the step in its trajectory.
    pub(crate) step: usize,
}

/// One press of a key that moves between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// To the step before.
    Left,
    /// To the next step.
    Right,
    /// To the trajectory above.
    Up,
    /// To the trajectory below.
    Down,
    /// To the first step of the trajectory.
    Start,
    /// To the last step of the trajectory.
    End,
    /// Up by as many trajectories as are in sight.
    PageUp,
    /// Down by as many trajectories as are in sight.
    PageDown,
    /// To the first step of all.
    First,
    /// To the last step of all.
    Last,
}

impl Move {
    /// The move that a key stands for, named as browsers name keys; `control` if Ctrl is held.
    pub(crate) fn of_key(key: &str, control: bool) -> Option<Self> {
        Some(match (key, control) {
            ("Home", true) => Self::First,
            ("End", true) => Self::Last,
            (_, true) => return None,
            ("ArrowLeft", _) => Self::Left,
            ("ArrowRight", _) => Self::Right,
            ("ArrowUp", _) => Self::Up,
            ("ArrowDown", _) => Self::Down,
            ("Home", _) => Self::Start,
            ("End", _) => Self::End,
            ("PageUp", _) => Self::PageUp,
            ("PageDown", _) => Self::PageDown,
            _ => return None,
        })
    }
}

impl Cell {
    /// The step that a move leads to, given the length of every row and how many rows a page has;
    /// at an edge it stays.
    ///
    /// Moving to a shorter trajectory leads to its last step.
    pub(crate) fn moved(self, by: Move, lengths: &[usize], page: usize) -> Self {
        let last = |row: usize| lengths.get(row).map_or(0, |length| length.saturating_sub(1));
        let bottom = lengths.len().saturating_sub(1);
        let Self { row, step } = self;
        let (row, step) = match by {
            Move::Left => (row, step.saturating_sub(1)),
            Move::Right => (row, step + 1),
            Move::Up => (row.saturating_sub(1), step),
            Move::Down => ((row + 1).min(bottom), step),
            Move::Start => (row, 0),
            Move::End => (row, usize::MAX),
            Move::PageUp => (row.saturating_sub(page), step),
            Move::PageDown => ((row + page).min(bottom), step),
            Move::First => (0, 0),
            Move::Last => (bottom, usize::MAX),
        };
        Self { row, step: step.min(last(row)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Move};

    /// From a start along some keys, in a task whose trajectories have 3, 1 and 2 steps.
    fn walk(start: (usize, usize), keys: &[&str]) -> (usize, usize) {
        let start = Cell { row: start.0, step: start.1 };
        let end = keys
            .iter()
            .filter_map(|key| {
                let plain = key.strip_prefix("Ctrl+");
                Move::of_key(plain.unwrap_or(key), plain.is_some())
            })
            .fold(start, |cell, by| cell.moved(by, &[3, 1, 2], 2));
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
