//! Settings of `alfworld-generated`: how hard games are.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::catalogue::Kind;
use crate::SettingError;
use crate::registry::table::Table;

/// Size of the houses, and which tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneratedHouseSettings {
    /// Houses that training and seen tasks use: 1 to 100,000. Few are known by heart, many teach
    /// what works in any house.
    pub houses: usize,
    /// Rooms of a house: 2 to 10.
    pub rooms: usize,
    /// Share of the pairs of rooms that have a doorway beyond those that are needed to reach every
    /// room: 0 (one way only between two rooms) to 1 (every room opens off every other).
    pub doorways: f64,
    /// Most pieces of furniture in a room, beside the sink, stove, fridge and lamp that every house
    /// has: 1 to 6; every room has at least one.
    pub receptacles_per_room: usize,
    /// Things in a house, for each of its rooms: 1 to 6.
    pub things_per_room: usize,
    /// Kinds of task, each equally often, by the numbers of ALFWorld: 1 place, 2 examine in light,
    /// 3 clean and place, 4 heat and place, 5 cool and place, 6 place two.
    pub task_types: Vec<u8>,
    /// Most actions of a shortest solution.
    pub longest_plan: usize,
}

impl Default for GeneratedHouseSettings {
    fn default() -> Self {
        Self {
            houses: 256,
            rooms: 3,
            doorways: 1.0,
            receptacles_per_room: 2,
            things_per_room: 2,
            task_types: vec![1, 2, 3, 4, 5, 6],
            longest_plan: 14,
        }
    }
}

impl Table for GeneratedHouseSettings {
    const NAME: &str = "generated";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("houses", self.houses, &Self::HOUSES)?;
        SettingError::within("rooms", self.rooms, &Self::ROOMS)?;
        SettingError::within("receptacles_per_room", self.receptacles_per_room, &Self::EACH)?;
        SettingError::within("things_per_room", self.things_per_room, &Self::EACH)?;
        SettingError::within("longest_plan", self.longest_plan, &Self::PLAN)?;
        if !(0.0..=1.0).contains(&self.doorways) {
            let reason = format!("must lie between 0 and 1, not {}", self.doorways);
            return Err(SettingError::new("doorways", &reason));
        }
        let unknown = self.task_types.iter().find(|&&number| Kind::numbered(number).is_none());
        if self.task_types.is_empty() || unknown.is_some() {
            let given = unknown.map_or("no number".to_owned(), ToString::to_string);
            let reason = format!("{given} given; use kinds of task from 1 to 6");
            return Err(SettingError::new("task_types", &reason));
        }
        Ok(())
    }
}

impl GeneratedHouseSettings {
    /// Houses that training can have.
    const HOUSES: RangeInclusive<usize> = 1..=100_000;
    /// Rooms that a house can have.
    pub(super) const ROOMS: RangeInclusive<usize> = 2..=10;
    /// Furniture and things that a room can have.
    const EACH: RangeInclusive<usize> = 1..=6;
    /// Actions of a shortest solution: two things, each got and brought with one walk, take eight.
    const PLAN: RangeInclusive<usize> = 8..=100;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_checked() {
        assert_eq!(GeneratedHouseSettings::default().check(), Ok(()));
        let default = GeneratedHouseSettings::default;
        let wrong = [
            ("houses", GeneratedHouseSettings { houses: 0, ..default() }),
            ("rooms", GeneratedHouseSettings { rooms: 1, ..default() }),
            ("doorways", GeneratedHouseSettings { doorways: f64::NAN, ..default() }),
            (
                "receptacles_per_room",
                GeneratedHouseSettings { receptacles_per_room: 7, ..default() },
            ),
            ("things_per_room", GeneratedHouseSettings { things_per_room: 0, ..default() }),
            ("task_types", GeneratedHouseSettings { task_types: Vec::new(), ..default() }),
            ("task_types", GeneratedHouseSettings { task_types: vec![1, 7], ..default() }),
            ("longest_plan", GeneratedHouseSettings { longest_plan: 7, ..default() }),
        ];
        for (field, settings) in wrong {
            assert_eq!(settings.check().unwrap_err().field, field);
        }
    }
}
