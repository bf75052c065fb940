//! What a study plays, and what it gives.

use hgpo_core::{Batch, Discount, TrueAdvantage};

/// What is played of each task.
#[derive(Clone, Copy, Debug)]
pub struct BiasStudyPlan {
    /// Names the tasks, the play and the continuations.
    pub seed: u64,
    /// Tasks.
    pub tasks: usize,
    /// Groups a task, each of the run's group size.
    pub groups: usize,
    /// Continuations a history.
    pub rollouts: usize,
    /// γ of the true values.
    pub discount: Discount,
}

/// The groups of one task.
#[derive(Clone, Debug)]
pub struct BiasStudyTask {
    /// The groups.
    pub groups: Vec<BiasStudyGroup>,
    /// Distinct histories that were valued, and actions whose outcome is left to chance.
    pub histories: usize,
}

/// One group.
#[derive(Clone, Debug)]
pub struct BiasStudyGroup {
    /// Its trajectories.
    pub batch: Batch,
    /// The true advantage of every row whose history and action another group met too.
    pub truth: Vec<Option<TrueAdvantage>>,
}
