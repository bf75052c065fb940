//! How much a statistic would differ had other runs been made: the stratified bootstrap, its intervals and the stream
//! of random numbers that it draws from.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::improvement::Contest;
use crate::profile::Steps;
use crate::{EvidenceError, Scores, performance_profile};

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
            Scores::redraw([&mut resample], [scores], &mut stream);
            statistic(&resample)
        })
    }

    /// The [`probability_of_improvement`](crate::probability_of_improvement), with its interval: both
    /// algorithms' runs are drawn independently of each other, first those of `better`, task by task.
    ///
    /// An interval above ½ says that `better` is ahead.
    ///
    /// # Errors
    /// [`EvidenceError::OtherTasks`].
    pub fn improvement(&self, better: &Scores, worse: &Scores) -> Result<Interval, EvidenceError> {
        let (mut contest, mut stream) = (Contest::new(better, worse)?, Stream::new(self.seed));
        Ok(self.percentile(contest.point(), || contest.resampled(&mut stream)))
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
        self.intervals(performance_profile(scores, thresholds), resampled).collect()
    }

    /// The interval of each point, of what its resamples gave.
    pub(crate) fn intervals(
        &self,
        points: Vec<f64>,
        resampled: Vec<Vec<f64>>,
    ) -> impl Iterator<Item = Interval> {
        let confidence = self.confidence;
        let ends = move |(point, mut resampled): (f64, Vec<f64>)| {
            Interval::percentile(point, &mut resampled, confidence)
        };
        points.into_iter().zip(resampled).map(ends)
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
            Scores::redraw([&mut left_drawn, &mut right_drawn], [left, right], &mut stream);
            difference(&left_drawn, &right_drawn)
        }))
    }

    /// The interval of what `resampled` gives every time it is asked.
    fn percentile(&self, point: f64, resampled: impl FnMut() -> f64) -> Interval {
        let mut values: Vec<f64> = std::iter::repeat_with(resampled).take(self.resamples).collect();
        Interval::percentile(point, &mut values, self.confidence)
    }
}

/// A statistic and between which numbers it is expected, in the unit of the statistic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The statistic of the scores themselves.
    pub point: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The percentile interval of what resamples gave: the middle `confidence` of them. Without any, the
    /// interval is the point.
    fn percentile(point: f64, resampled: &mut [f64], confidence: f64) -> Self {
        if resampled.is_empty() {
            return Self { point, low: point, high: point };
        }
        let confidence = if confidence.is_nan() { 1.0 } else { confidence };
        let tail = ((1.0 - confidence) / 2.0).clamp(0.0, 0.5);
        let low = percentile(resampled, tail);
        Self { point, low, high: percentile(resampled, 1.0 - tail) }
    }
}

/// The value below which the share `of` of the values lies, by linear interpolation between the two that
/// are nearest (numpy's default): the value at place `of` × (n − 1) of the sorted ones, from 0. Reorders
/// the values, of which there are some.
fn percentile(values: &mut [f64], of: f64) -> f64 {
    let place = of * (values.len() - 1) as f64;
    let (_, &mut before, after) = values.select_nth_unstable_by(place as usize, f64::total_cmp);
    let next = after.iter().copied().min_by(f64::total_cmp).unwrap_or(before);
    before + (next - before) * place.fract()
}

/// A reproducible stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(b"evidence of runs");
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Uniform in 0..count, by multiplication (bias below `count / 2^64`).
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_lie_between_the_two_nearest_values() {
        // Five values, 95 %: places 0.025 × 4 = 0.1 and 0.975 × 4 = 3.9 of 0, 10, 20, 30, 40.
        let mut values = [40.0, 0.0, 30.0, 10.0, 20.0];
        let Interval { point, low, high } = Interval::percentile(7.0, &mut values, 0.95);
        assert!(point.total_cmp(&7.0).is_eq());
        assert!((low - 1.0).abs() < 1e-12 && (high - 39.0).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn any_confidence_gives_an_interval() {
        let of = |confidence| {
            let Interval { low, high, .. } =
                Interval::percentile(0.0, &mut [2.0, 1.0, 3.0], confidence);
            (low, high)
        };
        assert_eq!(of(0.0), (2.0, 2.0));
        assert_eq!(of(1.0), (1.0, 3.0));
        assert_eq!((of(-1.0), of(7.0), of(f64::NAN)), ((2.0, 2.0), (1.0, 3.0), (1.0, 3.0)));
        let alone = Interval::percentile(5.0, &mut [], 0.95);
        assert_eq!((alone.low, alone.high), (5.0, 5.0));
    }
}
