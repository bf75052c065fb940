//! Spread of a number over runs.

use hgpo_evidence::{
    Bootstrap, EvidenceError, Interval, Scores, interquartile_mean, sample_deviation,
};

use crate::number_format::{percent, percent_interval};

/// A number over runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The number of every run.
    pub(crate) values: Vec<f64>,
    /// Interquartile mean, with its interval.
    pub(crate) middle: Interval,
    /// Mean.
    pub(crate) mean: f64,
    /// Sample standard deviation; none of a single run.
    pub(crate) deviation: Option<f64>,
}

impl Spread {
    /// Of the numbers of runs; none of no runs.
    ///
    /// # Errors
    /// A number is none.
    pub(crate) fn of(
        values: Vec<f64>,
        bootstrap: Bootstrap,
    ) -> Result<Option<Self>, EvidenceError> {
        if values.is_empty() {
            return Ok(None);
        }
        let middle = bootstrap.interval(&Scores::single_task(&values)?, interquartile_mean);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let deviation = sample_deviation(&values);
        Ok(Some(Self { values, middle, mean, deviation }))
    }

    /// The interquartile mean with its interval, in per cent; of a single run there is no interval.
    pub(crate) fn render(&self) -> String {
        if self.values.len() == 1 { percent(self.mean) } else { percent_interval(self.middle) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_of_all_runs() {
        let few = Bootstrap { resamples: 200, ..Bootstrap::default() };
        let it = Spread::of(vec![0.1, 0.2, 0.3, 0.9], few).unwrap().unwrap();
        // One run is dropped at either end: (0.2 + 0.3) / 2. The mean is 1.5 / 4.
        assert!((it.middle.point - 0.25).abs() < 1e-12 && (it.mean - 0.375).abs() < 1e-12);
        // (0.275² + 0.175² + 0.075² + 0.525²) / 3 = 0.129167
        assert!((it.deviation.unwrap() - 0.359_398).abs() < 1e-6);
        assert_eq!(Spread::of(vec![0.4], few).unwrap().unwrap().deviation, None);
        assert_eq!(Spread::of(Vec::new(), few).unwrap(), None);
    }
}
