//! Axes.

/// What an axis measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Name and unit.
    pub(crate) name: &'static str,
    /// From where to where.
    pub(crate) range: (f64, f64),
    /// How a number is written beside it.
    pub(crate) format: fn(f64) -> String,
}

impl Axis {
    /// Shares of a whole, in per cent.
    pub(crate) fn share(name: &'static str) -> Self {
        Self { name, range: (0.0, 1.0), format: |share| format!("{:.0}", 100.0 * share) }
    }

    /// Environment steps from 0.
    pub(crate) fn steps(to: f64) -> Self {
        let range = (0.0, to.max(1.0));
        Self { name: "environment steps", range, format: crate::numbers::short_count }
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

    /// Places for about `count` labels: multiples of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(&self, count: usize) -> Vec<f64> {
        let (low, high) = self.range;
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let every =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|it| it * power).find(|it| *it >= 0.999 * rough);
        let every = every.unwrap_or(10.0 * power);
        let first = (low / every - 1e-9).ceil() as i64;
        let last = (high / every + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * every).collect()
    }

    /// A value as a share of the way along the axis, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn labels_stand_at_round_numbers() {
        assert_eq!(Axis::share("").ticks(5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(Axis::steps(104_000.0).ticks(5), [0.0, 50_000.0, 100_000.0]);
        let narrow = Axis { range: (0.43, 0.58), ..Axis::share("") };
        assert_eq!(narrow.ticks(4).len(), 3); // 0.45, 0.50, 0.55
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
