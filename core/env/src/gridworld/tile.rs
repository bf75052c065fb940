//! Tile: what is in a cell.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_a_map_is_read_back_and_no_other_is() {
        let read: String = ('\0'..=char::MAX).filter(|&it| Tile::read(it).is_some()).collect();
        assert_eq!(read, "#.DGKSabcdefghijklmnopqrstuvwxyz~");
        assert!(read.chars().all(|it| Tile::read(it).map(Tile::character) == Some(it)));
    }
}
