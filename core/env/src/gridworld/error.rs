//! Map errors.

use super::{Map, Position};

/// Why a map cannot be played. Lines and columns are counted from 1, here and in the sentences; places
/// from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// No cell at all.
    #[error("the map is empty; write at least a start (S) and a goal (G)")]
    Empty,
    /// Too few maps can be drawn for training and unseen tasks to have some each.
    #[error(
        "maps of this shape are too few for unseen tasks to have maps of their own; raise height, width or loops"
    )]
    TooFew,
    /// Too many lines.
    #[error("the map has more than {} lines; leave some out", Map::MOST)]
    TooHigh,
    /// Too many columns.
    #[error("line {line}: more than {} columns; leave some out", Map::MOST)]
    TooWide {
        /// The line.
        line: usize,
    },
    /// Lines of different lengths.
    #[error(
        "line {line}: {columns} columns, but line 1 has {first}; make all lines equally long, with # for walls"
    )]
    Unequal {
        /// The line.
        line: usize,
        /// Its length.
        columns: usize,
        /// The length of the first.
        first: usize,
    },
    /// A character that means nothing.
    #[error(
        "line {line}, column {column}: unknown character '{}'; use # (wall), . (floor), S (start), G (goal), K (key), D (door), ~ (cost) or a letter from a to z (label)",
        .character.escape_debug()
    )]
    Unknown {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The character.
        character: char,
    },
    /// A cell that is changed and does not exist.
    #[error("line {line}, column {column}: the map has {height} lines of {width} columns")]
    Outside {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// Lines of the map.
        height: usize,
        /// Columns of the map.
        width: usize,
    },
    /// Nowhere to begin.
    #[error("no start; put an S where episodes begin")]
    NoStart,
    /// Nothing to reach.
    #[error("no goal; put a G where episodes are won")]
    NoGoal,
    /// Walls, or doors without a key, between start and goal.
    #[error(
        "line {}, column {}: the goal cannot be reached from the start at line {}, column {}{}; open a way between them",
        .goal.row + 1, .goal.column + 1, .start.row + 1, .start.column + 1, with_key(*.key)
    )]
    Unreachable {
        /// The start.
        start: Position,
        /// The goal.
        goal: Position,
        /// The key of the task, if the map has one.
        key: Option<Position>,
    },
}

fn with_key(key: Option<Position>) -> String {
    let Some(Position { row, column }) = key else { return String::new() };
    format!(" with the key at line {}, column {}", row + 1, column + 1)
}
