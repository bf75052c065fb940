//! Runs as a study: an arm for all with equal settings, named by what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hgpo_evidence::Curve;
use hgpo_study::summary::{Arm, Run, Status, Study};
use serde_json::Value;

use super::run::{self, Folder};
use super::{flattened, shown};
use crate::ReportError;

type Settings = BTreeMap<String, Value>;

/// The study that runs make up.
///
/// # Errors
/// A run cannot be read.
pub(super) fn of_runs(folders: &[PathBuf]) -> Result<Study, ReportError> {
    let mut groups: Vec<(Settings, Vec<Run>)> = Vec::new();
    for folder in folders {
        let Folder { settings, run } = run::read(folder)?;
        let settings = flattened(&settings);
        match groups.iter_mut().find(|(own, _)| *own == settings) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((settings, vec![run])),
        }
    }
    let budget = budget(groups.iter().flat_map(|(_, runs)| runs));
    for run in groups.iter_mut().flat_map(|(_, runs)| runs) {
        score(run, budget);
    }
    let common = common(&groups);
    let names = names(&groups, &common);
    let arms = groups.into_iter().zip(names).map(|((settings, mut runs), name)| {
        runs.sort_by_key(|run| run.seed);
        let settings = settings.into_iter().filter(|(key, _)| !common.contains_key(key)).collect();
        Arm { name, settings, runs }
    });
    Ok(Study {
        version: Study::VERSION,
        study: if folders.len() == 1 { "One run".to_owned() } else { "Runs".to_owned() },
        command: String::new(),
        environment_steps: budget,
        arms: arms.collect(),
        base: Value::Object(common.into_iter().collect()),
    })
}

/// The environment steps that all finished runs have made, so that none is compared by more.
fn budget<'a>(runs: impl Iterator<Item = &'a Run>) -> u64 {
    let finished = runs.filter(|run| run.status == Status::Finished);
    finished.map(|run| run.environment_steps).min().unwrap_or(0)
}

fn score(run: &mut Run, budget: u64) {
    let (at, values) =
        run.curve.iter().map(|point| (point.environment_steps as f64, point.success_rate)).unzip();
    // Without steps there is nothing to score.
    let Ok(curve) = Curve::new(at, values) else {
        return;
    };
    let to = if budget > 0 { budget } else { run.environment_steps };
    let until = |level| curve.reaches(level).map(|steps| steps.ceil() as u64);
    run.scores.area = curve.area(to as f64);
    run.scores.steps_to_50 = until(0.5);
    run.scores.steps_to_80 = until(0.8);
}

/// The settings that all arms have alike.
fn common(groups: &[(Settings, Vec<Run>)]) -> Settings {
    let mut all = groups.first().map(|(settings, _)| settings.clone()).unwrap_or_default();
    all.retain(|key, value| groups.iter().all(|(settings, _)| settings.get(key) == Some(value)));
    all
}

/// Names by what differs: by settings that all arms have, and by others where those do not suffice.
fn names(groups: &[(Settings, Vec<Run>)], common: &Settings) -> Vec<String> {
    let keys: BTreeSet<&String> = groups.iter().flat_map(|(settings, _)| settings.keys()).collect();
    let differing: Vec<&String> =
        keys.into_iter().filter(|key| !common.contains_key(*key)).collect();
    let shared: Vec<&String> = differing
        .iter()
        .copied()
        .filter(|key| groups.iter().all(|(settings, _)| settings.contains_key(*key)))
        .collect();
    let by = |keys: &[&String]| {
        groups.iter().map(|(settings, _)| name(settings, keys)).collect::<Vec<_>>()
    };
    let first = by(&shared);
    let distinct: BTreeSet<&String> = first.iter().collect();
    if distinct.len() == groups.len() && groups.len() > 1 { first } else { by(&differing) }
}

fn name(settings: &Settings, keys: &[&String]) -> String {
    let estimator = "estimator.name".to_owned();
    let first = settings.get(&estimator).map(shown);
    let own = keys.iter().filter(|key| ***key != estimator).filter_map(|key| {
        let short = key.rsplit('.').next().unwrap_or(key);
        Some(format!("{short}={}", shown(settings.get(*key)?)))
    });
    let is_told = keys.contains(&&estimator) || own.clone().next().is_none();
    let parts: Vec<_> = first.filter(|_| is_told).into_iter().chain(own).collect();
    if parts.is_empty() { "run".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(settings: &[(&str, Value)]) -> (Settings, Vec<Run>) {
        let own = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        (own.collect(), Vec::new())
    }

    fn named(groups: &[(Settings, Vec<Run>)]) -> Vec<String> {
        names(groups, &common(groups))
    }

    #[test]
    fn arms_are_named_by_what_differs() {
        let hgpo = |k: u64| {
            group(&[
                ("estimator.name", "hgpo".into()),
                ("estimator.context_length", k.into()),
                ("learn.x", 1.into()),
            ])
        };
        let grpo = group(&[("estimator.name", "grpo".into()), ("learn.x", 1.into())]);
        assert_eq!(named(&[hgpo(2)]), ["hgpo"]);
        assert_eq!(named(&[hgpo(2), hgpo(4)]), ["context_length=2", "context_length=4"]);
        assert_eq!(named(&[grpo.clone(), hgpo(2)]), ["grpo", "hgpo"]);
        let three = ["grpo", "hgpo, context_length=2", "hgpo, context_length=4"];
        assert_eq!(named(&[grpo, hgpo(2), hgpo(4)]), three);
    }

    #[test]
    fn areas_end_where_the_shortest_finished_run_does() {
        let mut run = Run::missing(1, String::new());
        let point = |environment_steps, success_rate| hgpo_study::summary::Point {
            environment_steps,
            iteration: 1,
            success_rate,
        };
        run.curve = vec![point(100, 0.2), point(200, 0.6), point(400, 0.8)];
        score(&mut run, 200);
        // 0.2 until 100, then 0.4 on average until 200: (20 + 40) / 200.
        assert!((run.scores.area - 0.3).abs() < 1e-12);
        // Half-way between 0.4 at 150 … 0.5 is at 175.
        assert_eq!((run.scores.steps_to_50, run.scores.steps_to_80), (Some(175), Some(400)));
    }
}
