//! Relaxed plan, in which nothing ever becomes false: how far the goal is, roughly.

use super::super::bit_set::{Condition, code, is_met, is_set};
use super::super::game::Game;

/// Not reached.
const FAR: u32 = u32::MAX;

/// A way that is not there: what holds from the start has no maker.
const START: u32 = u32::MAX;

/// The ways of a game, and what was found from the last state.
pub(super) struct Relaxed<'a> {
    game: &'a Game,
    ways: &'a [u32],
    /// For every code, the places in `ways` of those that need it.
    needing: Vec<Vec<u32>>,
    /// Codes that some way needs.
    needed: Vec<u32>,
    /// How many needs every way has.
    needs: Vec<u32>,
    missing: Vec<u32>,
    /// For every code: in which layer it is reached, and by which way.
    layers: Vec<(u32, u32)>,
    /// For every way: in which layer it can be gone.
    way_layers: Vec<u32>,
    queue: Vec<u32>,
    chosen: Vec<u32>,
}

impl<'a> Relaxed<'a> {
    pub(super) fn new(game: &'a Game, ways: &'a [u32]) -> Self {
        let codes = game.initial.len() * 128;
        let mut needing: Vec<Vec<u32>> = vec![Vec::new(); codes];
        let mut needs = Vec::with_capacity(ways.len());
        for (place, &way) in ways.iter().enumerate() {
            let mut codes: Vec<u32> = game.index.ways[way as usize].needs().collect();
            codes.sort_unstable();
            codes.dedup();
            needs.push(codes.len() as u32);
            for code in codes {
                needing[code as usize].push(place as u32);
            }
        }
        let needed = (0..codes as u32).filter(|&code| !needing[code as usize].is_empty()).collect();
        Self {
            game,
            ways,
            needing,
            needed,
            missing: needs.clone(),
            needs,
            layers: vec![(FAR, START); codes],
            way_layers: vec![FAR; ways.len()],
            queue: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// The layer in which the way at a place of the list can be gone, after an exploration.
    pub(super) fn level(&self, place: u32) -> Option<u32> {
        Some(self.way_layers[place as usize]).filter(|&layer| layer != FAR)
    }

    /// Goes every way that can be gone when nothing becomes false.
    pub(super) fn explore(&mut self, state: &[u64]) {
        self.missing.copy_from_slice(&self.needs);
        self.layers.fill((FAR, START));
        self.way_layers.fill(FAR);
        self.queue.clear();
        for &code in &self.needed {
            if is_met(state, code) {
                self.layers[code as usize] = (0, START);
                self.queue.push(code);
            }
        }
        for place in 0..self.ways.len() {
            if self.needs[place] == 0 {
                self.go(place, 0);
            }
        }
        let mut next = 0;
        while let Some(&code) = self.queue.get(next) {
            next += 1;
            let layer = self.layers[code as usize].0;
            for at in 0..self.needing[code as usize].len() {
                let place = self.needing[code as usize][at] as usize;
                self.missing[place] -= 1;
                if self.missing[place] == 0 {
                    self.go(place, layer);
                }
            }
        }
    }

    fn go(&mut self, place: usize, layer: u32) {
        self.way_layers[place] = layer;
        let operator = self.game.index.ways[self.ways[place] as usize].operator as usize;
        for change in self.game.changes.get(operator) {
            let code = code(change.bit, !change.value);
            let reached = &mut self.layers[code as usize];
            if reached.0 == FAR {
                *reached = (layer + 1, place as u32);
                self.queue.push(code);
            }
        }
    }

    /// How many steps a plan from `state` takes in which nothing becomes false; none if even that
    /// does not reach the goal.
    pub(super) fn steps(&mut self, state: &[u64]) -> Option<u32> {
        self.explore(state);
        let goal = &self.game.goal;
        let mut wanted = Vec::new();
        self.cost(goal, state)?;
        self.pick(goal, state, &mut wanted);
        self.chosen.clear();
        while let Some(code) = wanted.pop() {
            let (layer, place) = self.layers[code as usize];
            if layer == 0 || layer == FAR || self.chosen.contains(&place) {
                continue;
            }
            self.chosen.push(place);
            wanted.extend(self.game.index.ways[self.ways[place as usize] as usize].needs());
        }
        Some(self.chosen.len() as u32)
    }

    /// The layers of what a condition needs, added up.
    fn cost(&self, condition: &Condition, state: &[u64]) -> Option<u32> {
        match condition {
            Condition::Has(bit, negated) if is_set(state, *bit) != *negated => Some(0),
            Condition::Has(bit, negated) => {
                Some(self.layers[code(*bit, *negated) as usize].0).filter(|&it| it != FAR)
            }
            Condition::All(parts) => parts.iter().map(|part| self.cost(part, state)).sum(),
            Condition::Any(parts) => parts.iter().filter_map(|part| self.cost(part, state)).min(),
        }
    }

    /// What the cheapest way to meet a condition needs.
    fn pick(&self, condition: &Condition, state: &[u64], wanted: &mut Vec<u32>) {
        match condition {
            Condition::Has(bit, negated) if is_set(state, *bit) != *negated => {}
            Condition::Has(bit, negated) => wanted.push(code(*bit, *negated)),
            Condition::All(parts) => parts.iter().for_each(|part| self.pick(part, state, wanted)),
            Condition::Any(parts) => {
                let cheapest =
                    parts.iter().filter_map(|part| Some((self.cost(part, state)?, part)));
                if let Some((_, part)) = cheapest.min_by_key(|(cost, _)| *cost) {
                    self.pick(part, state, wanted);
                }
            }
        }
    }
}
