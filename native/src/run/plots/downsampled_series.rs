//! Downsampled series: a quantity over the iterations, in bounded memory.

/// Points that are kept at most: more than a picture has columns.
const MOST: usize = 4096;

/// What is kept of one quantity: its value at every iteration, and if there are too many of them, means
/// over stretches of equally many.
#[derive(Clone, Debug)]
pub(crate) struct DownsampledSeries {
    points: Vec<Point>,
    /// Values in each point but the last, which may have fewer.
    width: u64,
}

/// Sums over some values, of which there is at least one.
#[derive(Clone, Copy, Debug)]
struct Point {
    iterations: f64,
    values: f64,
    count: u64,
}

impl Default for DownsampledSeries {
    fn default() -> Self {
        Self { points: Vec::new(), width: 1 }
    }
}

impl DownsampledSeries {
    /// Adds the value at an iteration.
    pub(crate) fn push(&mut self, iteration: u64, value: f64) {
        let one = Point { iterations: iteration as f64, values: value, count: 1 };
        if let Some(last) = self.points.last_mut()
            && last.count < self.width
        {
            *last = last.and(&one);
            return;
        }
        if self.points.len() == MOST {
            self.points = self.points.chunks(2).map(|pair| pair[0].and(&pair[1])).collect();
            self.width *= 2;
        }
        self.points.push(one);
    }

    /// Mean iteration and mean value of every point.
    pub(crate) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.points.iter().map(|point| {
            let count = point.count as f64;
            (point.iterations / count, point.values / count)
        })
    }
}

impl Point {
    fn and(&self, other: &Self) -> Self {
        Self {
            iterations: self.iterations + other.iterations,
            values: self.values + other.values,
            count: self.count + other.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit_are_kept_unchanged() {
        let mut series = DownsampledSeries::default();
        let values: Vec<_> = (1..=MOST as u64).map(|at| (at, 0.1 * at as f64)).collect();
        for &(at, value) in &values {
            series.push(at, value);
        }
        let kept: Vec<_> = series.points().collect();
        assert!(values.iter().map(|&(at, value)| (at as f64, value)).eq(kept));
    }

    #[test]
    fn excess_values_become_means() {
        let mut series = DownsampledSeries::default();
        let last = 4 * MOST as u64 + 1;
        for at in 1..=last {
            series.push(at, 2.0 * at as f64);
        }
        let kept: Vec<_> = series.points().collect();
        // Means of four; then, with the next value, of eight: half as many, and that value.
        assert_eq!(kept.len(), MOST / 2 + 1);
        assert_eq!(kept[0], (4.5, 9.0));
        assert_eq!(kept[MOST / 2], (last as f64, 2.0 * last as f64));
    }
}
