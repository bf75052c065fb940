//! Intervals, and the percentiles that they end at.

use serde::{Deserialize, Serialize};

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
    pub(crate) fn percentile(point: f64, resampled: &mut [f64], confidence: f64) -> Self {
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
