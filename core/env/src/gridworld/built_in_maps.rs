//! Built-in maps.

use super::ObservationMode;

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
    pub sight: ObservationMode,
    /// The chance to slip with which it shows this.
    pub slip: f64,
}

/// The worlds, in the order of the documentation; the first is the default.
pub const WORLDS: &[World] = &[
    World {
        name: "signpost",
        shows: "two junctions look alike, and a label two steps before says which way is right",
        map: "\
###########
#....G....#
###.###.###
###a###b###
###S###S###
###########",
        sight: ObservationMode::Labels,
        slip: 0.0,
    },
    World {
        name: "remote",
        shows: "the same with the label four steps before, beyond the memory of the last two",
        map: "\
###########
#....G....#
###.###.###
###.###.###
###.###.###
###a###b###
###S###S###
###########",
        sight: ObservationMode::Labels,
        slip: 0.0,
    },
    World {
        name: "switchback",
        shows: "corridors that look alike lead there and back, and only the way that one came tells which is next",
        map: "\
#####
#S..#
###.#
#...#
#.###
#..G#
#####",
        sight: ObservationMode::Labels,
        slip: 0.2,
    },
    World {
        name: "comb",
        shows: "the arms of a comb look alike, and only the steps before tell them apart",
        map: "\
#############
#.....S.....#
#.#.#.#.#.#.#
#.#.#.#.#G#.#
#############",
        sight: ObservationMode::Labels,
        slip: 0.0,
    },
    World {
        name: "locked",
        shows: "the same corridor is worth more with the key, which cannot be seen",
        map: "\
#########
#K..S..D#
#######.#
#######G#
#########",
        sight: ObservationMode::Labels,
        slip: 0.0,
    },
    World {
        name: "landmarks",
        shows: "nothing looks alike, so that histories tell nothing new",
        map: "\
#######
#abcdG#
#f#g#h#
#ijklm#
#n#o#p#
#Sqrst#
#######",
        sight: ObservationMode::Labels,
        slip: 0.0,
    },
    World {
        name: "hall",
        shows: "the place is seen and moves slip: histories rarely repeat, and their groups are too small",
        map: "\
#########
#S......#
#.......#
#.......#
#.......#
#......G#
#########",
        sight: ObservationMode::Place,
        slip: 0.2,
    },
    World {
        name: "shortcut",
        shows: "the shortest way runs along cells that cost something, and moves slip",
        map: "\
#########
#.......#
#.......#
#S~~~~~G#
#########",
        sight: ObservationMode::Labels,
        slip: 0.2,
    },
    World {
        name: "toll",
        shows: "chance takes a toll at the start, and corridors that look alike are near the goal or far from it",
        map: "\
#######
##~S~##
##...##
###.###
#...###
#.#####
#...###
###G###
#######",
        sight: ObservationMode::Labels,
        slip: 0.2,
    },
];

impl World {
    /// The world of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        WORLDS.iter().find(|world| world.name == name)
    }
}
