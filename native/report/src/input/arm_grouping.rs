//! Grouping of runs into arms: one for all with equal settings, named by what differs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hgpo_study::summary::{ArmSummary, RunSummary, StudySummary};
use serde_json::Value;

use super::run_folder::{self, CHANGED};
use super::settings::{Settings, render_value};
use crate::ReportError;

/// Runs with equal settings.
type Group = (Settings, Vec<RunSummary>);

/// The study that runs make up.
///
/// # Errors
/// A run cannot be read.
pub(crate) fn study_of_runs(folders: &[PathBuf]) -> Result<StudySummary, ReportError> {
    let mut groups: Vec<Group> = Vec::new();
    for folder in folders {
        let (settings, run) = run_folder::read(folder)?;
        match groups.iter_mut().find(|(own, _)| *own == settings) {
            Some((_, runs)) => {
                if let Some(first) = runs.iter().find(|first| first.seed == run.seed) {
                    let (first, second) = (first.folder.clone().into(), folder.clone());
                    let what = "the same settings and seed";
                    return Err(ReportError::Twice { first, second, what });
                }
                runs.push(run);
            }
            None => groups.push((settings, vec![run])),
        }
    }
    let common = common(&groups);
    let names = names(&groups, &common);
    let arms = groups.into_iter().zip(names).map(|((settings, mut runs), name)| {
        runs.sort_by_key(|run| run.seed);
        let settings = settings.into_iter().filter(|(key, _)| !common.contains_key(key)).collect();
        ArmSummary { name, settings, runs }
    });
    let mut study = StudySummary {
        version: StudySummary::VERSION,
        study: if folders.len() == 1 { "One run".to_owned() } else { "Runs".to_owned() },
        command: String::new(),
        environment_steps: 0,
        arms: arms.collect(),
        base: Value::Object(common.into_iter().collect()),
    };
    study.score();
    Ok(study)
}

/// The settings that all arms have alike.
fn common(groups: &[Group]) -> Settings {
    let mut all = groups.first().map(|(settings, _)| settings.clone()).unwrap_or_default();
    all.retain(|key, value| groups.iter().all(|(settings, _)| settings.get(key) == Some(value)));
    all
}

/// Names by what differs: by settings that all arms have, and by others if those do not suffice.
fn names(groups: &[Group], common: &Settings) -> Vec<String> {
    let keys: BTreeSet<&String> = groups.iter().flat_map(|(settings, _)| settings.keys()).collect();
    let differing: Vec<&String> =
        keys.into_iter().filter(|key| !common.contains_key(*key)).collect();
    let is_shared = |key: &&String| groups.iter().all(|(settings, _)| settings.contains_key(*key));
    let shared: Vec<&String> = differing.iter().copied().filter(is_shared).collect();
    let by = |keys: &[&String]| -> Vec<String> {
        groups.iter().map(|(settings, _)| name(settings, keys)).collect()
    };
    let first = by(&shared);
    let distinct: BTreeSet<&String> = first.iter().collect();
    if distinct.len() == groups.len() && groups.len() > 1 { first } else { by(&differing) }
}

fn name(settings: &Settings, keys: &[&String]) -> String {
    let estimator = "estimator.name".to_owned();
    let first = settings.get(&estimator).map(render_value);
    let has_changed =
        settings.contains_key(CHANGED).then(|| "settings changed on the way".to_owned());
    let apart = [estimator.as_str(), CHANGED];
    let own = keys.iter().filter(|key| !apart.contains(&key.as_str())).filter_map(|key| {
        let short = key.rsplit('.').next().unwrap_or(key);
        Some(format!("{short}={}", render_value(settings.get(*key)?)))
    });
    let is_told = keys.contains(&&estimator) || own.clone().next().is_none();
    let parts: Vec<_> =
        first.filter(|_| is_told).into_iter().chain(own).chain(has_changed).collect();
    if parts.is_empty() { "run".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(settings: &[(&str, Value)]) -> Group {
        let own = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        (own.collect(), Vec::new())
    }

    fn named(groups: &[Group]) -> Vec<String> {
        names(groups, &common(groups))
    }

    #[test]
    fn arms_are_named_by_the_settings_that_differ() {
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
        let mut other = hgpo(2);
        other.0.insert(CHANGED.to_owned(), "learn.x was 1 and is 2".into());
        let changed = ["hgpo", "hgpo, settings changed on the way"];
        assert_eq!(named(&[hgpo(2), other]), changed);
    }
}
