//! How well an algorithm did after so many steps, over its runs.

use crate::bootstrap::Stream;
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
    for at in at.chunks(AT_ONCE) {
        let ranked: Vec<Ranked> = at.iter().map(|&at| ranked(curves, at)).collect();
        counts.fill(1);
        let points = ranked.iter().map(|it| interquartile_mean(it, &counts)).collect();
        let mut resampled = vec![Vec::new(); at.len()];
        let mut stream = Stream::new(bootstrap.seed);
        for _ in 0..bootstrap.resamples {
            counts.fill(0);
            for _ in 0..curves.len() {
                counts[stream.below(curves.len())] += 1;
            }
            for (resampled, ranked) in resampled.iter_mut().zip(&ranked) {
                resampled.push(interquartile_mean(ranked, &counts));
            }
        }
        band.extend(bootstrap.intervals(points, resampled));
    }
    band
}

/// Entries that runs are drawn for at once; more would take more memory than the 13 MB of these means.
const AT_ONCE: usize = 32;

/// Value and run, ascending by value, so that the interquartile mean of a resample takes no sorting.
type Ranked = Vec<(f64, usize)>;

fn ranked(curves: &[Curve], at: f64) -> Ranked {
    let mut sorted: Ranked = curves.iter().map(|curve| curve.value(at)).zip(0..).collect();
    sorted.sort_by(|left, right| left.0.total_cmp(&right.0));
    sorted
}

/// Of runs that are taken as often as `counts` says, as many in all as there are.
fn interquartile_mean(sorted: &[(f64, usize)], counts: &[usize]) -> f64 {
    let (count, cut) = (sorted.len(), sorted.len() / 4);
    // Deviations from a value in the middle: equal values have exactly their own mean.
    let (middle, _) = sorted[count / 2];
    let (mut seen, mut sum) = (0, 0.0);
    for &(value, run) in sorted {
        let kept = seen.max(cut)..(seen + counts[run]).min(count - cut);
        sum += kept.len() as f64 * (value - middle);
        seen += counts[run];
    }
    middle + sum / (count - 2 * cut) as f64
}
