//! Statistics over all tasks of a study, if the same methods met several.

use hgpo_evidence::{EvidenceError, Interval, Scores, interquartile_mean, mean};
use hgpo_study::summary::{ArmSummary, RunSummary};
use rayon::prelude::*;

use super::arm_statistics::{Band, profile};
use super::part::{settings, thresholds};
use super::{Finding, Part};
use crate::Options;

/// A study's methods over all its tasks.
#[derive(Clone, Debug)]
pub(crate) struct Overall {
    /// The study's name.
    pub(crate) study: String,
    /// How many tasks there are.
    pub(crate) tasks: usize,
    /// The methods that met all of them, in the study's order.
    pub(crate) methods: Vec<Method>,
    /// Names of those that did not, or have no seed that is finished on all.
    pub(crate) left_out: Vec<String>,
}

/// A method: what an arm sets beside the environment.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// Its name.
    pub(crate) name: String,
    /// Seeds that are finished on all tasks.
    pub(crate) seeds: usize,
    /// Interquartile mean of the areas of all these runs on all tasks.
    pub(crate) middle: Interval,
    /// Mean of the tasks' means.
    pub(crate) mean: f64,
    /// Probability of improvement over the first method, mean over tasks.
    pub(crate) improvement: Option<Interval>,
    /// Share of the runs whose area is above a threshold.
    pub(crate) profile: Band,
}

/// The parts of one study together; none of a single task, or without a method on all of them.
///
/// # Errors
/// A number is none.
pub(crate) fn overall(
    parts: &[Part<'_>],
    options: &Options,
) -> Result<Option<Overall>, EvidenceError> {
    let Some((first, others)) = parts.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Ok(None);
    };
    let (mut scored, mut left_out) = (Vec::new(), Vec::new());
    for arm in &first.arms {
        let same = |part| of_method(part, arm.arm);
        let all: Option<Vec<&Finding<'_>>> =
            [Some(arm)].into_iter().chain(others.iter().map(same)).collect();
        match all.map(|all| rows(&all)) {
            Some(rows) if !rows.is_empty() => scored.push((arm.name.clone(), Scores::new(rows)?)),
            _ => left_out.push(arm.name.clone()),
        }
    }
    let places = thresholds(scored.iter().flat_map(|(_, scores)| scores.values().iter().copied()));
    let one = |at: usize| method(&scored, at, &places, options);
    let methods: Vec<Method> =
        (0..scored.len()).into_par_iter().map(one).collect::<Result<_, _>>()?;
    let made =
        Overall { study: first.source.study.study.clone(), tasks: parts.len(), methods, left_out };
    Ok(Some(made).filter(|made| !made.methods.is_empty()))
}

fn method(
    scored: &[(String, Scores)],
    at: usize,
    places: &[f64],
    options: &Options,
) -> Result<Method, EvidenceError> {
    let (name, own) = &scored[at];
    let bootstrap = options.bootstrap;
    let improvement = (at > 0).then(|| bootstrap.improvement(own, &scored[0].1)).transpose()?;
    Ok(Method {
        name: name.clone(),
        seeds: own.runs(),
        middle: bootstrap.interval(own, interquartile_mean),
        mean: mean(own),
        improvement,
        profile: profile(own, places, options.bootstrap_of_curves()),
    })
}

/// The arm of another task that sets the same.
fn of_method<'a, 'b>(part: &'b Part<'a>, arm: &ArmSummary) -> Option<&'b Finding<'a>> {
    part.arms.iter().find(|other| settings(other.arm, false) == settings(arm, false))
}

/// A row for every seed that is finished on all tasks, a column for every task.
fn rows(all: &[&Finding<'_>]) -> Vec<Vec<f64>> {
    let Some((first, others)) = all.split_first() else { return Vec::new() };
    let row = |run: &&RunSummary| {
        let same = |arm: &&Finding<'_>| {
            Some(arm.finished.iter().find(|it| it.seed == run.seed)?.scores.area)
        };
        let others: Option<Vec<f64>> = others.iter().map(same).collect();
        Some([vec![run.scores.area], others?].concat())
    };
    first.finished.iter().filter_map(row).collect()
}
