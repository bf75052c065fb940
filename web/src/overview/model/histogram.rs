//! How the numbers of a file are spread.

/// Bars on each side of zero.
pub(crate) const SIDE: usize = 12;

/// How numbers are spread around zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Histogram {
    /// Where the axis ends on either side: 1, 2 or 5 times a power of ten.
    pub(crate) limit: f64,
    /// Counts below zero, exactly at it in the middle, and above. A bar besides zero is limit / [`SIDE`] wide.
    pub(crate) bars: [usize; 2 * SIDE + 1],
}

impl Histogram {
    /// The histogram of some numbers. A number between two bars counts to the one nearer to zero.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let peak = values.clone().fold(0.0, |peak: f64, value| peak.max(value.abs()));
        let limit = round_up(peak);
        let mut bars = [0; 2 * SIDE + 1];
        for value in values {
            let away = ((value.abs() / limit * SIDE as f64).ceil() as usize).min(SIDE);
            // However small a number is, it is not zero.
            let away = if value == 0.0 { 0 } else { away.max(1) };
            bars[if value < 0.0 { SIDE - away } else { SIDE + away }] += 1;
        }
        Self { limit, bars }
    }

    /// How many numbers are below zero, exactly at it, and above.
    pub(crate) fn sides(&self) -> [usize; 3] {
        [&self.bars[..SIDE], &self.bars[SIDE..=SIDE], &self.bars[SIDE + 1..]]
            .map(|it| it.iter().sum())
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below a number; 1 for 0.
pub(crate) fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    // What is at a step but for rounding stays there.
    steps.into_iter().find(|step| value <= step * (1.0 + 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers are what is tested")]
mod tests {
    use super::{Histogram, SIDE, round_up};

    #[test]
    fn bars_are_a_twelfth_of_the_limit_wide() {
        // The peak 1.1 gives the limit 2 and bars of 1/6: 0.1 is in the first, 0.2 in the second, 1.1 in
        // the seventh (6.6), 1/6 still in the first; −0.1 and the two zeros by themselves.
        let values = [0.1, 0.2, 1.1, 1.0 / 6.0, -0.1, 0.0, -0.0];
        let found = Histogram::of(values.into_iter());
        let mut bars = [0; 2 * SIDE + 1];
        bars[SIDE - 1..SIDE + 3].copy_from_slice(&[1, 2, 2, 1]);
        bars[SIDE + 7] = 1;
        assert_eq!(found, Histogram { limit: 2.0, bars });
        assert_eq!(found.sides(), [1, 2, 4]);
    }

    #[test]
    fn nothing_and_only_zeros_have_an_axis() {
        assert_eq!(Histogram::of(std::iter::empty()).limit, 1.0);
        let zeros = Histogram::of([0.0, 0.0].into_iter());
        assert_eq!((zeros.limit, zeros.sides()), (1.0, [0, 2, 0]));
    }

    #[test]
    fn axes_end_at_round_numbers() {
        let ends = [0.0, 0.9, 1.0, 1.2, 2.1, 5.1, 0.03, 2000.0, 0.3 / 3.0].map(round_up);
        assert_eq!(ends, [1.0, 1.0, 1.0, 2.0, 5.0, 10.0, 0.05, 2000.0, 0.1]);
    }
}
