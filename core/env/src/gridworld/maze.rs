//! Maze of one-cell rooms at odd lines and columns, and passages between them, drawn at random.

use super::{Direction, Position, Tile};
use crate::random::Stream;

/// A maze that is being drawn.
pub(super) struct Maze {
    height: usize,
    pub(super) width: usize,
    pub(super) tiles: Vec<Tile>,
}

/// Two cells, and what is between them.
#[derive(Clone, Copy)]
struct Between {
    one: usize,
    middle: usize,
    other: usize,
}

impl Maze {
    /// A maze with one way only between any two rooms, by a walk that turns at random and goes back
    /// when it is stuck. Sides of at least 5 give four rooms or more.
    pub(super) fn carve(height: usize, width: usize, stream: &mut Stream) -> Self {
        let mut maze = Self { height, width, tiles: vec![Tile::Wall; height * width] };
        let mut walk = vec![width + 1];
        maze.tiles[width + 1] = Tile::Floor;
        while let Some(&here) = walk.last() {
            let around = maze.around(here);
            let new: Vec<Between> =
                around.into_iter().filter(|it| maze.tiles[it.other] == Tile::Wall).collect();
            let Some(&way) = new.get(stream.below(new.len())) else {
                walk.pop();
                continue;
            };
            maze.tiles[way.middle] = Tile::Floor;
            maze.tiles[way.other] = Tile::Floor;
            walk.push(way.other);
        }
        maze
    }

    /// The neighbouring rooms of a room.
    fn around(&self, room: usize) -> Vec<Between> {
        let (row, column) = (room / self.width, room % self.width);
        let to = |direction| {
            let beside = Position { row, column }.towards(direction)?;
            let beyond = beside.towards(direction)?;
            // The last line and column are walls.
            let is_inside = beyond.row + 1 < self.height && beyond.column + 1 < self.width;
            let number = |place: Position| place.row * self.width + place.column;
            let (middle, other) = (number(beside), number(beyond));
            is_inside.then_some(Between { one: room, middle, other })
        };
        Direction::ALL.into_iter().filter_map(to).collect()
    }

    /// Every pair of neighbouring rooms, once.
    fn pairs(&self) -> Vec<Between> {
        let is_room = |cell: &usize| {
            let (row, column) = (cell / self.width, cell % self.width);
            let is_odd = row % 2 == 1 && column % 2 == 1;
            is_odd && row + 1 < self.height && column + 1 < self.width
        };
        let rooms = (0..self.tiles.len()).filter(is_room);
        rooms.flat_map(|room| self.around(room)).filter(|it| it.one < it.other).collect()
    }

    /// The cells that can be reached through no door, nearest first, and how many moves each is away.
    fn distances(&self, from: usize) -> Vec<(usize, usize)> {
        let mut is_reached = vec![false; self.tiles.len()];
        is_reached[from] = true;
        let mut reached = vec![(from, 0)];
        let mut next = 0;
        while let Some(&(cell, distance)) = reached.get(next) {
            // No cell but those at the edges, which are walls, is less than a line from the ends.
            for beside in [cell - self.width, cell + self.width, cell - 1, cell + 1] {
                let is_way = !matches!(self.tiles[beside], Tile::Wall | Tile::Door);
                if is_way && !is_reached[beside] {
                    is_reached[beside] = true;
                    reached.push((beside, distance + 1));
                }
            }
            next += 1;
        }
        reached
    }

    /// Puts a door into a passage of a maze without loops: the cells before it, where at least two rooms lie,
    /// and behind it.
    pub(super) fn hang_door(&mut self, stream: &mut Stream) -> Option<(usize, usize)> {
        let mut open: Vec<Between> =
            self.pairs().into_iter().filter(|it| self.tiles[it.middle] == Tile::Floor).collect();
        stream.shuffle(&mut open);
        let &Between { one, middle, other } = open.first()?;
        self.tiles[middle] = Tile::Door;
        let ways = [(one, other), (other, one)];
        let (before, behind) = ways[stream.below(2)];
        // A room alone: four rooms at least leave three behind it.
        let is_alone = self.distances(before).len() == 1;
        Some(if is_alone { (behind, before) } else { (before, behind) })
    }

    /// Leaves out this share of the walls between neighbouring rooms, but none that would lead around
    /// the door that is after a cell.
    pub(super) fn open_loops(&mut self, share: f64, before: Option<usize>, stream: &mut Stream) {
        let mut is_before = vec![false; self.tiles.len()];
        for (cell, _) in before.map(|it| self.distances(it)).unwrap_or_default() {
            is_before[cell] = true;
        }
        for Between { one, middle, other } in self.pairs() {
            let is_shut = self.tiles[middle] == Tile::Wall && is_before[one] == is_before[other];
            if is_shut && stream.uniform() < share {
                self.tiles[middle] = Tile::Floor;
            }
        }
    }

    /// A floor cell.
    pub(super) fn floor(&self, stream: &mut Stream) -> Option<usize> {
        let floor = self.all_floor();
        floor.get(stream.below(floor.len())).copied()
    }

    fn all_floor(&self) -> Vec<usize> {
        (0..self.tiles.len()).filter(|&cell| self.tiles[cell] == Tile::Floor).collect()
    }

    /// Puts something on a floor cell at most `budget` away from another one, in the farther half of
    /// these.
    pub(super) fn put_away(
        &mut self,
        tile: Tile,
        from: usize,
        budget: usize,
        stream: &mut Stream,
    ) -> Option<usize> {
        let mut near = self.distances(from);
        near.retain(|&(cell, far)| far <= budget && self.tiles[cell] == Tile::Floor);
        let farthest = near.last()?.1;
        near.retain(|&(_, far)| 2 * far >= farthest);
        let (cell, _) = *near.get(stream.below(near.len()))?;
        self.tiles[cell] = tile;
        Some(cell)
    }

    /// Writes letters on floor cells, in the order of reading, as far as there are cells.
    pub(super) fn label(&mut self, count: usize, stream: &mut Stream) {
        let mut floor = self.all_floor();
        stream.shuffle(&mut floor);
        floor.truncate(count);
        floor.sort_unstable();
        for (cell, letter) in floor.into_iter().zip('a'..='z') {
            self.tiles[cell] = Tile::Label(letter);
        }
    }
}
