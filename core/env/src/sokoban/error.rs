//! Room errors.

use super::Walls;

/// Why there is no such room. Lines and columns are counted from 1 in the sentences, and from 0 here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// Lines of unequal length, too few or too many.
    #[error(
        "{cells} cells in lines of {width}: a room has 3 to {} lines of 3 to {} columns",
        Walls::MOST,
        Walls::MOST
    )]
    Size {
        /// All cells.
        cells: usize,
        /// Cells of a line.
        width: usize,
    },
    /// A way out.
    #[error("line {}, column {}: no wall at the edge; close the room with walls", .line + 1, .column + 1)]
    Open {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// Too few boxes or too many.
    #[error(
        "{boxes} boxes for {targets} targets; a room has as many of both, 1 to {}",
        super::MOST_BOXES
    )]
    Boxes {
        /// How many boxes.
        boxes: usize,
        /// How many targets.
        targets: usize,
    },
    /// Things in a wall or in each other.
    #[error("line {}, column {}: {what} where there is no room; put it on floor of its own", .line + 1, .column + 1)]
    Blocked {
        /// The player or a box.
        what: &'static str,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// Settings that rooms are not made of.
    #[error(
        "no room of {height} lines, {width} columns and {boxes} boxes came out of {tries} tries with the seed {seed}; ask for fewer boxes or a larger room"
    )]
    Hopeless {
        /// Lines.
        height: usize,
        /// Columns.
        width: usize,
        /// Boxes.
        boxes: usize,
        /// Seeds tried.
        tries: usize,
        /// The first of them.
        seed: u32,
    },
}

impl RoomError {
    /// Something where it cannot be.
    pub(super) fn blocked(what: &'static str, at: u16, ground: &Walls) -> Self {
        let at = usize::from(at);
        Self::Blocked { what, line: at / ground.width(), column: at % ground.width() }
    }
}
