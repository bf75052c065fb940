//! Reverse play of a room, boxes being pulled.

use std::collections::HashSet;

use super::Walls;
use crate::direction::Direction;

/// States that are looked at, at most.
const MOST_EXPLORED: usize = 300_000;

/// A state that was played to.
#[derive(Clone, Debug)]
pub(super) struct Pulled {
    /// The player's cell.
    pub(super) player: u16,
    /// The boxes' cells, in the order of their targets.
    pub(super) boxes: Vec<u16>,
    /// Which of them have been pulled: the original tells states apart by it.
    moved: Vec<bool>,
    /// The box that was pulled last.
    last: Option<usize>,
    /// How often another box was pulled than before.
    swaps: usize,
}

struct Search<'a> {
    ground: &'a Walls,
    targets: Vec<u16>,
    explored: HashSet<Vec<(u16, bool)>>,
    best: Pulled,
    best_score: usize,
}

/// Plays backwards from all boxes on their targets, `depth` steps deep less one, and depth first: the state that
/// is furthest from being solved, as the original counts, and the steps from every box to its own target, added.
pub(super) fn play(ground: &Walls, player: u16, depth: usize) -> (Pulled, usize) {
    let targets: Vec<u16> = ground.targets().collect();
    let start = Pulled {
        player,
        boxes: targets.clone(),
        moved: vec![false; targets.len()],
        last: None,
        swaps: 0,
    };
    let (explored, best) = (HashSet::new(), start.clone());
    let mut search = Search { ground, targets, explored, best, best_score: 0 };
    search.explore(&start, depth);
    let displacement = search.displacement(&search.best.boxes);
    (search.best, displacement)
}

impl Search<'_> {
    fn explore(&mut self, state: &Pulled, depth: usize) {
        if depth <= 1 || self.explored.len() >= MOST_EXPLORED || !self.explored.insert(state.key())
        {
            return;
        }
        let score = self.score(state);
        if score > self.best_score {
            self.best_score = score;
            self.best = state.clone();
        }
        for direction in Direction::ALL {
            if let Some(next) = state.pull(self.ground, direction) {
                self.explore(&next, depth - 1);
            }
        }
    }

    /// Swaps times displacement, or 0 if something is on a target.
    fn score(&self, state: &Pulled) -> usize {
        let covered = |at: &u16| self.ground.is_target(*at);
        if covered(&state.player) || state.boxes.iter().any(covered) {
            return 0;
        }
        state.swaps * self.displacement(&state.boxes)
    }

    fn displacement(&self, boxes: &[u16]) -> usize {
        let pairs = self.targets.iter().zip(boxes);
        pairs.map(|(&target, &at)| self.ground.distance(target, at)).sum()
    }
}

impl Pulled {
    /// What the original tells states apart by: cells, with what is in them; not which box is which.
    fn key(&self) -> Vec<(u16, bool)> {
        let boxes = self.boxes.iter().copied().zip(self.moved.iter().copied());
        let mut key: Vec<(u16, bool)> = boxes.collect();
        key.sort_unstable();
        key.push((self.player, false));
        key
    }

    /// The player steps, and a box behind it comes along; `None` if it cannot step.
    fn pull(&self, ground: &Walls, direction: Direction) -> Option<Self> {
        let ahead = ground.beside(self.player, direction);
        if !ground.is_free(ahead) || self.boxes.contains(&ahead) {
            return None;
        }
        let behind = 2 * self.player - ahead;
        let mut next = Self { player: ahead, ..self.clone() };
        if let Some(pulled) = self.boxes.iter().position(|&at| at == behind) {
            next.boxes[pulled] = self.player;
            next.moved[pulled] = true;
            next.swaps += usize::from(self.last != Some(pulled));
            next.last = Some(pulled);
        }
        Some(next)
    }
}
