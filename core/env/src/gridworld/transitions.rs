//! Transition table of a map: where every move leads and what is seen there, once for all episodes.

use std::sync::Arc;

use super::reachability::Reach;
use super::{Direction, GridworldSettings, Map, Position, Tile, observe_from};

/// A map with its moves and sights, by the numbers of its cells.
#[derive(Debug)]
pub(super) struct Transitions {
    pub(super) map: Map,
    pub(super) slip: f64,
    cost: f64,
    /// Where the four moves lead, without and with the key.
    moves: [Vec<[usize; 4]>; 2],
    /// What is always listed.
    pub(super) actions: Arc<[String]>,
    /// What is seen, without and with the key.
    texts: [Vec<String>; 2],
    pub(super) starts: Vec<usize>,
    /// Other cells from which every task can be done.
    pub(super) elsewhere: Vec<usize>,
    pub(super) keys: Vec<usize>,
    pub(super) goals: Vec<usize>,
    /// What is asked for.
    pub(super) instruction: &'static str,
}

/// What is asked for: if there is no key to be found, and if a key opens a door.
pub(super) const INSTRUCTIONS: [&str; 2] =
    ["reach the goal", "find the key, open the door, reach the goal"];

impl Transitions {
    /// A map under the settings of sight, slip and cost.
    pub(super) fn new(map: Map, settings: &GridworldSettings) -> Self {
        let &GridworldSettings { sight, slip, cost, .. } = settings;
        let of = |tile| map.all(tile).filter_map(|place| map.index(place)).collect::<Vec<_>>();
        let (starts, keys, goals) = (of(Tile::Start), of(Tile::Key), of(Tile::Goal));
        let texts =
            |has_key| map.places().map(|place| observe_from(&map, sight, place, has_key)).collect();
        let is_locked = !keys.is_empty() && map.all(Tile::Door).next().is_some();
        Self {
            slip,
            cost,
            moves: [false, true].map(|has_key| moves(&map, has_key)),
            actions: Direction::ALL.map(|direction| direction.name().to_owned()).into(),
            texts: [false, true].map(texts),
            starts,
            elsewhere: elsewhere(&map),
            keys,
            goals,
            instruction: INSTRUCTIONS[usize::from(is_locked)],
            map,
        }
    }

    /// Where a move leads: the cell itself if something is in the way.
    pub(super) fn next(&self, at: usize, has_key: bool, direction: Direction) -> usize {
        self.moves[usize::from(has_key)][at][direction as usize]
    }

    /// What is seen.
    pub(super) fn text(&self, at: usize, has_key: bool) -> &str {
        &self.texts[usize::from(has_key)][at]
    }

    /// What entering a cell costs.
    pub(super) fn toll(&self, at: usize) -> f64 {
        if self.map.tile(self.map.place(at)) == Tile::Cost { self.cost } else { 0.0 }
    }
}

fn moves(map: &Map, has_key: bool) -> Vec<[usize; 4]> {
    let lets_in = |tile| tile != Tile::Wall && (has_key || tile != Tile::Door);
    let to = |from: Position, here: usize, direction| {
        let next = from.towards(direction).filter(|&next| lets_in(map.tile(next)));
        next.and_then(|next| map.index(next)).unwrap_or(here)
    };
    let from = |(here, place)| Direction::ALL.map(|direction| to(place, here, direction));
    map.places().enumerate().map(from).collect()
}

/// Floor, with labels or without, that is no start, and from which every goal can be reached with
/// every key.
fn elsewhere(map: &Map) -> Vec<usize> {
    let reach = Reach::of(map);
    let is_floor = |place: &Position| matches!(map.tile(*place), Tile::Floor | Tile::Label(_));
    let ways =
        map.places().filter(is_floor).filter(|&place| reach.unreachable_goal(place).is_none());
    ways.filter_map(|place| map.index(place)).collect()
}
