//! What is refused, where it is, and what to do about it.

use crate::Scores;

/// Everything that this crate refuses. Runs, tasks and points are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// No runs, or no tasks.
    #[error("no scores: at least one run with a score for at least one task is needed")]
    NoScores,
    /// A run has more or fewer tasks than the first one.
    #[error(
        "run {run} has {found} scores, run 0 has {expected}: give every run a score for every task"
    )]
    UnequalRows {
        /// The run.
        run: usize,
        /// Scores of run 0.
        expected: usize,
        /// Scores of this run.
        found: usize,
    },
    /// A score that is NaN, infinite or too large to be added up.
    #[error("the score of run {run} for task {task} is {value}, not a number within ±{limit:e}: leave the run out, or scale the scores", limit = Scores::LIMIT)]
    Score {
        /// The run.
        run: usize,
        /// The task.
        task: usize,
        /// The score.
        value: f64,
    },
    /// Two matrices that are of other tasks.
    #[error("{left} tasks on one side and {right} on the other: compare scores for the same tasks")]
    OtherTasks {
        /// Tasks of the first matrix.
        left: usize,
        /// Tasks of the second matrix.
        right: usize,
    },
    /// Runs that cannot be paired.
    #[error(
        "{left} runs on one side and {right} on the other: runs are paired only where both sides have the same seeds"
    )]
    OtherRuns {
        /// Runs of the first matrix.
        left: usize,
        /// Runs of the second matrix.
        right: usize,
    },
    /// A curve without points, or with more steps than values.
    #[error(
        "a curve of {at} steps and {values} values: give at least one point, and a value for every step"
    )]
    CurveLengths {
        /// Number of steps.
        at: usize,
        /// Number of values.
        values: usize,
    },
    /// Steps of a curve that do not increase, or are no steps.
    #[error(
        "point {point} of the curve is at {at}: steps must be finite, at least 0, and increase"
    )]
    CurveStep {
        /// The point.
        point: usize,
        /// Where it is.
        at: f64,
    },
    /// A value of a curve that is NaN, infinite or too large to be added up.
    #[error("the value of the curve's point {point} is {value}, not a number within ±{limit:e}", limit = Scores::LIMIT)]
    CurveValue {
        /// The point.
        point: usize,
        /// Its value.
        value: f64,
    },
    /// A bootstrap of no resamples, or of too many.
    #[error("{0} resamples: from 1 to {limit} are possible", limit = crate::Bootstrap::MOST_RESAMPLES)]
    Resamples(usize),
    /// An interval that holds nothing or everything.
    #[error("a confidence of {0}: it must be above 0 and below 1, as 0.95 is")]
    Confidence(f64),
}
