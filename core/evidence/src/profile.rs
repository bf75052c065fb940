//! Which share of the scores is above a threshold.

use crate::Scores;
use crate::bootstrap::Stream;

/// The performance profile: the share of scores above every threshold.
///
/// # Formula
/// F(τ) = number of (run, task) with score > τ / (runs × tasks), strictly above. A share without unit that
/// falls from 1 to 0 as τ grows; 0 for a τ that is NaN. rliable's score distribution.
///
/// ```
/// use hgpo_evidence::{Scores, performance_profile};
/// // Above 0 are three of four; above 0.5, which one score is, two.
/// let scores = Scores::single_task(&[0.0, 0.5, 0.75, 1.0])?;
/// assert_eq!(performance_profile(&scores, &[-1.0, 0.0, 0.5, 1.0]), [1.0, 0.75, 0.5, 0.0]);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
#[must_use]
pub fn performance_profile(scores: &Scores, thresholds: &[f64]) -> Vec<f64> {
    let steps = Steps::new(scores, thresholds);
    let mut counts = vec![0; thresholds.len() + 1];
    for &passed in &steps.passed {
        counts[passed] += 1;
    }
    let mut profile = vec![0.0; thresholds.len()];
    steps.shares(&counts, |threshold, share| profile[threshold] = share);
    profile
}

/// Scores as how many thresholds they are above, so that a profile is one count of them.
pub(crate) struct Steps {
    /// Indices of the thresholds, ascending by threshold.
    order: Vec<usize>,
    /// How many thresholds every score is above, run by run.
    passed: Vec<usize>,
    tasks: usize,
}

impl Steps {
    pub(crate) fn new(scores: &Scores, thresholds: &[f64]) -> Self {
        // No score is above infinity, nor above what is not a number.
        let threshold = |index: usize| {
            Some(thresholds[index]).filter(|it| !it.is_nan()).unwrap_or(f64::INFINITY)
        };
        let mut order: Vec<usize> = (0..thresholds.len()).collect();
        order.sort_by(|&left, &right| threshold(left).total_cmp(&threshold(right)));
        let passed = |&score: &f64| order.partition_point(|&index| threshold(index) < score);
        let passed = scores.values().iter().map(passed).collect();
        Self { order, passed, tasks: scores.tasks() }
    }

    /// Hands the profile of runs that are drawn anew to `take`, as in [`shares`](Self::shares). `counts`
    /// is scratch space.
    pub(crate) fn resampled(
        &self,
        stream: &mut Stream,
        counts: &mut Vec<usize>,
        take: impl FnMut(usize, f64),
    ) {
        counts.clear();
        counts.resize(self.order.len() + 1, 0);
        let runs = self.passed.len() / self.tasks;
        for _ in 0..runs {
            for task in 0..self.tasks {
                counts[self.passed[stream.below(runs) * self.tasks + task]] += 1;
            }
        }
        self.shares(counts, take);
    }

    /// Hands the index of every threshold and the share of scores above it to `take`; `counts` says how
    /// many scores are above so many thresholds.
    fn shares(&self, counts: &[usize], mut take: impl FnMut(usize, f64)) {
        let mut above = 0;
        for (place, &threshold) in self.order.iter().enumerate().rev() {
            above += counts[place + 1];
            take(threshold, above as f64 / self.passed.len() as f64);
        }
    }
}
