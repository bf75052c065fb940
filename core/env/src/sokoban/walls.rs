//! Walls, floor and targets: what does not move.

use super::RoomError;
use crate::direction::Direction;

/// A place that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing can be there.
    Wall,
    /// Player or box can be there.
    Floor,
    /// Floor that a box is wanted on.
    Target,
}

/// The cells of a room, line by line; all cells at its edge are walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    width: usize,
    cells: Vec<Cell>,
}

impl Walls {
    /// Most lines, and most columns: numbers of cells have nine bits in a [`super::SokobanState`]'s name.
    pub const MOST: usize = 20;

    /// The cells of a room, line by line.
    ///
    /// # Errors
    /// If the lines are too short or too long, too many, or not closed by walls.
    pub fn new(width: usize, cells: Vec<Cell>) -> Result<Self, RoomError> {
        let sides = 3..=Self::MOST;
        let height = cells.len().checked_div(width).unwrap_or(0);
        if !sides.contains(&width) || !sides.contains(&height) || cells.len() != width * height {
            return Err(RoomError::Size { cells: cells.len(), width });
        }
        let edge = |at: &usize| {
            let (line, column) = (at / width, at % width);
            line == 0 || line == height - 1 || column == 0 || column == width - 1
        };
        match (0..cells.len()).filter(edge).find(|&at| cells[at] != Cell::Wall) {
            Some(at) => Err(RoomError::Open { line: at / width, column: at % width }),
            None => Ok(Self { width, cells }),
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// All cells, line by line.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether player or box can be at a cell.
    #[must_use]
    pub fn is_free(&self, at: u16) -> bool {
        self.cells.get(usize::from(at)).is_some_and(|&cell| cell != Cell::Wall)
    }

    /// Whether a cell is a target.
    #[must_use]
    pub fn is_target(&self, at: u16) -> bool {
        self.cells.get(usize::from(at)) == Some(&Cell::Target)
    }

    /// The targets, in the order of cells.
    pub fn targets(&self) -> impl Iterator<Item = u16> {
        (0..self.cells.len() as u16).filter(|&at| self.is_target(at))
    }

    /// The cell beside another. From a cell within the walls there is one on every side.
    #[must_use]
    pub fn beside(&self, at: u16, direction: Direction) -> u16 {
        let width = self.width as u16;
        match direction {
            Direction::Up => at.wrapping_sub(width),
            Direction::Down => at.wrapping_add(width),
            Direction::Left => at.wrapping_sub(1),
            Direction::Right => at.wrapping_add(1),
        }
    }

    /// Lines and columns between two cells, added.
    #[must_use]
    pub fn distance(&self, one: u16, other: u16) -> usize {
        let (one, other) = (usize::from(one), usize::from(other));
        (one / self.width).abs_diff(other / self.width)
            + (one % self.width).abs_diff(other % self.width)
    }
}
