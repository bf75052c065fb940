//! Downsampled series: a quantity over the iterations, in bounded memory.

/// What is kept of one quantity: its value at every iteration, and if there are too many of them, means
/// over stretches of equally many.
#[derive(Clone, Debug)]
pub(crate) struct DownsampledSeries {
    points: Vec<SeriesPoint>,
    /// Points that are kept at most.
    capacity: usize,
    /// Values in each point but the last, which may have fewer.
    width: u64,
}

/// The mean of some values, of which there is at least one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeriesPoint {
    /// Mean of their iterations.
    pub iteration: f64,
    /// Mean of the values.
    pub mean: f64,
    /// Sum of their squared deviations from it.
    pub squares: f64,
    /// How many they are.
    pub count: u64,
}

impl Default for DownsampledSeries {
    /// More points than a picture has columns.
    fn default() -> Self {
        Self::with_capacity(4096)
    }
}

impl DownsampledSeries {
    /// A series of which at most so many points are kept, an even number.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { points: Vec::new(), capacity, width: 1 }
    }

    /// Adds the value at an iteration.
    pub(crate) fn push(&mut self, iteration: u64, value: f64) {
        let one = SeriesPoint { iteration: iteration as f64, mean: value, squares: 0.0, count: 1 };
        if let Some(last) = self.points.last_mut()
            && last.count < self.width
        {
            *last = last.and(&one);
            return;
        }
        if self.points.len() == self.capacity {
            self.points = self.points.chunks(2).map(|pair| pair[0].and(&pair[1])).collect();
            self.width *= 2;
        }
        self.points.push(one);
    }

    /// All points, in their order.
    pub(crate) fn points(&self) -> &[SeriesPoint] {
        &self.points
    }
}

impl SeriesPoint {
    /// The mean of both (Chan, Golub and LeVeque 1983).
    pub(crate) fn and(&self, other: &Self) -> Self {
        let count = self.count + other.count;
        let share = other.count as f64 / count as f64;
        let apart = other.mean - self.mean;
        Self {
            iteration: self.iteration + (other.iteration - self.iteration) * share,
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * share * self.count as f64,
            count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit_are_kept_unchanged() {
        let mut series = DownsampledSeries::with_capacity(64);
        let values: Vec<_> = (1..=64).map(|at| (at, 0.1 * at as f64)).collect();
        for &(at, value) in &values {
            series.push(at, value);
        }
        let kept = series.points().iter().map(|it| (it.iteration, it.mean));
        assert!(values.iter().map(|&(at, value)| (at as f64, value)).eq(kept));
    }

    #[test]
    fn excess_values_become_means() {
        let mut series = DownsampledSeries::with_capacity(64);
        let last = 4 * 64 + 1;
        for at in 1..=last {
            series.push(at, 2.0 * at as f64);
        }
        let kept = series.points();
        // Means of four; then, with the next value, of eight: half as many, and that value.
        assert_eq!(kept.len(), 64 / 2 + 1);
        // 2, 4, …, 16: 2 (7² + 5² + 3² + 1²).
        assert_eq!(kept[0], SeriesPoint { iteration: 4.5, mean: 9.0, squares: 168.0, count: 8 });
        assert_eq!((kept[32].iteration, kept[32].mean), (last as f64, 2.0 * last as f64));
    }
}
