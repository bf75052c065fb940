//! How much a statistic would differ had other runs been made: the stratified bootstrap.

use crate::improvement::Contest;
use crate::profile::Steps;
use crate::stream::Stream;
use crate::{EvidenceError, Interval, Scores, performance_profile, probability_of_improvement};

/// The stratified bootstrap with percentile intervals.
///
/// # Formula
/// A resample has the shape of the scores. For every task on its own, runs are drawn with replacement, as
/// many as there are; the statistic of the resample is computed. Of all resamples' statistics, sorted, the
/// interval ends at the places q (n − 1) and (1 − q)(n − 1) with q = (1 − confidence) / 2, interpolated
/// linearly. This is rliable's `get_interval_estimates` with the method `percentile`, which redraws runs
/// and not tasks: the interval is for these very tasks.
///
/// The ends are random themselves: with 50,000 resamples, by about a hundredth of the interval's length
/// (standard error of the 2.5 % percentile: √(0.025 × 0.975 / 50,000) / density, 0.012 standard deviations
/// if the statistic is normal). The interval of a single run is its point, which says nothing about
/// other runs, and intervals of fewer than about ten runs are too short.
///
/// Out of range, `resamples` of 0 give the point alone, and `confidence` counts as the nearest of 0 and 1
/// (NaN as 1); [`validate`](Self::validate) refuses both. A resample takes 8 bytes for every interval that
/// is computed at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples: 50,000, as rliable takes.
    pub resamples: usize,
    /// Share of the resamples inside the interval: 0.95.
    pub confidence: f64,
    /// Seed of the resampling: 0. The same seed gives the same bytes.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 50_000, confidence: 0.95, seed: 0 }
    }
}

impl Bootstrap {
    /// The most resamples that [`validate`](Self::validate) lets pass: their statistics take 80 MB.
    pub const MOST_RESAMPLES: usize = 10_000_000;

    /// Whether this is a bootstrap of any use.
    ///
    /// # Errors
    /// [`EvidenceError::Resamples`], [`EvidenceError::Confidence`].
    pub fn validate(&self) -> Result<(), EvidenceError> {
        if !(1..=Self::MOST_RESAMPLES).contains(&self.resamples) {
            return Err(EvidenceError::Resamples(self.resamples));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(EvidenceError::Confidence(self.confidence));
        }
        Ok(())
    }

    /// A statistic of the scores, with its interval.
    ///
    /// ```
    /// use hgpo_evidence::{Bootstrap, Scores, mean};
    /// // Of two runs, a resample has both (half of all), the first twice or the second twice (a quarter
    /// // each): means of 0.5, 0 and 1, and the outer 2.5 % are 0 and 1.
    /// let interval = Bootstrap::default().interval(&Scores::single_task(&[0.0, 1.0])?, mean);
    /// assert_eq!((interval.point, interval.low, interval.high), (0.5, 0.0, 1.0));
    /// # Ok::<(), hgpo_evidence::EvidenceError>(())
    /// ```
    #[must_use]
    pub fn interval(&self, scores: &Scores, statistic: impl Fn(&Scores) -> f64) -> Interval {
        let (mut stream, mut resample) = (Stream::new(self.seed), scores.clone());
        self.percentile(statistic(scores), || {
            resample.redraw(scores, &mut stream);
            statistic(&resample)
        })
    }

    /// The [`probability_of_improvement`], with its interval: both algorithms' runs are drawn
    /// independently of each other, first those of `better`, task by task.
    ///
    /// An interval above ½ says that `better` is ahead.
    ///
    /// # Errors
    /// [`EvidenceError::OtherTasks`].
    pub fn improvement(&self, better: &Scores, worse: &Scores) -> Result<Interval, EvidenceError> {
        let point = probability_of_improvement(better, worse)?;
        let mut contest = Contest::new(better, worse)?;
        let mut stream = Stream::new(self.seed);
        Ok(self.percentile(point, || contest.resampled(&mut stream)))
    }

    /// The [`performance_profile`], with an interval for every threshold on its own. All thresholds see
    /// the same resamples.
    #[must_use]
    pub fn profile(&self, scores: &Scores, thresholds: &[f64]) -> Vec<Interval> {
        let steps = Steps::new(scores, thresholds);
        let (mut stream, mut counts) = (Stream::new(self.seed), Vec::new());
        let mut resampled = vec![Vec::new(); thresholds.len()];
        for _ in 0..self.resamples {
            steps.resampled(&mut stream, &mut counts, |threshold, share| {
                resampled[threshold].push(share);
            });
        }
        let points = performance_profile(scores, thresholds).into_iter();
        let ends = |(point, mut resampled): (f64, Vec<f64>)| {
            Interval::percentile(point, &mut resampled, self.confidence)
        };
        points.zip(resampled).map(ends).collect()
    }

    /// The difference of a statistic between two algorithms whose runs come in pairs, with its interval.
    ///
    /// # Formula
    /// statistic(left) − statistic(right), in the unit of the statistic. Run i of both has the same seed,
    /// so that both met the same tasks and chances. For every task on its own, pairs of runs are drawn
    /// with replacement: when luck hits both alike, it cancels, and the interval is shorter than that of
    /// unpaired runs. rliable never pairs runs; say so beside such an interval. One that does not hold 0
    /// says that the algorithms differ.
    ///
    /// ```
    /// use hgpo_evidence::{Bootstrap, Scores, mean};
    /// // Seeds differ by much, the algorithms by exactly 1 with every seed.
    /// let left = Scores::single_task(&[11.0, 56.0, 91.0])?;
    /// let right = Scores::single_task(&[10.0, 55.0, 90.0])?;
    /// let difference = Bootstrap::default().paired_difference(&left, &right, mean)?;
    /// assert!((difference.point - 1.0).abs() < 1e-12);
    /// assert!((difference.low - 1.0).abs() < 1e-12 && (difference.high - 1.0).abs() < 1e-12);
    /// # Ok::<(), hgpo_evidence::EvidenceError>(())
    /// ```
    ///
    /// # Errors
    /// [`EvidenceError::OtherRuns`], [`EvidenceError::OtherTasks`].
    pub fn paired_difference(
        &self,
        left: &Scores,
        right: &Scores,
        statistic: impl Fn(&Scores) -> f64,
    ) -> Result<Interval, EvidenceError> {
        if left.tasks() != right.tasks() {
            return Err(EvidenceError::OtherTasks { left: left.tasks(), right: right.tasks() });
        }
        if left.runs() != right.runs() {
            return Err(EvidenceError::OtherRuns { left: left.runs(), right: right.runs() });
        }
        let mut stream = Stream::new(self.seed);
        let (mut left_drawn, mut right_drawn) = (left.clone(), right.clone());
        let difference = |left: &Scores, right: &Scores| statistic(left) - statistic(right);
        Ok(self.percentile(difference(left, right), || {
            let pair = [&mut left_drawn, &mut right_drawn];
            Scores::redraw_pair(pair, [left, right], &mut stream);
            difference(&left_drawn, &right_drawn)
        }))
    }

    /// The interval of what `resampled` gives every time it is asked.
    fn percentile(&self, point: f64, resampled: impl FnMut() -> f64) -> Interval {
        let mut values: Vec<f64> = std::iter::repeat_with(resampled).take(self.resamples).collect();
        Interval::percentile(point, &mut values, self.confidence)
    }
}
