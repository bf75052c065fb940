//! Nodes and edges of a task's graph of states: who went where, how often, and with what advantage on average.

use crate::model::{Cell, Task, Visible};
use std::rc::Rc;

/// The most states that are drawn.
pub(super) const MOST: usize = 40;

/// How an attempt ended: with success, with failure, or without a word of it.
const ENDS: [Option<bool>; 3] = [Some(true), Some(false), None];

/// What an arrow leads to or comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A state, by its position among those of the task.
    State(usize),
    /// The end of attempts, of those that end in one state alike.
    End(Option<bool>),
}

/// The steps from one state to another, or to the end of their attempts, whatever was done.
#[derive(Debug, PartialEq)]
pub(super) struct Edge {
    /// The nodes that it leads from and to.
    pub(super) ends: [usize; 2],
    /// The steps, in the order of the stage; never none.
    pub(super) cells: Vec<Cell>,
    /// The mean of their advantages.
    pub(super) mean: f64,
}

impl Edge {
    /// What was done at its steps, and how often, in the order of the stage.
    pub(super) fn actions<'a>(&self, task: &'a Task) -> Vec<(&'a str, usize)> {
        let mut actions: Vec<(&str, usize)> = Vec::new();
        for cell in &self.cells {
            let action = task.step(*cell).action.as_deref().unwrap_or_default();
            match actions.iter_mut().find(|(known, _)| *known == action) {
                Some((_, count)) => *count += 1,
                None => actions.push((action, 1)),
            }
        }
        actions
    }
}

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The states that are drawn, in the order of the task, and after them the ends.
    pub(super) nodes: Vec<Node>,
    /// The least number of steps to each node from where an attempt begins, without numbers that no node has.
    pub(super) layers: Vec<usize>,
    /// The steps in every state that is drawn, in the order of the stage.
    pub(super) cells: Vec<Vec<Cell>>,
    /// Its edges, in the order of their first steps.
    pub(super) edges: Vec<Edge>,
    /// How many states are left out, as others are visited more often.
    pub(super) left_out: usize,
}

impl Graph {
    /// The graph of some attempts and steps of a task, with the advantages of all its steps.
    pub(super) fn new(task: &Task, advantages: &[Rc<[f64]>], visible: &Visible) -> Self {
        let rows = visible.rows();
        let steps = |row: usize| {
            let end = visible.steps.end.min(task.rows()[row].steps.len());
            (visible.steps.start..end).map(move |step| Cell { row, step })
        };
        let (visits, depths) = (visits(task, &rows, steps), depths(task, &rows, steps));
        let mut graph = Self::default();
        let node_of = graph.choose(&visits, &depths);
        // The edge of every pair of a state and what follows.
        let mut known = vec![None; MOST * (MOST + ENDS.len())];
        for cell in rows.iter().flat_map(|row| steps(*row)) {
            let next = Cell { step: cell.step + 1, ..cell };
            let attempt = &task.rows()[cell.row];
            let Some(from) = node_of[task.position(cell)] else { continue };
            graph.cells[from].push(cell);
            let to = if next.step == attempt.steps.len() {
                let end = ENDS.iter().position(|end| *end == attempt.success);
                MOST + end.unwrap_or_default()
            } else if next.step == visible.steps.end {
                continue;
            } else {
                let Some(to) = node_of[task.position(next)] else { continue };
                to
            };
            let edge = *known[from * (MOST + ENDS.len()) + to].get_or_insert_with(|| {
                let to = if to < MOST { to } else { graph.end(from, ENDS[to - MOST]) };
                graph.edges.push(Edge { ends: [from, to], cells: Vec::new(), mean: 0.0 });
                graph.edges.len() - 1
            });
            let edge = &mut graph.edges[edge];
            edge.cells.push(cell);
            edge.mean += advantages[cell.row][cell.step];
        }
        for edge in &mut graph.edges {
            edge.mean /= edge.cells.len() as f64;
        }
        graph
    }

    /// Takes the most visited states as nodes; which node each state is, if it is one.
    fn choose(&mut self, visits: &[usize], depths: &[usize]) -> Vec<Option<usize>> {
        let mut is_drawn = vec![false; visits.len()];
        for _ in 0..MOST {
            let mut best = None;
            for (state, count) in visits.iter().enumerate() {
                let is_more = best.is_none_or(|best: usize| *count > visits[best]);
                if *count > 0 && !is_drawn[state] && is_more {
                    best = Some(state);
                }
            }
            match best {
                Some(state) => is_drawn[state] = true,
                None => break,
            }
        }
        let mut node_of = vec![None; visits.len()];
        for state in (0..visits.len()).filter(|state| visits[*state] > 0) {
            if is_drawn[state] {
                node_of[state] = Some(self.nodes.len());
                self.nodes.push(Node::State(state));
                self.cells.push(Vec::new());
                // How many depths before its own any state that is drawn has.
                let before = |depth: &usize| {
                    let at_depth = |other: usize| is_drawn[other] && depths[other] == *depth;
                    (0..visits.len()).any(at_depth)
                };
                self.layers.push((0..depths[state]).filter(before).count());
            } else {
                self.left_out += 1;
            }
        }
        node_of
    }

    /// One more node, below a state: where attempts end.
    fn end(&mut self, from: usize, end: Option<bool>) -> usize {
        self.nodes.push(Node::End(end));
        self.layers.push(self.layers[from] + 1);
        self.nodes.len() - 1
    }
}

/// How often every state is visited.
fn visits<S: Iterator<Item = Cell>>(
    task: &Task,
    rows: &[usize],
    steps: impl Fn(usize) -> S,
) -> Vec<usize> {
    let mut visits = vec![0; task.states.len()];
    for cell in rows.iter().flat_map(|row| steps(*row)) {
        visits[task.position(cell)] += 1;
    }
    visits
}

/// The least number of steps to every state from where an attempt begins.
fn depths<S: Iterator<Item = Cell>>(
    task: &Task,
    rows: &[usize],
    steps: impl Fn(usize) -> S,
) -> Vec<usize> {
    let mut depths = vec![usize::MAX; task.states.len()];
    loop {
        let mut has_changed = false;
        for row in rows {
            let mut depth = 0;
            for cell in steps(*row) {
                let own = &mut depths[task.position(cell)];
                has_changed |= depth < *own;
                *own = depth.min(*own);
                depth = *own + 1;
            }
        }
        if !has_changed {
            return depths;
        }
    }
}
