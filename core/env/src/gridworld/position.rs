//! Position on a map.

use crate::direction::Direction;

/// A cell of a map, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line that it is on, from the top.
    pub row: usize,
    /// Where in the line, from the left.
    pub column: usize,
}

impl Position {
    /// The cell one step away; `None` above the first line and before the first column.
    #[must_use]
    pub fn towards(self, direction: Direction) -> Option<Self> {
        let Self { row, column } = self;
        Some(match direction {
            Direction::Up => Self { row: row.checked_sub(1)?, column },
            Direction::Down => Self { row: row.checked_add(1)?, column },
            Direction::Left => Self { row, column: column.checked_sub(1)? },
            Direction::Right => Self { row, column: column.checked_add(1)? },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_neighbours_and_not_off_the_first_line_or_column() {
        let corner = Position { row: 0, column: 0 };
        let next = Direction::ALL.map(|direction| corner.towards(direction));
        let [below, beside] = [Position { row: 1, column: 0 }, Position { row: 0, column: 1 }];
        assert_eq!(next, [None, Some(below), None, Some(beside)]);
        let last = Position { row: usize::MAX, column: usize::MAX };
        assert_eq!([Direction::Down, Direction::Right].map(|it| last.towards(it)), [None, None]);
    }

    #[test]
    fn actions_are_read_by_their_names() {
        for direction in Direction::ALL {
            assert_eq!(Direction::named(&format!(" {}\n", direction.name())), Some(direction));
            let both = direction.sides();
            assert!(both.iter().all(|side| side.sides().contains(&direction)), "{direction:?}");
        }
        assert_eq!(["", "Up", "north", "up down"].map(Direction::named), [None; 4]);
    }
}
