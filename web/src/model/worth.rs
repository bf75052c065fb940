//! What the state is worth that a step leads to, as the graph estimators see it.

use super::{Cell, Task};
use hgpo_core::{Estimator, Trajectory};

/// What a success is worth.
const GOAL: f64 = 10.0;

/// What the state is worth that a step leads to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Worth {
    /// `GraphGPO`: the fewest steps from there to the goal, and whether the goal can be reached.
    Distance(usize, bool),
    /// `G2PO`: the value of the state that the step leads to, and that of its own.
    Values(Value, Value),
}

/// The value of a state for `G2PO`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// The goal, or a dead end.
    End(f64),
    /// The mean over the visits of the state.
    Mean(Vec<Visit>),
}

/// A visit of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Visit {
    /// The step.
    pub(crate) cell: Cell,
    /// Steps from it to the end of its attempt, itself among them.
    pub(crate) left: usize,
    /// What the attempt ends with.
    pub(crate) end: f64,
}

impl Worth {
    /// What the step leads to; none for estimators that do not ask.
    pub(crate) fn new(task: &Task, cell: Cell, estimator: &Estimator) -> Option<Self> {
        match estimator {
            Estimator::DrMas(team) => {
                let agent = task.step(cell).agent.as_deref();
                let own = |at| task.step(at).agent.as_deref() == agent;
                Self::among(&Paths::new(task, own), cell, &team.estimator)
            }
            _ => Self::among(&Paths::new(task, |_| true), cell, estimator),
        }
    }

    fn among(paths: &Paths<'_>, cell: Cell, estimator: &Estimator) -> Option<Self> {
        match estimator {
            Estimator::GraphGpo(_) => Some(paths.distance(cell)),
            Estimator::G2po(_) => {
                let next = paths.next(cell);
                let own = paths.task.state(cell).number;
                Some(Self::Values(paths.value(next), paths.value(Node::State(own))))
            }
            _ => None,
        }
    }
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    State(usize),
    Goal,
    DeadEnd,
}

/// The steps that are compared, row by row.
struct Paths<'a> {
    task: &'a Task,
    rows: Vec<Vec<Cell>>,
}

impl<'a> Paths<'a> {
    fn new(task: &'a Task, own: impl Fn(Cell) -> bool) -> Self {
        let cells = |(row, trajectory): (usize, &Trajectory)| {
            let all = (0..trajectory.steps.len()).map(|step| Cell { row, step });
            all.filter(|cell| own(*cell)).collect()
        };
        Self { task, rows: task.rows().iter().enumerate().map(cells).collect() }
    }

    fn next(&self, cell: Cell) -> Node {
        let later = self.rows[cell.row].iter().find(|other| other.step > cell.step);
        match later {
            Some(later) => Node::State(self.task.state(*later).number),
            None if self.task.rows()[cell.row].succeeded() => Node::Goal,
            None => Node::DeadEnd,
        }
    }

    /// The value of a node: ends have their own, states the mean over their visits.
    fn value(&self, node: Node) -> Value {
        let Node::State(number) = node else {
            return Value::End(if node == Node::Goal { GOAL } else { 0.0 });
        };
        let visits = self.rows.iter().flat_map(|row| {
            row.iter().enumerate().filter_map(move |(place, cell)| {
                let end = if self.task.rows()[cell.row].succeeded() { GOAL } else { 0.0 };
                let visit = Visit { cell: *cell, left: row.len() - place, end };
                (self.task.state(*cell).number == number).then_some(visit)
            })
        });
        Value::Mean(visits.collect())
    }

    /// Distances shrink until no step shortens any: every pass settles what is one step further.
    fn distance(&self, cell: Cell) -> Worth {
        let edges: Vec<(usize, Node)> = self
            .rows
            .iter()
            .flatten()
            .map(|cell| (self.task.state(*cell).number, self.next(*cell)))
            .collect();
        let count = edges.iter().map(|(from, _)| from + 1).max().unwrap_or(0);
        let mut steps: Vec<Option<usize>> = vec![None; count];
        let of = |node: Node, steps: &[Option<usize>]| match node {
            Node::State(number) => steps[number],
            Node::Goal => Some(0),
            Node::DeadEnd => None,
        };
        loop {
            let mut settled = true;
            for (from, to) in &edges {
                let through = of(*to, &steps).map(|rest| rest + 1);
                if through.is_some_and(|through| steps[*from].is_none_or(|known| through < known)) {
                    steps[*from] = through;
                    settled = false;
                }
            }
            if settled {
                break;
            }
        }
        let out_of_reach = steps.iter().flatten().max().map_or(1, |largest| largest + 1);
        let distance = of(self.next(cell), &steps);
        Worth::Distance(distance.unwrap_or(out_of_reach), distance.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Value, Visit, Worth};
    use crate::model::PRESETS;
    use hgpo_core::{Estimator, G2po, GraphGpo};

    fn worth(row: usize, step: usize, estimator: &Estimator) -> Option<Worth> {
        let (rollouts, _) = PRESETS[0].load();
        Worth::new(&rollouts.tasks[0], Cell { row, step }, estimator)
    }

    #[test]
    fn distances_are_the_fewest_steps_that_some_attempt_took() {
        // In the overview s5 is one step from the goal, s2 and s4 two; s6 never gets there.
        let graph = Estimator::GraphGpo(GraphGpo::default());
        assert_eq!(worth(0, 2, &graph), Some(Worth::Distance(1, true)), "to s5");
        assert_eq!(worth(1, 2, &graph), Some(Worth::Distance(2, true)), "to s4");
        assert_eq!(worth(0, 3, &graph), Some(Worth::Distance(0, true)), "to the goal");
        // s0 is 4 away by s1 or s3, the largest distance: one more out of reach.
        assert_eq!(worth(3, 2, &graph), Some(Worth::Distance(5, false)), "to s6");
    }

    #[test]
    fn a_state_is_worth_the_mean_of_its_visits() {
        let visit = |row, step, left, end| Visit { cell: Cell { row, step }, left, end };
        let Some(Worth::Values(next, own)) = worth(0, 2, &Estimator::G2po(G2po::default())) else {
            panic!("G2PO asks");
        };
        assert_eq!(next, Value::Mean(vec![visit(0, 3, 1, 10.0), visit(2, 5, 1, 10.0)]), "s5");
        let visits = vec![
            visit(0, 2, 2, 10.0),
            visit(1, 2, 3, 0.0),
            visit(2, 3, 3, 10.0),
            visit(3, 2, 2, 0.0),
        ];
        assert_eq!(own, Value::Mean(visits), "s2");
    }
}
