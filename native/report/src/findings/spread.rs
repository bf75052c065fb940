//! How a number is spread over runs.

use hgpo_evidence::{Bootstrap, EvidenceError, Interval, Scores, interquartile_mean};

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
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        Ok(Some(Self { values, middle, mean, deviation }))
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
