//! Parts of a report: arms that met the same tasks, so that they can be compared.

use std::collections::BTreeMap;

use hgpo_evidence::EvidenceError;
use hgpo_study::arm_names::without_special_characters;
use hgpo_study::summary::{ArmSummary, RunSummary};
use rayon::prelude::*;
use serde_json::Value;

use super::Finding;
use crate::Options;
use crate::figure::SERIES;
use crate::input::{Source, render_value};

/// How many parts the axis of a profile is divided into.
const THRESHOLDS: usize = 120;

/// Arms that met the same tasks.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    /// Where it is from.
    pub(crate) source: &'a Source,
    /// What it is of.
    pub(crate) title: String,
    /// The environment steps that curves are drawn up to.
    pub(crate) budget: f64,
    /// The arms in the study's order: the first is the one that others are held against.
    pub(crate) arms: Vec<Finding<'a>>,
}

/// The parts of a study: one for every choice of the environment's settings.
///
/// # Errors
/// A number of a run is none.
pub(crate) fn parts<'a>(
    source: &'a Source,
    options: &Options,
) -> Result<Vec<Part<'a>>, EvidenceError> {
    let mut tasks: Vec<(Settings<'_>, Vec<&ArmSummary>)> = Vec::new();
    for arm in &source.study.arms {
        let own = settings(arm, true);
        match tasks.iter_mut().find(|(task, _)| *task == own) {
            Some((_, arms)) => arms.push(arm),
            None => tasks.push((own, vec![arm])),
        }
    }
    if tasks.is_empty() {
        tasks.push((BTreeMap::new(), Vec::new()));
    }
    let study = source.study.study.as_str();
    let is_one = tasks.len() == 1;
    let made = tasks.into_iter().map(|(task, arms)| {
        let told =
            task.iter().map(|(key, value)| format!("{} {}", last_part(key), render_value(value)));
        let told = told.reduce(|told, next| told + ", " + &next).filter(|_| !is_one);
        let title = told.map_or(study.to_owned(), |told| format!("{study}: {told}"));
        let mut part = Part::of(source, title, &arms, options)?;
        if !is_one {
            part.arms.iter_mut().for_each(|arm| arm.name = without_task(&arm.name, &task));
        }
        Ok(part)
    });
    made.collect()
}

/// Some settings of an arm.
pub(super) type Settings<'a> = BTreeMap<&'a String, &'a Value>;

/// What an arm sets of the environment, or what beside it.
pub(super) fn settings(arm: &ArmSummary, is_environment: bool) -> Settings<'_> {
    let is_meant = |key: &str| key.starts_with("environment.") == is_environment;
    arm.settings.iter().filter(|(key, _)| is_meant(key)).collect()
}

/// The last part of a setting's name.
fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// The name of an arm without what a study's grid has added for its task, as in `grpo,world=comb`.
fn without_task(name: &str, task: &Settings<'_>) -> String {
    let value = |value| without_special_characters(&render_value(value));
    let added: Vec<String> =
        task.iter().map(|(key, it)| format!("{}={}", last_part(key), value(it))).collect();
    let kept: Vec<&str> =
        name.split(',').filter(|part| !added.iter().any(|it| it == part)).collect();
    if kept.is_empty() { name.to_owned() } else { kept.join(",") }
}

impl<'a> Part<'a> {
    fn of(
        source: &'a Source,
        title: String,
        arms: &[&'a ArmSummary],
        options: &Options,
    ) -> Result<Self, EvidenceError> {
        let budget = source.study.compared_steps() as f64;
        let headline = options.bootstrap;
        let areas = arms.iter().flat_map(|arm| arm.finished()).map(|run| run.scores.area);
        let (thresholds, both) = (thresholds(areas), [headline, options.bootstrap_of_curves()]);
        let arms: Result<Vec<_>, _> =
            arms.par_iter().map(|arm| Finding::of(arm, budget, &thresholds, both)).collect();
        let mut arms = arms?;
        if let Some((first, others)) = arms.split_first_mut() {
            let first: &[&RunSummary] = &first.finished;
            others.par_iter_mut().try_for_each(|arm| arm.compare(first, headline))?;
        }
        colour(&mut arms);
        Ok(Self { source, title, budget, arms })
    }

    /// The arms that have a colour.
    pub(crate) fn coloured(&self) -> impl Iterator<Item = (usize, &Finding<'a>)> {
        self.arms.iter().filter_map(|arm| Some((arm.series?, arm)))
    }

    /// All runs with their arms.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&'a ArmSummary, &'a RunSummary)> {
        self.arms.iter().flat_map(|it| it.arm.runs.iter().map(|run| (it.arm, run)))
    }

    /// How many runs are counted.
    pub(crate) fn finished(&self) -> usize {
        self.arms.iter().map(|it| it.finished.len()).sum()
    }
}

/// Thresholds of profiles: even steps over all areas, with a little room.
pub(super) fn thresholds(areas: impl Iterator<Item = f64>) -> Vec<f64> {
    let (low, high) =
        areas.fold((1.0_f64, 0.0_f64), |(low, high), area| (low.min(area), high.max(area)));
    let low = ((50.0 * low).floor() / 50.0 - 0.02).max(0.0);
    let high = ((50.0 * high).ceil() / 50.0 + 0.02).min(1.0);
    let step = (high - low) / THRESHOLDS as f64;
    (0..=THRESHOLDS).map(|place| low + step * place as f64).collect()
}

/// Gives colours to all arms, or to the first and those with the largest areas if there are too many.
fn colour(arms: &mut [Finding<'_>]) {
    let mut order: Vec<usize> =
        (0..arms.len()).filter(|at| !arms[*at].finished.is_empty()).collect();
    if order.len() > SERIES {
        order.sort_by(|a, b| {
            (*b == 0)
                .cmp(&(*a == 0))
                .then(arms[*b].rank().total_cmp(&arms[*a].rank()))
                .then(a.cmp(b))
        });
        order.truncate(SERIES);
        order.sort_unstable();
    }
    for (series, at) in order.into_iter().enumerate() {
        arms[at].series = Some(series);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_leave_the_task_out() {
        let (world, steps) = (json!("a b"), json!(30));
        let names = ["environment.gridworld.world", "environment.max_steps"].map(str::to_owned);
        let task = names.iter().zip([&world, &steps]).collect();
        assert_eq!(without_task("hgpo,world=a-b,alpha=2,max_steps=30", &task), "hgpo,alpha=2");
        assert_eq!(without_task("hgpo", &task), "hgpo");
        assert_eq!(without_task("world=a-b", &task), "world=a-b");
    }
}
