//! Reachability of cells from each other.

use super::{Direction, Map, MapError, Position, Tile};

/// The parts of a map that walls, and doors if they are closed, cut off from each other: that of each
/// cell by its number; walls are parts of their own.
fn parts(map: &Map, doors_open: bool) -> Vec<usize> {
    let mut parts = vec![usize::MAX; map.size()];
    let is_way = |tile| tile != Tile::Wall && (doors_open || tile != Tile::Door);
    for first in 0..map.size() {
        if parts[first] != usize::MAX {
            continue;
        }
        parts[first] = first;
        let mut ahead = vec![first];
        while let Some(place) = ahead.pop().map(|index| map.place(index)) {
            let around = Direction::ALL.into_iter().filter_map(|it| place.towards(it));
            for next in around.filter(|&next| is_way(map.tile(place)) && is_way(map.tile(next))) {
                let Some(index) = map.index(next) else { continue };
                if parts[index] == usize::MAX {
                    parts[index] = first;
                    ahead.push(index);
                }
            }
        }
    }
    parts
}

/// What can be reached on a map, with doors taken into account.
pub(super) struct Reach<'a> {
    map: &'a Map,
    closed: Vec<usize>,
    open: Vec<usize>,
    keys: Vec<Position>,
    goals: Vec<Position>,
}

impl<'a> Reach<'a> {
    pub(super) fn of(map: &'a Map) -> Self {
        let [closed, open] = [false, true].map(|doors_open| parts(map, doors_open));
        let [keys, goals] = [Tile::Key, Tile::Goal].map(|tile| map.all(tile).collect());
        Self { map, closed, open, keys, goals }
    }

    fn joined(&self, parts: &[usize], one: Position, other: Position) -> bool {
        let part = |place| self.map.index(place).map(|index| parts[index]);
        part(one).is_some() && part(one) == part(other)
    }

    /// The first goal and key, if any, with which a start leads nowhere; `None` if all can be reached.
    ///
    /// A goal can be reached without a key if no door lies between; else, if the key can be, and
    /// a way leads to the goal through open doors.
    pub(super) fn unreachable_goal(&self, start: Position) -> Option<(Position, Option<Position>)> {
        let lost = self.keys.iter().find(|&&key| !self.joined(&self.closed, start, key));
        let key = lost.or(self.keys.first()).copied();
        let is_opened = !self.keys.is_empty() && lost.is_none();
        let is_missed = |&&goal: &&Position| {
            let through_doors = is_opened && self.joined(&self.open, start, goal);
            !through_doors && !self.joined(&self.closed, start, goal)
        };
        self.goals.iter().find(is_missed).map(|&goal| (goal, key))
    }
}

/// Whether a map has starts and goals, and every goal can be reached from every start with every key.
pub(super) fn check(map: &Map) -> Result<(), MapError> {
    let reach = Reach::of(map);
    if map.all(Tile::Start).next().is_none() {
        return Err(MapError::NoStart);
    }
    if reach.goals.is_empty() {
        return Err(MapError::NoGoal);
    }
    map.all(Tile::Start).try_for_each(|start| match reach.unreachable_goal(start) {
        None => Ok(()),
        Some((goal, key)) => Err(MapError::Unreachable { start, goal, key }),
    })
}
