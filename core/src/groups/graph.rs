//! State graph of a cohort: which state follows which, and where trajectories end.

use crate::batch::Batch;
use crate::batch::cohort::Cohort;

/// What a success is worth on the graph; a failure is worth 0.
pub(crate) const SUCCESS_VALUE: f64 = 10.0;

/// Number of a node: a state, the goal, or the end of an episode that failed.
pub(crate) type Node = usize;

/// States as nodes, steps as edges. The last step of a success leads to the goal, that of a failure
/// to a dead end; both are nodes of their own.
pub(crate) struct Graph {
    /// Node that each row's step leads to.
    pub(crate) next: Vec<Node>,
    /// Node of each row.
    pub(crate) node_of: Vec<Node>,
    /// Where successes end.
    pub(crate) goal: Node,
}

impl Graph {
    /// The graph of all sequences.
    pub(crate) fn new(batch: &Batch, cohort: &Cohort) -> Self {
        let goal = cohort.state_count;
        let node_of: Vec<Node> = cohort.states.iter().map(|&state| state as usize).collect();
        let next = successors(batch, cohort, &node_of, goal);
        Self { next, node_of, goal }
    }

    /// Number of nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.goal + 2
    }

    /// Whether a node is the goal; none for states.
    pub(crate) fn end(&self, node: Node) -> Option<bool> {
        (node >= self.goal).then_some(node == self.goal)
    }

    /// Steps from each node to the goal along edges that were taken; none if it is out of reach.
    pub(crate) fn distances(&self) -> Vec<Option<usize>> {
        // Rows whose step leads to each node.
        let mut into = vec![Vec::new(); self.node_count()];
        for (row, &node) in self.next.iter().enumerate() {
            into[node].push(row);
        }
        let mut distances = vec![None; self.node_count()];
        distances[self.goal] = Some(0);
        let mut frontier = vec![self.goal];
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            let mut further = Vec::new();
            for &row in frontier.iter().flat_map(|&node| &into[node]) {
                let node = self.node_of[row];
                if distances[node].is_none() {
                    distances[node] = Some(distance);
                    further.push(node);
                }
            }
            frontier = further;
        }
        distances
    }
}

/// What the step of every row leads to, by the numbers that rows have: that of the next row of its sequence; at
/// the end of a success `goal`, at that of a failure the number after it.
pub(crate) fn successors(
    batch: &Batch,
    cohort: &Cohort,
    numbers: &[usize],
    goal: usize,
) -> Vec<usize> {
    let mut next = numbers.to_vec();
    for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
        let success = batch.trajectories()[trajectory].succeeded();
        next.copy_within(rows.start + 1..rows.end, rows.start);
        next[rows.end - 1] = if success { goal } else { goal + 1 };
    }
    next
}
