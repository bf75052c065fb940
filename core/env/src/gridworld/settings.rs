//! Settings of `gridworld`.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Map, ObservationMode, WORLDS, World};
use crate::SettingError;
use crate::registry::table::Table;

/// Which map, and what moves and sights on it are like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GridworldSettings {
    /// One of [`WORLDS`], or `generated`.
    pub world: String,
    /// The text of a map, in place of the world's; empty for the world's.
    pub map: String,
    /// What is seen.
    pub sight: ObservationMode,
    /// Probability that a move goes to one of the two sides at right angles, each half as likely:
    /// 0 to 0.9.
    pub slip: f64,
    /// Subtracted from the reward of a step that enters a cost cell: 0 to 1e38.
    pub cost: f64,
    /// How many maps are generated for training and seen tasks, and as many more for unseen ones:
    /// 1 to 256.
    pub maps: usize,
    /// Lines of a generated map: 5 to 24.
    pub height: usize,
    /// Columns of a generated map: 5 to 24.
    pub width: usize,
    /// Share of the walls between corridors that a generated map leaves out: 0 (one way only between
    /// two cells) to 1.
    pub loops: f64,
    /// Whether a generated map has a door, and a key to it.
    pub key: bool,
    /// Labelled cells of a generated map, as far as there is room: 0 to 26.
    pub labels: usize,
    /// Most moves of a shortest solution of a generated map: 9 to 1000.
    pub longest_plan: usize,
}

impl Default for GridworldSettings {
    fn default() -> Self {
        Self {
            world: WORLDS[0].name.to_owned(),
            map: String::new(),
            sight: ObservationMode::Labels,
            slip: 0.0,
            cost: 1.0,
            maps: 16,
            height: 7,
            width: 9,
            loops: 0.2,
            key: false,
            labels: 2,
            longest_plan: 15,
        }
    }
}

impl GridworldSettings {
    /// The name of generated maps, where a world's could stand.
    pub const GENERATED: &str = "generated";
    /// How many maps are generated.
    pub const MAPS: RangeInclusive<usize> = 1..=256;
    /// Lines and columns of a generated map.
    pub const SIDE: RangeInclusive<usize> = 5..=Map::MOST;
    /// Labelled cells of a generated map.
    pub const LABELS: RangeInclusive<usize> = 0..=26;

    /// The settings with which a world shows what it is there to show.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let &World { name, sight, slip, .. } = world;
        Self { world: name.to_owned(), sight, slip, ..Self::default() }
    }

    /// The map that is played on; `None` if maps are generated.
    ///
    /// # Errors
    /// Names the field and says what is wrong with the map, or which worlds there are.
    pub fn fixed_map(&self) -> Result<Option<Map>, SettingError> {
        let (field, text) = if !self.map.is_empty() {
            ("map", &*self.map)
        } else if self.world == Self::GENERATED {
            return Ok(None);
        } else {
            ("world", World::named(&self.world).ok_or_else(|| self.unknown_world())?.map)
        };
        Map::parse(text).map(Some).map_err(|error| SettingError::new(field, &error.to_string()))
    }

    fn unknown_world(&self) -> SettingError {
        let names: Vec<&str> = WORLDS.iter().map(|world| world.name).collect();
        // Whoever gave the name knows it from its beginning.
        let given: String = self.world.chars().take(40).flat_map(char::escape_debug).collect();
        let (known, generated) = (names.join(", "), Self::GENERATED);
        let reason = format!("unknown world '{given}'; choose from {known}, {generated}");
        SettingError::new("world", &reason)
    }
}

impl Table for GridworldSettings {
    const NAME: &str = "gridworld";

    /// Every field, those of the generator even if nothing is generated.
    fn check(&self) -> Result<(), SettingError> {
        self.fixed_map()?;
        SettingError::within("slip", self.slip, &(0.0..=0.9))?;
        // What single precision holds in full.
        SettingError::within("cost", self.cost, &(0.0..=1e38))?;
        SettingError::within("maps", self.maps, &Self::MAPS)?;
        SettingError::within("height", self.height, &Self::SIDE)?;
        SettingError::within("width", self.width, &Self::SIDE)?;
        SettingError::within("loops", self.loops, &(0.0..=1.0))?;
        SettingError::within("labels", self.labels, &Self::LABELS)?;
        SettingError::within("longest_plan", self.longest_plan, &(9..=1000))
    }
}
