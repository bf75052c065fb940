//! History of a step: the steps before it, as contexts see it.

use crate::batch::Batch;
use crate::estimator::Options;

/// For every step of a batch, the steps before it whose states its contexts hold.
///
/// ```
/// use hgpo_core::{Batch, Options, StepHistories, Step, Trajectory};
/// let walk = Trajectory::new("g", "a", ["x", "y", "z"].map(|state| Step::new(state, 0.0)).into());
/// let pasts = StepHistories::new(&Batch::new(vec![walk])?, &Options::default());
/// assert_eq!(pasts.of(2).collect::<Vec<_>>(), [1, 0]);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StepHistories {
    before: Vec<Option<usize>>,
    are_summaries: bool,
}

impl StepHistories {
    /// The pasts of a batch: the steps of the same trajectory, and of the same agent if agents
    /// are compared with themselves; none if summaries stand for the past.
    #[must_use]
    pub fn new(batch: &Batch, options: &Options) -> Self {
        let mut before = vec![None; batch.step_count()];
        let are_summaries = options.estimator.reads_summaries();
        if !are_summaries {
            let tasks = 0..batch.tasks().len();
            for cohort in tasks.flat_map(|task| options.estimator.method().cohorts(batch, task)) {
                for rows in cohort.sequences() {
                    for pair in cohort.rows[rows].windows(2) {
                        before[pair[1]] = Some(pair[0]);
                    }
                }
            }
        }
        Self { before, are_summaries }
    }

    /// Whether the steps' own summaries stand for the past.
    #[must_use]
    pub fn are_summaries(&self) -> bool {
        self.are_summaries
    }

    /// The rows before a row, the latest first; none for a row that the batch does not have.
    pub fn of(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let before = |row: usize| self.before.get(row).copied().flatten();
        std::iter::successors(before(row), move |&row| before(row))
    }
}
