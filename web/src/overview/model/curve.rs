//! A metric over the iterations of some runs, and how the numbers of a file are spread, as a picture's measures.

/// Iterations that a mean is taken over, at most.
const WINDOW: usize = 20;

/// Points from which on a curve is drawn with its running mean.
const NOISY: usize = 40;

/// The most points of a line; more are not told apart on a screen.
const POINTS: usize = 600;

/// Where a chart's axes begin and end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axes {
    /// The first and the last iteration.
    pub(crate) iterations: [u64; 2],
    /// The least and the largest value, rounded to a step of the scale.
    pub(crate) values: [f64; 2],
    /// The step between two lines of the scale.
    pub(crate) step: f64,
}

impl Axes {
    /// Axes on which all points lie; none without a point.
    pub(crate) fn of<'a>(points: impl Iterator<Item = &'a (u64, f64)>) -> Option<Self> {
        let ends = points.map(|&(iteration, value)| ([iteration; 2], [value; 2]));
        let (iterations, [low, high]) =
            ends.reduce(|(whens, values), ([when, _], [value, _])| {
                let values = [values[0].min(value), values[1].max(value)];
                ([whens[0].min(when), whens[1].max(when)], values)
            })?;
        let step = step_of(high - low, high.abs().max(low.abs()));
        let (low, high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        let high = if high > low { high } else { low + step };
        Some(Self { iterations, values: [low, high], step })
    }

    /// The values at the lines of the scale.
    pub(crate) fn lines(&self) -> Vec<f64> {
        let [low, high] = self.values;
        let count = ((high - low) / self.step).round() as usize;
        // Multiplied, not added up; the zero without a sign.
        (0..=count)
            .map(|line| ((low / self.step).round() + line as f64) * self.step + 0.0)
            .collect()
    }

    /// Where a point lies, as shares of the width and, from the top, of the height.
    pub(crate) fn place(&self, (iteration, value): (u64, f64)) -> (f64, f64) {
        let [first, last] = self.iterations;
        let across =
            if last > first { (iteration - first) as f64 / (last - first) as f64 } else { 0.5 };
        let [low, high] = self.values;
        (across, (high - value) / (high - low))
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides a span into two to five parts.
fn step_of(span: f64, size: f64) -> f64 {
    let span = [span, size].into_iter().find(|it| *it > 0.0).unwrap_or(1.0);
    round_up(span / 5.0)
}

/// The running mean of noisy points, each over the points up to it; none for a few points.
pub(crate) fn running_mean(points: &[(u64, f64)]) -> Option<Vec<(u64, f64)>> {
    if points.len() < NOISY {
        return None;
    }
    let mean = |(place, &(iteration, _)): (usize, &(u64, f64))| {
        let own = &points[(place + 1).saturating_sub(WINDOW)..=place];
        (iteration, own.iter().map(|(_, value)| value).sum::<f64>() / own.len() as f64)
    };
    Some(points.iter().enumerate().map(mean).collect())
}

/// Points that look the same on a screen: of each stretch of neighbours the least and the largest.
pub(crate) fn thinned(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    if points.len() <= POINTS {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(POINTS);
    for part in points.chunks(points.len().div_ceil(POINTS / 2)) {
        let by_value = |one: &&(u64, f64), other: &&(u64, f64)| one.1.total_cmp(&other.1);
        let ends = [part.iter().min_by(by_value), part.iter().max_by(by_value)];
        let mut ends: Vec<(u64, f64)> = ends.into_iter().flatten().copied().collect();
        ends.sort_by_key(|(iteration, _)| *iteration);
        ends.dedup();
        kept.extend(ends);
    }
    kept
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "hand-derived numbers are what is tested")]
mod tests {
    use super::{Axes, running_mean, thinned};

    #[test]
    fn scales_have_round_steps() {
        // 0.12 to 0.93: the span 0.81 in fifths is 0.162, so steps of 0.2, from 0 to 1.
        let axes = Axes::of([(1, 0.12), (9, 0.93), (5, 0.5)].iter()).expect("points");
        assert_eq!((axes.iterations, axes.values, axes.step), ([1, 9], [0.0, 1.0], 0.2));
        let lines = axes.lines();
        assert_eq!(lines.len(), 6);
        assert!((lines[3] - 0.6).abs() < 1e-12);
        assert_eq!(axes.place((5, 0.25)), (0.5, 0.75));
        assert_eq!(Axes::of([].iter()), None);
    }

    #[test]
    fn one_point_and_a_constant_have_a_scale() {
        let one = Axes::of([(7, 0.0)].iter()).expect("a point");
        assert_eq!((one.values, one.place((7, 0.0))), ([0.0, 0.2], (0.5, 1.0)));
        let below = Axes::of([(1, -3.0), (2, -3.0)].iter()).expect("points");
        assert_eq!(below.values, [-3.0, -2.0], "steps of 1");
    }

    #[test]
    fn a_mean_runs_over_twenty_points() {
        assert_eq!(running_mean(&[(1, 1.0); 39]), None);
        let points: Vec<(u64, f64)> = (1..=40).map(|number| (number, number as f64)).collect();
        let mean = running_mean(&points).expect("enough");
        // The first alone; the second over 1 and 2; the last over 21 to 40.
        assert_eq!((mean[0], mean[1], mean[39]), ((1, 1.0), (2, 1.5), (40, 30.5)));
    }

    #[test]
    fn peaks_survive_thinning() {
        let points: Vec<(u64, f64)> =
            (0..6000).map(|number| (number, if number == 3210 { 9.0 } else { 0.0 })).collect();
        let kept = thinned(&points);
        assert!(kept.len() <= 602 && kept.contains(&(3210, 9.0)));
        assert!(kept.is_sorted_by_key(|(iteration, _)| *iteration));
        assert_eq!(thinned(&points[..10]), points[..10]);
    }
}

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
mod histogram_tests {
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
