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
    next: Vec<Node>,
    node_of: Vec<Node>,
    goal: Node,
}

impl Graph {
    /// The graph of all sequences.
    pub(crate) fn new(batch: &Batch, cohort: &Cohort) -> Self {
        let goal = cohort.state_count;
        let node_of: Vec<Node> = cohort.states.iter().map(|&state| state as usize).collect();
        let mut next = node_of.clone();
        for (rows, &trajectory) in cohort.sequences().zip(&cohort.trajectories) {
            let success = batch.trajectories()[trajectory].succeeded();
            next.copy_within(rows.start + 1..rows.end, rows.start);
            next[rows.end - 1] = if success { goal } else { goal + 1 };
        }
        Self { next, node_of, goal }
    }

    /// Number of nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.goal + 2
    }

    /// Where successes end.
    pub(crate) fn goal(&self) -> Node {
        self.goal
    }

    /// Whether a node is the goal; none for states.
    pub(crate) fn end(&self, node: Node) -> Option<bool> {
        (node >= self.goal).then_some(node == self.goal)
    }

    /// Node of a row.
    pub(crate) fn node(&self, row: usize) -> Node {
        self.node_of[row]
    }

    /// Node that a row's step leads to.
    pub(crate) fn next(&self, row: usize) -> Node {
        self.next[row]
    }

    /// Steps from each node to the goal along edges that were taken; none if it is out of reach.
    pub(crate) fn distances(&self) -> Vec<Option<usize>> {
        let into = self.edges_into();
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

    /// Rows whose step leads to each node.
    fn edges_into(&self) -> Vec<Vec<usize>> {
        let mut into = vec![Vec::new(); self.node_count()];
        for (row, &node) in self.next.iter().enumerate() {
            into[node].push(row);
        }
        into
    }
}
