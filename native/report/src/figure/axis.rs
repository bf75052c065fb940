//! Axes of figures, their ranges and their labels.

use crate::number_format::short_count;

/// What an axis measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Name and unit.
    pub(crate) name: &'static str,
    /// From where to where.
    pub(crate) range: (f64, f64),
    /// How its numbers are written.
    pub(crate) unit: Unit,
}

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Shares in per cent.
    Percent,
    /// Counts, thousands as `k`.
    Count,
    /// As they are.
    Plain,
}

impl Axis {
    /// Shares of a whole, in per cent.
    pub(crate) fn share(name: &'static str) -> Self {
        Self { name, range: (0.0, 1.0), unit: Unit::Percent }
    }

    /// Environment steps from 0.
    pub(crate) fn steps(to: f64) -> Self {
        Self { name: "environment steps", range: (0.0, to.max(1.0)), unit: Unit::Count }
    }

    /// The same with a range that holds all values, and some room; inside `bounds`.
    pub(crate) fn around(self, values: impl Iterator<Item = f64>, bounds: (f64, f64)) -> Self {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return self;
        }
        let room = (0.06 * (high - low)).max(0.01);
        Self { range: ((low - room).max(bounds.0), (high + room).min(bounds.1)), ..self }
    }

    /// About `count` places with their labels: multiples of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let (low, high) = self.range;
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
        let every = steps.into_iter().find(|it| *it >= 0.999 * rough).unwrap_or(10.0 * power);
        let first = (low / every - 1e-9).ceil() as i64;
        let last = (high / every + 1e-9).floor() as i64;
        (first..=last).map(|at| at as f64 * every).map(|it| (it, self.label(it, every))).collect()
    }

    /// A number with as many places as its neighbours, `every` apart, differ in.
    fn label(&self, value: f64, every: f64) -> String {
        let (value, every) = match self.unit {
            Unit::Percent => (100.0 * value, 100.0 * every),
            Unit::Count => return short_count(value),
            Unit::Plain => (value, every),
        };
        let places = (-every.log10() - 1e-9).ceil().max(0.0) as usize;
        format!("{value:.places$}")
    }

    /// A value as a share of the way along the axis, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Unit};

    fn labels(axis: &Axis, count: usize) -> Vec<String> {
        axis.ticks(count).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn labels_stand_at_round_numbers() {
        assert_eq!(labels(&Axis::share(""), 5), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&Axis::steps(104_000.0), 5), ["0", "50k", "100k"]);
        let narrow = Axis { range: (0.43, 0.58), ..Axis::share("") };
        assert_eq!(labels(&narrow, 4), ["45", "50", "55"]);
        let narrower = Axis { range: (0.615, 0.635), ..Axis::share("") };
        assert_eq!(labels(&narrower, 4), ["61.5", "62.0", "62.5", "63.0", "63.5"]);
        let plain = Axis { unit: Unit::Plain, ..Axis::share("") };
        assert_eq!(labels(&plain, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn the_range_holds_all_values_inside_the_bounds() {
        let axis = Axis::share("").around([0.2, 0.7, f64::NAN].into_iter(), (0.0, 1.0));
        assert!((axis.range.0 - 0.17).abs() < 1e-12 && (axis.range.1 - 0.73).abs() < 1e-12);
        let same = Axis::share("").around([1.0].into_iter(), (0.0, 1.0));
        assert_eq!(same.range, (0.99, 1.0));
        assert_eq!(Axis::share("").around([].into_iter(), (0.0, 1.0)).range, (0.0, 1.0));
    }
}
