//! Worlds of our own.

use super::Sight;

/// A map with something to learn from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// Its name in settings.
    pub name: &'static str,
    /// What it is there to show, in a line.
    pub shows: &'static str,
    /// The text of the map.
    pub map: &'static str,
    /// The sight with which it shows this.
    pub sight: Sight,
    /// The chance to slip with which it shows this.
    pub slip: f64,
}

/// The worlds, in the order of the documentation; the first is the default.
pub const WORLDS: &[World] = &[
    World {
        name: "signpost",
        shows: "two junctions look alike, and a label two steps before says which way to turn",
        map: "\
###########
#....G....#
###.###.###
###a###b###
###S###S###
###########",
        sight: Sight::Labels,
        slip: 0.0,
    },
    World {
        name: "locked",
        shows: "the same corridor is worth more on the way back, with a key that cannot be seen",
        map: "\
#########
#K..S..D#
#######.#
#######G#
#########",
        sight: Sight::Labels,
        slip: 0.0,
    },
];

impl World {
    /// The world of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        WORLDS.iter().find(|world| world.name == name)
    }
}
