//! How well an algorithm did after so many steps, over its runs.

use crate::stream::Stream;
use crate::{Bootstrap, Curve, Interval};

/// The interquartile mean over runs, with its interval, after each of so many steps.
///
/// # Formula
/// At every entry of `at`, [`interquartile_mean`](crate::interquartile_mean) of the curves' values there,
/// with a percentile interval as [`Bootstrap::interval`] gives for a single task. Intervals hold for each
/// entry on its own. Resamples are of whole runs, the same ones at all entries, so that bands are smooth;
/// rliable draws anew at every entry, which gives the same distribution at each. Without curves, nothing.
///
/// ```
/// use hgpo_evidence::{Bootstrap, Curve, sample_efficiency};
/// let rising = |to| Curve::new(vec![0.0, 100.0], vec![0.0, to]);
/// let curves = [rising(0.2)?, rising(0.4)?, rising(0.6)?, rising(9.0)?];
/// // One run is dropped at either end: (0.4 + 0.6) / 2 at the end, half of it half-way.
/// let band = sample_efficiency(&curves, &[0.0, 50.0, 100.0], &Bootstrap::default());
/// let points: Vec<f64> = band.iter().map(|interval| interval.point).collect();
/// assert_eq!(points, [0.0, 0.25, 0.5]);
/// # Ok::<(), hgpo_evidence::EvidenceError>(())
/// ```
#[must_use]
pub fn sample_efficiency(curves: &[Curve], at: &[f64], bootstrap: &Bootstrap) -> Vec<Interval> {
    if curves.is_empty() {
        return Vec::new();
    }
    let mut counts = vec![0; curves.len()];
    let mut band = Vec::with_capacity(at.len());
    for &at in at {
        let ranked = Ranked::new(&curves.iter().map(|curve| curve.value(at)).collect::<Vec<_>>());
        counts.fill(1);
        let point = ranked.interquartile_mean(&counts);
        let mut stream = Stream::new(bootstrap.seed);
        band.push(bootstrap.percentile(point, || {
            ranked.draw(&mut counts, &mut stream);
            ranked.interquartile_mean(&counts)
        }));
    }
    band
}

/// Values of runs and their order, so that the interquartile mean of a resample takes no sorting.
struct Ranked {
    sorted: Vec<f64>,
    /// Place of every run's value among the sorted ones.
    places: Vec<usize>,
}

impl Ranked {
    fn new(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
        let mut places = vec![0; values.len()];
        for (place, &run) in order.iter().enumerate() {
            places[run] = place;
        }
        Self { sorted: order.into_iter().map(|run| values[run]).collect(), places }
    }

    /// Draws as many runs as there are, with replacement, and counts them by place.
    fn draw(&self, counts: &mut [usize], stream: &mut Stream) {
        counts.fill(0);
        for _ in 0..self.places.len() {
            counts[self.places[stream.below(self.places.len())]] += 1;
        }
    }

    /// Of values that are taken as often as `counts` says by place, as many in all as there are.
    fn interquartile_mean(&self, counts: &[usize]) -> f64 {
        let (count, cut) = (self.sorted.len(), self.sorted.len() / 4);
        // Deviations from a value in the middle: equal values have exactly their own mean.
        let middle = self.sorted[count / 2];
        let (mut seen, mut sum) = (0, 0.0);
        for (&value, &times) in self.sorted.iter().zip(counts) {
            let kept = seen.max(cut)..(seen + times).min(count - cut);
            sum += kept.len() as f64 * (value - middle);
            seen += times;
        }
        middle + sum / (count - 2 * cut) as f64
    }
}
