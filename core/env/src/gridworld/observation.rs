//! Observation of an agent from its cell.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Direction, Map, Position, Tile};

/// How much is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObservationMode {
    /// Which sides are open, and doors.
    Walls,
    /// These, and the cell's label.
    #[default]
    Labels,
    /// The exact place, and whether the key is held: nothing looks alike.
    Place,
}

impl ObservationMode {
    /// Every sight, from the least that is seen to the most.
    pub const ALL: [Self; 3] = [Self::Walls, Self::Labels, Self::Place];

    /// Its name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Walls => "walls",
            Self::Labels => "labels",
            Self::Place => "place",
        }
    }
}

/// What is seen from a cell: the text of an observation.
///
/// ```
/// use hgpo_env::gridworld::{Map, Position, ObservationMode, observe_from};
///
/// let map = Map::parse("SbD\nK#G")?;
/// let here = |sight| observe_from(&map, sight, Position { row: 0, column: 1 }, true);
/// assert_eq!(here(ObservationMode::Walls), "open: left; door: right");
/// assert_eq!(here(ObservationMode::Labels), "open: left; door: right; label: b");
/// assert_eq!(here(ObservationMode::Place), "row 1, column 2, key held");
/// # Ok::<(), hgpo_env::gridworld::MapError>(())
/// ```
#[must_use]
pub fn observe_from(map: &Map, sight: ObservationMode, place: Position, has_key: bool) -> String {
    if sight == ObservationMode::Place {
        let key = if has_key { ", key held" } else { "" };
        return format!("row {}, column {}{key}", place.row + 1, place.column + 1);
    }
    let sides = |is: fn(Tile) -> bool| {
        let sides = Direction::ALL.into_iter().filter(|&it| is(map.beside(place, it)));
        sides.map(Direction::name).collect::<Vec<_>>().join(" ")
    };
    let open = sides(|tile| !matches!(tile, Tile::Wall | Tile::Door));
    let doors = sides(|tile| tile == Tile::Door);
    let mut text = format!("open: {}", if open.is_empty() { "none" } else { &open });
    if !doors.is_empty() {
        text += "; door: ";
        text += &doors;
    }
    if let (ObservationMode::Labels, Tile::Label(letter)) = (sight, map.tile(place)) {
        text += "; label: ";
        text.push(letter);
    }
    text
}

/// Every word of what is seen, of the actions and of the instructions, sorted.
pub(super) fn vocabulary(sight: ObservationMode, instructions: &[&str]) -> Vec<String> {
    let sides = Direction::ALL.map(Direction::name);
    let told = instructions.iter().flat_map(|text| text.split_whitespace());
    let told = told.map(|word| word.trim_end_matches(','));
    let mut words: BTreeSet<String> = told.chain(sides).chain([","]).map(str::to_owned).collect();
    if sight == ObservationMode::Place {
        words.extend(["row", "column", "key", "held"].map(str::to_owned));
        words.extend((1..=Map::MOST).map(|number| number.to_string()));
        return words.into_iter().collect();
    }
    words.extend([":", "open", "none;", "door"].map(str::to_owned));
    words.extend(sides.iter().map(|side| format!("{side};")));
    if sight == ObservationMode::Labels {
        words.insert("label".to_owned());
        words.extend(('a'..='z').map(String::from));
    }
    words.into_iter().collect()
}
