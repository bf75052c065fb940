//! Maps: rectangles of tiles, read from text.

use std::fmt::{self, Display, Formatter, Write as _};
use std::str::FromStr;

use super::{Direction, MapError, Position, Tile, reachability};

/// A map that can be played: it has starts and goals, and from every start every goal can be reached,
/// whichever key a task has.
///
/// ```
/// use hgpo_env::gridworld::{Map, Position, Tile};
///
/// let map = Map::parse("S.#\n#.G")?;
/// assert_eq!((map.height(), map.width()), (2, 3));
/// assert_eq!(map.tile(Position { row: 1, column: 2 }), Tile::Goal);
/// assert_eq!(map.to_string(), "S.#\n#.G");
/// let wall = map.with(Position { row: 1, column: 1 }, Tile::Wall).unwrap_err();
/// assert!(wall.to_string().contains("cannot be reached from the start at line 1, column 1"));
/// # Ok::<(), hgpo_env::gridworld::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    width: usize,
    /// Line by line.
    tiles: Vec<Tile>,
}

impl Map {
    /// Most lines, and most columns.
    pub const MOST: usize = 24;

    /// Reads a map: lines of equal length, one character a cell (see [`Tile`]). Empty lines before the
    /// first and after the last are ignored.
    ///
    /// # Errors
    /// Says which line and column is wrong, or what is missing, and what to do.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let text = text.trim_matches(['\r', '\n']);
        let mut tiles = Vec::new();
        let mut width = 0;
        for (row, line) in text.lines().enumerate() {
            if row == Self::MOST {
                return Err(MapError::TooHigh);
            }
            let before = tiles.len();
            read_line(row + 1, line, &mut tiles)?;
            let columns = tiles.len() - before;
            if row == 0 {
                width = columns;
            } else if columns != width {
                return Err(MapError::Unequal { line: row + 1, columns, first: width });
            }
        }
        Self { width, tiles }.checked()
    }

    /// A rectangle of tiles, line by line.
    ///
    /// # Errors
    /// As those of [`Map::parse`].
    pub(super) fn of(width: usize, tiles: Vec<Tile>) -> Result<Self, MapError> {
        Self { width, tiles }.checked()
    }

    fn checked(self) -> Result<Self, MapError> {
        if self.tiles.is_empty() {
            return Err(MapError::Empty);
        }
        reachability::check(&self)?;
        Ok(self)
    }

    /// Its lines.
    #[must_use]
    pub fn height(&self) -> usize {
        self.tiles.len() / self.width
    }

    /// Its columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// What is in a cell; a wall beyond the edge.
    #[must_use]
    pub fn tile(&self, place: Position) -> Tile {
        self.index(place).map_or(Tile::Wall, |index| self.tiles[index])
    }

    /// What is seen in this direction: a wall beyond the edge.
    #[must_use]
    pub fn beside(&self, place: Position, direction: Direction) -> Tile {
        place.towards(direction).map_or(Tile::Wall, |next| self.tile(next))
    }

    /// The map with another tile in a cell.
    ///
    /// # Errors
    /// If there is no such cell, the tile is a label that is not a letter from `a` to `z`, or the map
    /// could not be played any more.
    pub fn with(&self, place: Position, tile: Tile) -> Result<Self, MapError> {
        let (line, column) = (place.row.saturating_add(1), place.column.saturating_add(1));
        let (height, width) = (self.height(), self.width);
        let outside = MapError::Outside { line, column, height, width };
        let index = self.index(place).ok_or(outside)?;
        let character = tile.character();
        if Tile::read(character) != Some(tile) {
            return Err(MapError::Unknown { line, column, character });
        }
        let mut changed = self.clone();
        changed.tiles[index] = tile;
        changed.checked()
    }

    /// Every cell, line by line.
    pub fn places(&self) -> impl Iterator<Item = Position> + use<> {
        let width = self.width;
        (0..self.tiles.len())
            .map(move |index| Position { row: index / width, column: index % width })
    }

    /// The cells with this tile, line by line.
    pub fn all(&self, tile: Tile) -> impl Iterator<Item = Position> {
        self.places().filter(move |&place| self.tile(place) == tile)
    }

    /// The number of a cell, line by line.
    pub(super) fn index(&self, Position { row, column }: Position) -> Option<usize> {
        (row < self.height() && column < self.width).then(|| row * self.width + column)
    }

    /// The cell of a number.
    pub(super) fn place(&self, index: usize) -> Position {
        Position { row: index / self.width, column: index % self.width }
    }

    /// How many cells.
    pub(super) fn size(&self) -> usize {
        self.tiles.len()
    }
}

/// Reads no more of a line than a map can have.
fn read_line(line: usize, text: &str, tiles: &mut Vec<Tile>) -> Result<(), MapError> {
    for (column, character) in text.chars().enumerate() {
        if column == Map::MOST {
            return Err(MapError::TooWide { line });
        }
        let unknown = MapError::Unknown { line, column: column + 1, character };
        tiles.push(Tile::read(character).ok_or(unknown)?);
    }
    Ok(())
}

/// The text that [`Map::parse`] reads, without an end of the last line.
impl Display for Map {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (row, line) in self.tiles.chunks(self.width).enumerate() {
            if row > 0 {
                out.write_char('\n')?;
            }
            line.iter().try_for_each(|tile| out.write_char(tile.character()))?;
        }
        Ok(())
    }
}

impl FromStr for Map {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        Self::parse(text)
    }
}
