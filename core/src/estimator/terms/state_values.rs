//! State values: the mean outcome of a state's visits.

use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::breakdown::{Difference, Ground, StateSource, StateValue};
use crate::groups::graph::{Graph, Node, SUCCESS_VALUE};
use crate::returns::Discount;

/// The value of every state of a cohort, and of the two ends.
pub(crate) struct StateValues {
    graph: Graph,
    values: Vec<f64>,
    discount: Discount,
}

impl StateValues {
    pub(crate) fn new(batch: &Batch, cohort: &Cohort, discount: Discount) -> Self {
        let graph = Graph::new(batch, cohort);
        let values = values(&graph, cohort, discount);
        Self { graph, values, discount }
    }

    /// V of the state that a row's step leads to.
    pub(crate) fn of_next(&self, row: usize) -> f64 {
        self.values[self.graph.next[row]]
    }

    /// V of the state that a row's step leads to, less that of its own.
    pub(crate) fn gain(&self, row: usize) -> f64 {
        self.of_next(row) - self.values[self.graph.node_of[row]]
    }

    /// [`StateValues::of_next`], with what it is made of.
    pub(crate) fn next(&self, ground: &Ground<'_>, row: usize) -> StateValue {
        let (trajectory, step) = ground.position(row);
        let later = ground.cohort.rows.get(row + 1).map(|&later| ground.batch.position(later));
        let step = match later {
            Some((of, later)) if of == trajectory => later,
            _ => step + 1,
        };
        self.state(ground, self.graph.next[row], step)
    }

    /// [`StateValues::gain`], with what it is made of.
    pub(crate) fn difference(&self, ground: &Ground<'_>, row: usize) -> Difference {
        let (_, step) = ground.position(row);
        let (next, own) =
            (self.next(ground, row), self.state(ground, self.graph.node_of[row], step));
        Difference { step, reward: 0.0, discount: 1.0, next, own, number: self.gain(row) }
    }

    fn state(&self, ground: &Ground<'_>, node: Node, step: usize) -> StateValue {
        let source = match self.graph.end(node) {
            Some(success) => StateSource::End { success },
            None => self.visits(ground, node),
        };
        StateValue { step, source, number: self.values[node] }
    }

    fn visits(&self, ground: &Ground<'_>, node: Node) -> StateSource {
        let mut visits = Vec::new();
        for rows in ground.cohort.sequences() {
            let end = self.values[self.graph.next[rows.end - 1]];
            let own = rows.clone().filter(|&row| self.graph.node_of[row] == node);
            visits.extend(own.map(|row| ground.visit(row, rows.end - row, end)));
        }
        StateSource::Visits { discount: self.discount.get(), visits }
    }
}

/// V of every node.
fn values(graph: &Graph, cohort: &Cohort, discount: Discount) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_usize); graph.node_count()];
    for rows in cohort.sequences() {
        let success = graph.next[rows.end - 1] == graph.goal;
        let mut value = if success { SUCCESS_VALUE } else { 0.0 };
        for row in rows.rev() {
            value *= discount.get();
            let (sum, visits) = &mut sums[graph.node_of[row]];
            (*sum, *visits) = (*sum + value, *visits + 1);
        }
    }
    let mean = |(sum, visits): (f64, usize)| if visits == 0 { 0.0 } else { sum / visits as f64 };
    let mut values: Vec<f64> = sums.into_iter().map(mean).collect();
    values[graph.goal] = SUCCESS_VALUE;
    values
}
