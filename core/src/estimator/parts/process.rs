//! Empirical process of a group's own trajectories, and the fixed point of its Bellman equation.

use super::anchors::{Anchors, Numbers};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::groups::graph::successors;

/// Most of the work that one task may take: the cubes of the numbers of contexts that lead back to
/// each other, added up.
const WORK_LIMIT: f64 = 2e9;

/// Which context follows which: a transition for every step, as often as it was seen.
pub(super) struct Process {
    /// Where the transitions of each context begin in `next`; at the end, where they stop.
    starts: Vec<usize>,
    next: Vec<usize>,
    count: usize,
}

impl Process {
    /// The end of a success is numbered behind the contexts, and that of a failure behind it.
    pub(super) fn new(batch: &Batch, cohort: &Cohort, anchors: &Anchors) -> Self {
        let count = anchors.contexts.count;
        let mut starts = vec![0; count + 2];
        for &number in &anchors.contexts.of_rows {
            starts[number + 1] += 1;
        }
        for number in 0..=count {
            starts[number + 1] += starts[number];
        }
        let mut places = starts.clone();
        let mut next = vec![0; anchors.contexts.of_rows.len()];
        for (row, &to) in Self::led_to(batch, cohort, anchors).iter().enumerate() {
            let place = &mut places[anchors.contexts.of_rows[row]];
            next[*place] = to;
            *place += 1;
        }
        Self { starts, next, count }
    }

    /// The context that each row's step leads to.
    pub(super) fn led_to(batch: &Batch, cohort: &Cohort, anchors: &Anchors) -> Vec<usize> {
        let Numbers { of_rows, count } = &anchors.contexts;
        successors(batch, cohort, of_rows, *count)
    }

    /// Whether the fixed point takes no more work than is allowed, for all levels of a cohort.
    pub(super) fn is_solvable(batch: &Batch, cohort: &Cohort, levels: &[Anchors]) -> bool {
        // Not more contexts than rows lead back to each other.
        if (cohort.rows.len() as f64).powi(3) * levels.len() as f64 <= WORK_LIMIT {
            return true;
        }
        let of_level = |anchors| {
            let parts = Self::new(batch, cohort, anchors).components();
            parts.iter().map(|part| (part.len() as f64).powi(3)).sum::<f64>()
        };
        levels.iter().map(of_level).sum::<f64>() <= WORK_LIMIT
    }

    /// V = β (M V + b) for every context, and V of the two ends.
    ///
    /// Contexts that lead back to each other are solved together, those that they lead to before
    /// them: exactly, but for rounding. Within such a part, contexts are taken out one by one, their
    /// transitions handed on to those that lead to them. Only positive numbers are added and
    /// divided (Grassmann, Taksar, Heyman), so that nothing cancels even without a discount.
    pub(super) fn fixed_point(&self, discount: f64) -> Vec<f64> {
        let mut values = vec![0.0; self.count + 2];
        values[self.count] = 1.0;
        let mut places = vec![usize::MAX; self.count + 2];
        for part in self.components() {
            for (place, &node) in part.iter().enumerate() {
                places[node] = place;
            }
            for (&node, value) in part.iter().zip(self.part(&part, &places, &values, discount)) {
                values[node] = value;
            }
            for &node in &part {
                places[node] = usize::MAX;
            }
        }
        values
    }

    fn part(&self, part: &[usize], places: &[usize], values: &[f64], discount: f64) -> Vec<f64> {
        let mut system = System::new(part.len());
        for (own, &node) in part.iter().enumerate() {
            let transitions = &self.next[self.starts[node]..self.starts[node + 1]];
            system.leaks[own] = (1.0 - discount) * transitions.len() as f64;
            for &next in transitions {
                match places[next] {
                    usize::MAX => {
                        system.leaks[own] += discount;
                        system.gains[own] += discount * values[next];
                    }
                    other => system.flows[own * part.len() + other] += discount,
                }
            }
        }
        system.solve()
    }

    /// The contexts in parts that lead back to each other; a part comes after those that it leads
    /// to (Tarjan).
    fn components(&self) -> Vec<Vec<usize>> {
        let mut search = Search {
            order: vec![0; self.count],
            lowest: vec![0; self.count],
            is_open: vec![false; self.count],
            met: 0,
            open: Vec::new(),
            parts: Vec::new(),
        };
        for node in 0..self.count {
            if search.order[node] == 0 {
                search.from(self, node);
            }
        }
        search.parts
    }
}

struct Search {
    /// When each context was met, from 1; 0 until then.
    order: Vec<usize>,
    /// The first context met that each one leads back to.
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    met: usize,
    open: Vec<usize>,
    parts: Vec<Vec<usize>>,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.met += 1;
        self.order[node] = self.met;
        self.lowest[node] = self.met;
        self.is_open[node] = true;
        self.open.push(node);
    }

    fn from(&mut self, process: &Process, first: usize) {
        self.enter(first);
        let mut way = vec![(first, process.starts[first])];
        while let Some(&mut (node, ref mut place)) = way.last_mut() {
            if *place == process.starts[node + 1] {
                way.pop();
                if let Some(&(before, _)) = way.last() {
                    self.lowest[before] = self.lowest[before].min(self.lowest[node]);
                }
                self.close(node);
                continue;
            }
            let next = process.next[*place];
            *place += 1;
            if next >= process.count {
                continue;
            }
            if self.order[next] == 0 {
                self.enter(next);
                way.push((next, process.starts[next]));
            } else if self.is_open[next] {
                self.lowest[node] = self.lowest[node].min(self.order[next]);
            }
        }
    }

    /// Everything met since a context that leads back to nothing earlier is a part.
    fn close(&mut self, node: usize) {
        if self.lowest[node] != self.order[node] {
            return;
        }
        let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
        let part = self.open.split_off(start);
        for &node in &part {
            self.is_open[node] = false;
        }
        self.parts.push(part);
    }
}

/// Equations d V = g + Σ f V of contexts that lead to each other, where d is what leaks out of the
/// context and all flows f to others; those to itself are no way on, and are not read.
struct System {
    size: usize,
    leaks: Vec<f64>,
    gains: Vec<f64>,
    flows: Vec<f64>,
}

impl System {
    fn new(size: usize) -> Self {
        Self { size, leaks: vec![0.0; size], gains: vec![0.0; size], flows: vec![0.0; size * size] }
    }

    fn solve(mut self) -> Vec<f64> {
        let divisors: Vec<f64> = (0..self.size).map(|out| self.take_out(out)).collect();
        let mut values = vec![0.0; self.size];
        for own in (0..self.size).rev() {
            let later = own + 1..self.size;
            let row = &self.flows[own * self.size..(own + 1) * self.size];
            let led_to: f64 =
                row[later.clone()].iter().zip(&values[later]).map(|(f, v)| f * v).sum();
            if divisors[own] > 0.0 {
                values[own] = (self.gains[own] + led_to) / divisors[own];
            }
        }
        values
    }

    /// Hands what a context gets on to the later ones that lead to it; its divisor d.
    fn take_out(&mut self, out: usize) -> f64 {
        let (size, later) = (self.size, out + 1..self.size);
        let (before, after) = self.flows.split_at_mut((out + 1) * size);
        let own = &before[out * size..];
        let divisor = self.leaks[out] + own[later.clone()].iter().sum::<f64>();
        for (place, row) in later.clone().zip(after.chunks_exact_mut(size)) {
            if row[out] == 0.0 || divisor == 0.0 {
                continue;
            }
            let share = row[out] / divisor;
            self.leaks[place] += share * self.leaks[out];
            self.gains[place] += share * self.gains[out];
            for (flow, onward) in row[later.clone()].iter_mut().zip(&own[later.clone()]) {
                *flow += share * onward;
            }
        }
        divisor
    }
}
