//! Cohort: the trajectories that are compared with each other, of a task or of one agent in it.

use std::collections::HashMap;
use std::ops::Range;

use crate::batch::Batch;
use crate::batch::intern::number;

/// Sequences of steps that are compared with each other, and with nobody else.
///
/// Its rows are numbered anew from 0, sequence after sequence; `rows` tells the row of
/// the batch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cohort {
    /// Index in the batch of each sequence's trajectory.
    pub(crate) trajectories: Vec<usize>,
    first_row: Vec<usize>,
    /// Row of the batch of each row.
    pub(crate) rows: Vec<usize>,
    /// State of each row; equal numbers are the same state.
    pub(crate) states: Vec<u32>,
    /// Every state is below this number.
    pub(crate) state_count: usize,
}

impl Cohort {
    /// The trajectories of a task.
    pub(crate) fn of_task(batch: &Batch, task: usize) -> Self {
        Self::of_tasks(batch, task..task + 1)
    }

    /// The trajectories of several tasks, which have no state in common.
    pub(crate) fn of_tasks(batch: &Batch, tasks: Range<usize>) -> Self {
        let members = || tasks.clone().flat_map(|task| &batch.members[task]);
        let rows = members().map(|&trajectory| batch.rows_of(trajectory).len()).sum();
        let mut cohort = Self::empty(batch.state_counts()[tasks.clone()].iter().sum());
        cohort.reserve(members().count(), rows);
        let mut first_state = 0;
        for task in tasks.clone() {
            for &trajectory in &batch.members[task] {
                cohort.push(batch, trajectory, batch.rows_of(trajectory), first_state);
            }
            first_state += batch.state_counts()[task] as u32;
        }
        cohort
    }

    /// One cohort an agent of the task, in order of first appearance; a sequence is what the agent
    /// did in a trajectory. Steps without an agent are those of one more agent.
    pub(crate) fn of_agents(batch: &Batch, task: usize) -> Vec<Self> {
        let mut cohorts: Vec<Self> = Vec::new();
        let mut numbers = HashMap::new();
        for &trajectory in &batch.members[task] {
            let steps = &batch.trajectories()[trajectory].steps;
            let mut parts: Vec<Vec<usize>> = vec![Vec::new(); cohorts.len()];
            for (row, step) in batch.rows_of(trajectory).zip(steps) {
                let number = number(&mut numbers, step.agent.as_deref());
                if number == cohorts.len() {
                    cohorts.push(Self::empty(batch.state_counts()[task]));
                    parts.push(Vec::new());
                }
                parts[number].push(row);
            }
            for (cohort, rows) in cohorts.iter_mut().zip(parts) {
                if !rows.is_empty() {
                    cohort.push(batch, trajectory, rows, 0);
                }
            }
        }
        cohorts
    }

    /// The whole batch as one cohort, whose tasks have no state in common.
    pub(crate) fn whole(batch: &Batch) -> Self {
        let mut first_state = 0;
        let mut of_task = |&count: &usize| {
            first_state += count;
            (first_state - count) as u32
        };
        let first_states: Vec<u32> = batch.state_counts().iter().map(&mut of_task).collect();
        let mut cohort = Self::empty(first_state);
        for ((trajectory, rows), &task) in batch.rows().enumerate().zip(batch.task_of()) {
            cohort.push(batch, trajectory, rows, first_states[task]);
        }
        cohort
    }

    fn empty(state_count: usize) -> Self {
        Self { first_row: vec![0], state_count, ..Self::default() }
    }

    /// Makes room, so that what follows is not moved about in memory.
    fn reserve(&mut self, sequences: usize, rows: usize) {
        self.trajectories.reserve_exact(sequences);
        self.first_row.reserve_exact(sequences);
        self.rows.reserve_exact(rows);
        self.states.reserve_exact(rows);
    }

    fn push(
        &mut self,
        batch: &Batch,
        trajectory: usize,
        rows: impl IntoIterator<Item = usize>,
        first_state: u32,
    ) {
        let known = self.rows.len();
        self.rows.extend(rows);
        self.states
            .extend(self.rows[known..].iter().map(|&row| batch.states()[row].0 + first_state));
        self.trajectories.push(trajectory);
        self.first_row.push(self.rows.len());
    }

    /// The same sequences with other numbers for their states, below `state_count`.
    pub(crate) fn with_states(&self, states: Vec<u32>, state_count: usize) -> Self {
        Self { states, state_count, ..self.clone() }
    }

    /// The first row of each state that occurs, in order of appearance, and for every row the
    /// number of its state among them.
    pub(crate) fn distinct_states(&self) -> (Vec<usize>, Vec<usize>) {
        let mut number_of = vec![None; self.state_count];
        let mut firsts = Vec::new();
        let number = |(row, &state): (usize, &u32)| {
            *number_of[state as usize].get_or_insert_with(|| {
                firsts.push(row);
                firsts.len() - 1
            })
        };
        let numbers = self.states.iter().enumerate().map(number).collect();
        (firsts, numbers)
    }

    /// Rows of each sequence.
    pub(crate) fn sequences(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + '_ {
        self.first_row.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// What a column of the batch holds at the rows here.
    pub(crate) fn gather(&self, column: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&row| column[row]).collect()
    }
}
