//! Statistics of an arm, and the spread of a number over its runs.

use hgpo_evidence::{
    Bootstrap, Curve, EvidenceError, Interval, Scores, interquartile_mean, sample_deviation,
    sample_efficiency,
};
use hgpo_study::run_scores::area;
use hgpo_study::summary::{ArmSummary, RunSummary};

use crate::number_format::{percent, percent_interval};

/// How many parts the axis of steps is divided into.
const PLACES: usize = 60;

/// Places on an axis and what was measured there.
pub(crate) type Band = Vec<(f64, Interval)>;

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

/// Success on held-out tasks of one kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Success {
    /// Before reinforcement learning.
    pub(crate) before: Option<Spread>,
    /// At the end.
    pub(crate) after: Option<Spread>,
}

/// What is known of one arm.
#[derive(Clone, Debug)]
pub(crate) struct Finding<'a> {
    /// The arm.
    pub(crate) arm: &'a ArmSummary,
    /// Its name beside others that met the same tasks.
    pub(crate) name: String,
    /// Its runs that are counted: those that are finished.
    pub(crate) finished: Vec<&'a RunSummary>,
    /// Its number among the arms that have a colour.
    pub(crate) series: Option<usize>,
    /// The area under the success curve.
    pub(crate) area: Option<Spread>,
    /// Success on seen and unseen tasks.
    pub(crate) success: [Success; 2],
    /// Probability that a run of it has a larger area than one of the first arm.
    pub(crate) improvement: Option<Interval>,
    /// Interquartile mean of the area less that of the first arm over the seeds that both have, and how
    /// many these are.
    pub(crate) difference: Option<(Interval, usize)>,
    /// Success over environment steps.
    pub(crate) curve: Band,
    /// The area, had the budget been smaller.
    pub(crate) efficiency: Band,
    /// Share of the runs whose area is above a threshold.
    pub(crate) profile: Band,
}

impl<'a> Finding<'a> {
    /// What an arm's finished runs say of themselves, up to a budget of environment steps, with intervals by
    /// the bootstraps of the headline and of curves.
    ///
    /// # Errors
    /// A number is none.
    pub(crate) fn of(
        arm: &'a ArmSummary,
        budget: f64,
        thresholds: &[f64],
        [headline, curves]: [Bootstrap; 2],
    ) -> Result<Self, EvidenceError> {
        let finished: Vec<&RunSummary> = arm.finished().collect();
        let areas = areas(&finished);
        let profile = match areas.as_slice() {
            [] => Band::new(),
            areas => profile(&Scores::single_task(areas)?, thresholds, curves),
        };
        let (curve, efficiency) = bands(&finished, budget, curves)?;
        let success = |split| held_out(&finished, split, headline);
        Ok(Self {
            success: [success("seen")?, success("unseen")?],
            arm,
            name: arm.name.clone(),
            finished,
            series: None,
            area: Spread::of(areas, headline)?,
            improvement: None,
            difference: None,
            curve,
            efficiency,
            profile,
        })
    }

    /// Compares with the first arm.
    ///
    /// # Errors
    /// A number is none.
    pub(crate) fn compare(
        &mut self,
        first: &[&RunSummary],
        bootstrap: Bootstrap,
    ) -> Result<(), EvidenceError> {
        if self.finished.is_empty() || first.is_empty() {
            return Ok(());
        }
        let own = Scores::single_task(&areas(&self.finished))?;
        self.improvement = Some(bootstrap.improvement(&own, &Scores::single_task(&areas(first))?)?);
        let pair = |run: &&RunSummary| {
            let mut same = first.iter().filter(|other| other.seed == run.seed);
            same.next().map(|other| (run.scores.area, other.scores.area))
        };
        let (left, right): (Vec<f64>, Vec<f64>) = self.finished.iter().filter_map(pair).unzip();
        if left.len() > 1 {
            let pairs = left.len();
            let (left, right) = (Scores::single_task(&left)?, Scores::single_task(&right)?);
            let difference = bootstrap.paired_difference(&left, &right, interquartile_mean)?;
            self.difference = Some((difference, pairs));
        }
        Ok(())
    }

    /// The interquartile mean of the area, to order arms by; those without one come last.
    pub(crate) fn rank(&self) -> f64 {
        self.area.as_ref().map_or(f64::NEG_INFINITY, |area| area.middle.point)
    }

    /// The mean over finished runs of what `value` finds in them; none if no run has it.
    pub(crate) fn mean(&self, value: impl Fn(&RunSummary) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.finished.iter().filter_map(|run| value(run)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The mean of a metric over finished runs.
    pub(crate) fn metric(&self, key: &str) -> Option<f64> {
        self.mean(|run| run.metrics.get(key).copied())
    }
}

fn areas(runs: &[&RunSummary]) -> Vec<f64> {
    runs.iter().map(|run| run.scores.area).collect()
}

/// Success, and mean success so far, over environment steps.
fn bands(
    runs: &[&RunSummary],
    budget: f64,
    bootstrap: Bootstrap,
) -> Result<(Band, Band), EvidenceError> {
    let curves = || runs.iter().map(|run| &run.curve).filter(|curve| !curve.is_empty());
    let success = curves().map(|curve| {
        let points = curve.iter().map(|it| (it.environment_steps as f64, it.success_rate));
        let (at, values) = points.unzip();
        Curve::new(at, values)
    });
    let success = success.collect::<Result<Vec<_>, _>>()?;
    if success.is_empty() || budget <= 0.0 {
        return Ok((Band::new(), Band::new()));
    }
    let places: Vec<f64> =
        (1..=PLACES).map(|place| budget * place as f64 / PLACES as f64).collect();
    let areas = curves().map(|curve| {
        let areas = places.iter().map(|place| area(curve, *place as u64)).collect();
        Curve::new(places.clone(), areas)
    });
    let areas = areas.collect::<Result<Vec<_>, _>>()?;
    let band = |curves: &[Curve]| {
        let found = sample_efficiency(curves, &places, &bootstrap);
        places.iter().copied().zip(found).collect()
    };
    Ok((band(&success), band(&areas)))
}

/// The share of scores above every threshold.
pub(crate) fn profile(scores: &Scores, thresholds: &[f64], bootstrap: Bootstrap) -> Band {
    thresholds.iter().copied().zip(bootstrap.profile(scores, thresholds)).collect()
}

/// Success on held-out tasks before and after.
fn held_out(
    runs: &[&RunSummary],
    split: &str,
    bootstrap: Bootstrap,
) -> Result<Success, EvidenceError> {
    let of_run = |run: &&RunSummary| {
        let own = run.evaluations.iter().filter(|it| it.split == split);
        let before = own.clone().find(|it| it.iteration == 0).map(|it| it.success_rate);
        let last = own.filter(|it| it.iteration > 0).max_by_key(|it| it.iteration);
        (before, last.map(|it| it.success_rate))
    };
    let (before, after): (Vec<_>, Vec<_>) = runs.iter().map(of_run).unzip();
    let spread =
        |rates: Vec<Option<f64>>| Spread::of(rates.into_iter().flatten().collect(), bootstrap);
    Ok(Success { before: spread(before)?, after: spread(after)? })
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
