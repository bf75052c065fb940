//! Means over seeds, and what a seed's chance can do to them.

/// The mean of a number over the seeds of a lane, and the 95 % interval of that mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Band {
    /// The mean.
    pub(crate) mean: f64,
    /// Half the interval's width: t · s / √n with s over n − 1; 0 for one seed, which has no interval.
    pub(crate) half: f64,
}

/// The 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The same for degrees of freedom without bound.
const NORMAL: f64 = 1.960;

impl Band {
    /// The band of one number per seed; none without a seed.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        if count == 1 {
            return Some(Self { mean, half: 0.0 });
        }
        let freedom = count - 1;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / freedom as f64).sqrt();
        // Between the table's end and no bound, the quantile falls as 1 over the degrees of freedom.
        let quantile = T
            .get(freedom - 1)
            .copied()
            .unwrap_or(NORMAL + (T[29] - NORMAL) * 30.0 / freedom as f64);
        Some(Self { mean, half: quantile * deviation / (count as f64).sqrt() })
    }

    /// Its lower end, within what a share can be.
    pub(crate) fn low(self) -> f64 {
        (self.mean - self.half).max(0.0)
    }

    /// Its upper end, within what a share can be.
    pub(crate) fn high(self) -> f64 {
        (self.mean + self.half).min(1.0)
    }
}

/// Points that look the same on a screen: at most `most` of them, the first and the last among them.
pub(crate) fn thinned(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let every = count.div_ceil(most.max(1)).max(1);
    let last = count.saturating_sub(1);
    (0..count).filter(move |place| place % every == 0 || *place == last)
}

#[cfg(test)]
mod tests {
    use super::{Band, thinned};

    #[test]
    fn a_band_is_the_interval_of_the_mean() {
        assert_eq!(Band::of(&[]), None);
        assert_eq!(Band::of(&[0.25]), Some(Band { mean: 0.25, half: 0.0 }));
        // 0.2, 0.4, 0.6: mean 0.4, s = 0.2, t of 2 degrees 4.303, so 4.303 · 0.2 / √3 = 0.4969.
        let band = Band::of(&[0.2, 0.4, 0.6]).expect("seeds");
        assert!(
            (band.mean - 0.4).abs() < 1e-12 && (band.half - 0.496_868).abs() < 1e-5,
            "{band:?}"
        );
        assert!(band.low().abs() < 1e-12 && (band.high() - 0.896_868).abs() < 1e-5);
        // 41 values of 0 and 1 in turn: 40 degrees, 1.96 + 0.082 · 30 / 40 = 2.0215 (the table: 2.021).
        let many: Vec<f64> = (0..41).map(|place| f64::from(place % 2)).collect();
        let band = Band::of(&many).expect("seeds");
        let deviation = (20.0 * 21.0 / 41.0_f64 / 40.0).sqrt();
        assert!((band.half - 2.0215 * deviation / 41.0_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn thinning_keeps_both_ends() {
        assert_eq!(thinned(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(thinned(10, 4).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(thinned(11, 4).collect::<Vec<_>>(), [0, 3, 6, 9, 10]);
        assert_eq!(thinned(0, 4).count(), 0);
    }
}
