//! Scores of runs on tasks.

use crate::EvidenceError;
use crate::bootstrap::Stream;

/// The scores of one algorithm: a row for every run (seed), a column for every task.
///
/// A task is what is averaged over with equal weight, and within which runs are exchanged: an environment,
/// a world, a split. Who has one number a run has a single task.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// Row by row. 0 has no sign, so that equal numbers have equal bits.
    values: Vec<f64>,
    tasks: usize,
}

impl Scores {
    /// Largest magnitude of a score: sums of millions of them are finite.
    pub const LIMIT: f64 = 1e300;

    /// A row for every run, all for the same tasks in the same order.
    ///
    /// # Errors
    /// [`EvidenceError::NoScores`], [`EvidenceError::UnequalRows`], [`EvidenceError::Score`].
    pub fn new(rows: Vec<Vec<f64>>) -> Result<Self, EvidenceError> {
        let tasks = rows.first().map_or(0, Vec::len);
        if tasks == 0 {
            return Err(EvidenceError::NoScores);
        }
        let mut values = Vec::with_capacity(rows.len() * tasks);
        for (run, row) in rows.into_iter().enumerate() {
            if row.len() != tasks {
                return Err(EvidenceError::UnequalRows { run, expected: tasks, found: row.len() });
            }
            for (task, value) in row.into_iter().enumerate() {
                if !Self::holds(value) {
                    return Err(EvidenceError::Score { run, task, value });
                }
                values.push(value + 0.0);
            }
        }
        Ok(Self { values, tasks })
    }

    /// One score a run.
    ///
    /// # Errors
    /// As [`Scores::new`].
    pub fn single_task(scores: &[f64]) -> Result<Self, EvidenceError> {
        Self::new(scores.iter().map(|&score| vec![score]).collect())
    }

    /// Whether the value can be a score.
    pub(crate) fn holds(value: f64) -> bool {
        (-Self::LIMIT..=Self::LIMIT).contains(&value)
    }

    /// Number of runs, at least 1.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.values.len() / self.tasks
    }

    /// Number of tasks, at least 1.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// All scores, run by run.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The scores for a task, one for every run; none if there is no such task.
    #[must_use]
    pub fn task(&self, task: usize) -> impl ExactSizeIterator<Item = f64> + Clone {
        self.values.get(task..).unwrap_or_default().iter().step_by(self.tasks).copied()
    }

    /// Overwrites each of `drawn` with scores of its own one of `from`, which all have the same shape: for every task on
    /// its own, those of runs that are drawn with replacement, the same runs for all.
    pub(crate) fn redraw<const N: usize>(
        mut drawn: [&mut Self; N],
        from: [&Self; N],
        stream: &mut Stream,
    ) {
        let (runs, tasks) = (from[0].runs(), from[0].tasks);
        for run in 0..runs {
            for task in 0..tasks {
                let source = stream.below(runs) * tasks + task;
                for (drawn, from) in drawn.iter_mut().zip(from) {
                    drawn.values[run * tasks + task] = from.values[source];
                }
            }
        }
    }
}
