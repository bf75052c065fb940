//! State: the player and the boxes.

use super::Walls;
use crate::direction::Direction;

/// Most boxes of a room: with the player, seven cells of nine bits name a state in 64 bits.
pub const MOST_BOXES: usize = 6;

/// Where player and boxes are: the numbers of their cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SokobanState {
    player: u16,
    count: u8,
    /// The boxes' cells, ascending; no more than `count` of them count.
    boxes: [u16; MOST_BOXES],
}

impl SokobanState {
    /// Player and boxes at these cells: at most [`MOST_BOXES`] boxes, in any order.
    #[must_use]
    pub fn new(player: u16, boxes: &[u16]) -> Option<Self> {
        let mut cells = [0; MOST_BOXES];
        cells.get_mut(..boxes.len())?.copy_from_slice(boxes);
        cells[..boxes.len()].sort_unstable();
        Some(Self { player, count: boxes.len() as u8, boxes: cells })
    }

    /// The player's cell.
    #[must_use]
    pub fn player(&self) -> u16 {
        self.player
    }

    /// The boxes' cells, ascending.
    #[must_use]
    pub fn boxes(&self) -> &[u16] {
        &self.boxes[..usize::from(self.count)]
    }

    /// Boxes that are on targets.
    #[must_use]
    pub fn boxes_on_targets(&self, ground: &Walls) -> usize {
        self.boxes().iter().filter(|&&at| ground.is_target(at)).count()
    }

    /// Whether all are.
    #[must_use]
    pub fn is_solved(&self, ground: &Walls) -> bool {
        self.boxes().iter().all(|&at| ground.is_target(at))
    }

    /// The state after a move or a push; the same if neither is possible.
    #[must_use]
    pub fn after(self, ground: &Walls, direction: Direction) -> Self {
        let ahead = ground.beside(self.player, direction);
        if !ground.is_free(ahead) {
            return self;
        }
        let mut next = Self { player: ahead, ..self };
        if let Ok(pushed) = self.boxes().binary_search(&ahead) {
            let beyond = ground.beside(ahead, direction);
            if !ground.is_free(beyond) || self.boxes().binary_search(&beyond).is_ok() {
                return self;
            }
            next.boxes[pushed] = beyond;
            next.boxes[..usize::from(self.count)].sort_unstable();
        }
        next
    }

    /// A number that no other state of a room with as many boxes has.
    #[must_use]
    pub fn number(&self) -> u64 {
        let join = |number: u64, &cell: &u16| number << 9 | u64::from(cell);
        self.boxes().iter().fold(u64::from(self.player), join)
    }
}
