//! Metrics in `docs/metrics.md`: every key that a run writes, and none that it does not.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Map, Value};

use crate::own_environment::{trained, workplace};
use crate::own_environment_agents::RIVALS;
use crate::support::{run, run_file, succeeds, tiny};

const DOCUMENT: &str = include_str!("../../../docs/metrics.md");

/// The keys in the first column of the document's tables: of `metrics.jsonl`, and of `evaluations.jsonl`.
fn documented() -> [BTreeSet<String>; 2] {
    let (metrics, evaluations) = DOCUMENT.split_once("\n## evaluations.jsonl\n").unwrap();
    [metrics, evaluations].map(|part| {
        let rows = part.lines().filter_map(|line| line.strip_prefix("| `"));
        let columns = rows.map(|row| row.split_once(" |").unwrap().0);
        columns
            .flat_map(|keys| keys.split('`'))
            .filter(|key| key.contains(char::is_alphabetic))
            .map(str::to_owned)
            .collect()
    })
}

/// The keys of all lines of a file of a run; all levels are one.
fn written(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| serde_json::from_str::<Map<String, Value>>(line).unwrap());
    let of_levels = |key: String| {
        let parts = key.split('/').map(|part| {
            let is_level = part.strip_prefix("level_").is_some_and(|it| it.parse::<u32>().is_ok());
            match part {
                "solver" | "checker" | "left" | "right" => "NAME",
                _ if is_level => "level_k",
                _ => part,
            }
        });
        parts.collect::<Vec<_>>().join("/")
    };
    lines.flat_map(|line| line.into_iter().map(|(key, _)| of_levels(key))).collect()
}

#[test]
fn every_metric_of_a_run_is_documented_and_no_other() {
    let folder = workplace();
    let usual = ["evaluation.every=1", "rollout.dynamic_sampling=1", "critic.kind=least-squares"];
    let [mut metrics, mut evaluations] = [BTreeSet::new(), BTreeSet::new()];
    let team = ["environment.name=countdown-team", "agents.checker.policy=own"];
    for (name, settings) in [
        ("first", &usual[..]),
        ("second", &["learn.divergence_in_reward=true"]),
        ("third", &team[..]),
    ] {
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        succeeds(&run(folder.path(), &tiny(name, &settings)));
        let read = |file| fs::read_to_string(run_file(folder.path(), name, file)).unwrap();
        metrics.extend(written(&read("metrics.jsonl")));
        evaluations.extend(written(&read("evaluations.jsonl")));
    }
    fs::write(folder.path().join("guess.py"), RIVALS).unwrap();
    trained(folder.path(), "rivals", &["--set", "learn.agent_rewards=own"]);
    let file = run_file(folder.path(), "rivals", "metrics.jsonl");
    metrics.extend(written(&fs::read_to_string(file).unwrap()));
    assert_eq!([metrics, evaluations], documented());
}

#[test]
fn every_metric_of_estimators_and_policies_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let [metrics, _] = documented();
    for estimator in hgpo_core::Estimator::NAMES.iter().filter(|name| **name != "dr-mas") {
        let chosen = format!("estimator={estimator}");
        let table = ["--set", &chosen, "--set", "policy.kind=table", "--set", "learn.iterations=1"];
        succeeds(&run(folder.path(), &tiny(estimator, &table)));
        let file = run_file(folder.path(), estimator, "metrics.jsonl");
        let keys = written(&fs::read_to_string(file).unwrap());
        let unknown: Vec<_> = keys.difference(&metrics).collect();
        assert!(unknown.is_empty(), "{estimator}: {unknown:?}");
        let has_levels = keys.iter().any(|key| key.contains("level_k"));
        let silent = ["grpo", "rloo", "reinforce-plus-plus", "gagpo"];
        let levels_are_said = !silent.contains(estimator);
        assert_eq!(has_levels, levels_are_said, "{estimator}");
    }
}
