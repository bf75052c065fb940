//! Directions of moves on a board of cells.

/// A way to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the line above.
    Up,
    /// To the line below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

impl Direction {
    /// Every direction, in the order in which actions are listed, and of gym_sokoban's numbers 1 to 4.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The text of the action, and the word in what is seen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The direction that an action names; white space around it is ignored.
    #[must_use]
    pub fn named(action: &str) -> Option<Self> {
        let action = action.trim();
        Self::ALL.into_iter().find(|direction| direction.name() == action)
    }

    /// The two directions at right angles, where a slip leads.
    #[must_use]
    pub fn sides(self) -> [Self; 2] {
        match self {
            Self::Up | Self::Down => [Self::Left, Self::Right],
            Self::Left | Self::Right => [Self::Up, Self::Down],
        }
    }
}
