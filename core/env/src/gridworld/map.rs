//! Maps: rectangles of tiles, read from text; what is in a cell, and where it is.

use std::fmt::{self, Display, Formatter};

use super::{Direction, MapError, reachability};

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
            let (before, number) = (tiles.len(), row + 1);
            // No more of a line is read than a map can have.
            for (column, character) in line.chars().enumerate() {
                if column == Self::MOST {
                    return Err(MapError::TooWide { line: number });
                }
                let unknown = MapError::Unknown { line: number, column: column + 1, character };
                tiles.push(Tile::read(character).ok_or(unknown)?);
            }
            let columns = tiles.len() - before;
            if row == 0 {
                width = columns;
            } else if columns != width {
                return Err(MapError::Unequal { line: number, columns, first: width });
            }
        }
        Self::of(width, tiles)
    }

    /// A rectangle of tiles, line by line.
    ///
    /// # Errors
    /// As those of [`Map::parse`].
    pub(super) fn of(width: usize, tiles: Vec<Tile>) -> Result<Self, MapError> {
        if tiles.is_empty() {
            return Err(MapError::Empty);
        }
        let map = Self { width, tiles };
        reachability::check(&map)?;
        Ok(map)
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
        let mut tiles = self.tiles.clone();
        tiles[index] = tile;
        Self::of(width, tiles)
    }

    /// Every cell, line by line.
    pub fn places(&self) -> impl Iterator<Item = Position> {
        (0..self.size()).map(|index| self.place(index))
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

/// The text that [`Map::parse`] reads, without an end of the last line.
impl Display for Map {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let line = |tiles: &[Tile]| tiles.iter().map(|tile| tile.character()).collect::<String>();
        let lines: Vec<String> = self.tiles.chunks(self.width).map(line).collect();
        out.write_str(&lines.join("\n"))
    }
}

/// What is in a cell of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    /// Nothing: `.`.
    Floor,
    /// A wall, `#`; so is everything beyond the edge.
    Wall,
    /// Where episodes begin, `S`; floor in the tasks that begin elsewhere.
    Start,
    /// What is to be reached, `G`; floor in the tasks that ask for another one.
    Goal,
    /// A key, `K`, which cannot be seen; floor in the tasks that have another one.
    Key,
    /// A door, `D`: a wall to who has no key, floor to who has one.
    Door,
    /// Floor that costs something to enter, `~`; it cannot be seen.
    Cost,
    /// Floor with a letter from `a` to `z` on it.
    Label(char),
}

impl Tile {
    /// Every tile that is no label.
    const PLAIN: [Self; 7] =
        [Self::Floor, Self::Wall, Self::Start, Self::Goal, Self::Key, Self::Door, Self::Cost];

    /// How maps write it.
    #[must_use]
    pub fn character(self) -> char {
        match self {
            Self::Floor => '.',
            Self::Wall => '#',
            Self::Start => 'S',
            Self::Goal => 'G',
            Self::Key => 'K',
            Self::Door => 'D',
            Self::Cost => '~',
            Self::Label(letter) => letter,
        }
    }

    /// The tile that a character of a map writes.
    #[must_use]
    pub fn read(character: char) -> Option<Self> {
        let plain = Self::PLAIN.into_iter().find(|tile| tile.character() == character);
        plain.or_else(|| character.is_ascii_lowercase().then_some(Self::Label(character)))
    }
}

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
    fn every_character_of_a_map_is_read_back_and_no_other_is() {
        let read: String = ('\0'..=char::MAX).filter(|&it| Tile::read(it).is_some()).collect();
        assert_eq!(read, "#.DGKSabcdefghijklmnopqrstuvwxyz~");
        assert!(read.chars().all(|it| Tile::read(it).map(Tile::character) == Some(it)));
    }

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
