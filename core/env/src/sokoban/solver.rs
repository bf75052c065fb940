//! Solver for shortest solutions.
//!
//! A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths",
//! 1968) over the states of a room, a move or a push a step. States may be come to again by a shorter
//! way, so that the estimate need not be consistent, only never too high.
//!
//! # Formula
//! `h = Σ_b d(b) + max(0, min_b |p − b| − 1)`, both over the boxes that are not on a target: `d` is the
//! fewest pushes of a box alone in the room to the nearest target, `|p − b|` the lines and columns between
//! player and box. Every push that is counted is a step, and before the first of them the player has to
//! come beside such a box.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::{SokobanState, Walls};
use crate::direction::Direction;
use crate::shortest_path::path_to;

/// States that are looked at, at most, if nothing else is said: some seconds, and 200 MB.
pub const MOST_EXPANDED: usize = 1_000_000;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// The fewest steps; none if it is solved already.
    Found(Vec<Direction>),
    /// There is no way any more.
    Impossible,
    /// The search was given up after as many states as it was allowed.
    Unknown,
}

/// The fewest steps that bring every box to a target, by looking at up to `most` states; the same for the
/// same state, always.
#[must_use]
pub fn solve(ground: &Walls, start: SokobanState, most: usize) -> Solution {
    let pushes = fewest_pushes(ground);
    let Some(ahead) = estimate(ground, &pushes, &start) else { return Solution::Impossible };
    // By the length of the whole way; of equal ones the longest way come, then the first found.
    let mut open = BinaryHeap::from([(Reverse(ahead), 0, Reverse(0))]);
    let mut found: Vec<Node> = vec![Node { state: start, steps: 0, from: None }];
    let mut known: HashMap<u64, usize> = HashMap::from([(start.number(), 0)]);
    let mut expanded = 0;
    while let Some((_, steps, Reverse(place))) = open.pop() {
        let Node { state, .. } = found[place];
        if known.get(&state.number()) != Some(&place) {
            // A shorter way was found meanwhile.
            continue;
        }
        if state.is_solved(ground) {
            return Solution::Found(path_to(place, |node| found[node].from));
        }
        if expanded == most {
            return Solution::Unknown;
        }
        expanded += 1;
        for direction in Direction::ALL {
            let next = state.after(ground, direction);
            let steps = steps + 1;
            let longer = |&known: &usize| found[known].steps <= steps;
            if next == state || known.get(&next.number()).is_some_and(longer) {
                continue;
            }
            let Some(ahead) = estimate(ground, &pushes, &next) else { continue };
            known.insert(next.number(), found.len());
            open.push((Reverse(steps + ahead), steps, Reverse(found.len())));
            found.push(Node { state: next, steps, from: Some((place, direction)) });
        }
    }
    Solution::Impossible
}

/// A state that was come to.
#[derive(Clone, Copy, Debug)]
struct Node {
    state: SokobanState,
    steps: usize,
    /// From which, and how.
    from: Option<(usize, Direction)>,
}

/// From every cell, the fewest pushes of a box alone to a target; `None` if there is no way.
fn fewest_pushes(ground: &Walls) -> Vec<Option<usize>> {
    let mut pushes = vec![None; ground.cells().len()];
    let mut ahead: Vec<u16> = ground.targets().collect();
    for &target in &ahead {
        pushes[usize::from(target)] = Some(0);
    }
    let mut next = 0;
    while let Some(&at) = ahead.get(next) {
        next += 1;
        let further = pushes[usize::from(at)].map(|pushes| pushes + 1);
        for direction in Direction::ALL {
            // Pushed from there to here, by a player who stands one cell further.
            let from = ground.beside(at, direction);
            let player = || ground.is_free(ground.beside(from, direction));
            if ground.is_free(from) && player() && pushes[usize::from(from)].is_none() {
                pushes[usize::from(from)] = further;
                ahead.push(from);
            }
        }
    }
    pushes
}

/// At most as many steps as are needed; `None` if a box can never come to a target.
fn estimate(ground: &Walls, pushes: &[Option<usize>], state: &SokobanState) -> Option<usize> {
    let (mut total, mut nearest) = (0, None);
    for &at in state.boxes() {
        let alone = pushes[usize::from(at)]?;
        if alone > 0 {
            total += alone;
            let away = ground.distance(state.player(), at);
            nearest = Some(nearest.map_or(away, |nearest: usize| nearest.min(away)));
        }
    }
    Some(total + nearest.map_or(0, |away| away.saturating_sub(1)))
}
