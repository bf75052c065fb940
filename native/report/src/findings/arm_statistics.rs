//! Statistics of an arm.

use hgpo_evidence::{
    Bootstrap, Curve, EvidenceError, Interval, Scores, interquartile_mean, sample_efficiency,
};
use hgpo_study::run_scores::area;
use hgpo_study::summary::{ArmSummary, Evaluation, RunSummary, Status};

use super::Spread;

/// How many parts the axis of steps is divided into.
const PLACES: usize = 60;

/// Places on an axis and what was measured there.
pub(crate) type Band = Vec<(f64, Interval)>;

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

/// The kinds of held-out tasks.
pub(crate) const SPLITS: [&str; 2] = ["seen", "unseen"];

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
        let finished: Vec<&RunSummary> =
            arm.runs.iter().filter(|run| run.status == Status::Finished).collect();
        let areas: Vec<f64> = finished.iter().map(|run| run.scores.area).collect();
        let profile = match areas.as_slice() {
            [] => Band::new(),
            areas => profile(&Scores::single_task(areas)?, thresholds, curves),
        };
        let (curve, efficiency) = bands(&finished, budget, curves)?;
        let mut success = Vec::new();
        for split in SPLITS {
            success.push(held_out(&finished, split, headline)?);
        }
        let area = Spread::of(areas, headline)?;
        let [seen, unseen] = <[Success; 2]>::try_from(success)
            .unwrap_or_else(|_| [0, 1].map(|_| Success { before: None, after: None }));
        let success = [seen, unseen];
        let (improvement, difference, series) = (None, None, None);
        Ok(Self {
            arm,
            name: arm.name.clone(),
            finished,
            series,
            area,
            success,
            improvement,
            difference,
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
        let areas =
            |runs: &[&RunSummary]| runs.iter().map(|run| run.scores.area).collect::<Vec<_>>();
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

/// The curve of a run; none of one that has no points.
fn curve_of(run: &RunSummary) -> Result<Option<Curve>, EvidenceError> {
    if run.curve.is_empty() {
        return Ok(None);
    }
    let points = run.curve.iter().map(|it| (it.environment_steps as f64, it.success_rate));
    let (at, values) = points.unzip();
    Curve::new(at, values).map(Some)
}

/// Success, and mean success so far, over environment steps.
fn bands(
    runs: &[&RunSummary],
    budget: f64,
    bootstrap: Bootstrap,
) -> Result<(Band, Band), EvidenceError> {
    let mut curves = Vec::new();
    for run in runs {
        curves.extend(curve_of(run)?);
    }
    let places: Vec<f64> =
        (1..=PLACES).map(|place| budget * place as f64 / PLACES as f64).collect();
    if curves.is_empty() || budget <= 0.0 {
        return Ok((Band::new(), Band::new()));
    }
    let areas = runs.iter().filter(|run| !run.curve.is_empty()).map(|run| {
        let areas = places.iter().map(|place| area(&run.curve, *place as u64)).collect();
        Curve::new(places.clone(), areas)
    });
    let areas = areas.collect::<Result<Vec<_>, _>>()?;
    let band = |curves: &[Curve]| {
        let found = sample_efficiency(curves, &places, &bootstrap);
        places.iter().copied().zip(found).collect()
    };
    Ok((band(&curves), band(&areas)))
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
    let of = |run: &RunSummary, is_last: bool| {
        let mut own = run.evaluations.iter().filter(|it| it.split == split);
        let found = if is_last {
            own.max_by_key(|it| it.iteration)
        } else {
            own.find(|it| it.iteration == 0)
        };
        found.filter(|it: &&Evaluation| !is_last || it.iteration > 0).map(|it| it.success_rate)
    };
    let spread =
        |is_last| Spread::of(runs.iter().filter_map(|run| of(run, is_last)).collect(), bootstrap);
    Ok(Success { before: spread(false)?, after: spread(true)? })
}
