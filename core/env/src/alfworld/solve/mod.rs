//! Solver: plans by search on the ground facts, with full knowledge.
//!
//! A* over the ways that can matter ([`relevant`]), guided by the number of steps of a plan in which
//! nothing ever becomes false ([`relaxed`]). That number can be too high, so that plans are short but
//! not proven shortest. If the search grows beyond a limit it goes on greedily.

mod relaxed_plan;
mod relevance;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rapidhash::fast::RandomState;

use super::game::{CommandId, Game};
use relaxed_plan::Relaxed;

/// States after which the search weighs the steps ahead more than those behind.
const PATIENCE: usize = 4_000;

/// States after which the search gives up.
const MOST_STATES: usize = 200_000;

/// The weight of the steps ahead once patience is lost.
const GREEDY: u32 = 5;

/// By how much the estimate of the steps ahead may be too high without making plans longer.
const SLACK: u32 = 2;

/// A state that was reached, and how.
struct Node {
    state: Box<[u64]>,
    /// Steps behind.
    steps: u32,
    /// The node before, and the way that led here.
    from: Option<(usize, u32)>,
}

/// Commands that lead from a state to the goal; none if none were found.
pub(super) fn plan(game: &Game, state: &[u64]) -> Option<Vec<CommandId>> {
    let ways = relevance::ways(game, state);
    let relaxed = Relaxed::new(game, &ways);
    let (nodes, open) = (Vec::new(), BinaryHeap::new());
    Search { game, ways: &ways, relaxed, nodes, best: HashMap::default(), open }.run(state)
}

struct Search<'a> {
    game: &'a Game,
    ways: &'a [u32],
    relaxed: Relaxed<'a>,
    nodes: Vec<Node>,
    best: HashMap<Box<[u64]>, u32, RandomState>,
    open: BinaryHeap<Reverse<(u32, u32, usize)>>,
}

impl Search<'_> {
    fn run(mut self, state: &[u64]) -> Option<Vec<CommandId>> {
        self.add(state.into(), 0, None);
        while let Some(Reverse((_, _, node))) = self.open.pop() {
            let (state, steps) = (self.nodes[node].state.clone(), self.nodes[node].steps);
            if self.game.goal.holds(&state) {
                return Some(self.commands(node));
            }
            if self.best.get(&state).is_some_and(|&best| best < steps) {
                continue;
            }
            if self.nodes.len() > MOST_STATES {
                return None;
            }
            for &way in self.ways {
                if self.game.index.open(way as usize, &state) {
                    let mut next = state.clone();
                    self.game.apply(self.game.index.ways[way as usize].operator, &mut next);
                    self.add(next, steps + 1, Some((node, way)));
                }
            }
        }
        None
    }

    fn add(&mut self, state: Box<[u64]>, steps: u32, from: Option<(usize, u32)>) {
        if self.best.get(&state).is_some_and(|&best| best <= steps) {
            return;
        }
        self.best.insert(state.clone(), steps);
        let Some(ahead) = self.relaxed.steps(&state) else { return };
        let weight = if self.nodes.len() < PATIENCE { 1 } else { GREEDY };
        self.open.push(Reverse((
            steps + weight * ahead.saturating_sub(SLACK),
            ahead,
            self.nodes.len(),
        )));
        self.nodes.push(Node { state, steps, from });
    }

    fn commands(&self, last: usize) -> Vec<CommandId> {
        let before = |&(node, _): &(usize, u32)| self.nodes[node].from;
        let ways = std::iter::successors(self.nodes[last].from, before);
        let command =
            |(_, way): (usize, u32)| CommandId(self.game.index.ways[way as usize].check.command);
        let mut commands: Vec<CommandId> = ways.map(command).collect();
        commands.reverse();
        commands
    }
}
