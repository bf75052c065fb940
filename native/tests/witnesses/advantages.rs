//! Advantages of rollouts in every format, byte for byte as they were printed: all of it is computed on the host.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use serde_json::Value;

use crate::difference::RULE;
use crate::folders::{done, same, text, witness};
use crate::support::run;

/// What was asked of `hgpo advantages`, with what it printed, or with the JSON that it printed.
fn recorded() -> Vec<Value> {
    text("rollouts/advantages.jsonl").lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn arguments(case: &Value) -> Vec<&str> {
    let all = case["arguments"].as_array().unwrap().iter();
    std::iter::once("advantages").chain(all.map(|it| it.as_str().unwrap())).collect()
}

#[test]
fn advantages_of_recorded_rollouts_are_printed_as_they_were() {
    for case in recorded() {
        let arguments = arguments(&case);
        let name = format!("rollouts/advantages.jsonl, hgpo {}", arguments.join(" "));
        let is = done(&name, &run(&witness(""), &arguments));
        if let Some(was) = case["printed"].as_str() {
            let differ = || was.lines().zip(is.lines()).find(|(was, is)| was != is);
            assert!(was == is, "\nwitness {name}: was and is {:?}\n{RULE}", differ());
        } else {
            same(&name, &case["json"], &serde_json::from_str(&is).unwrap(), 1e-12);
        }
    }
}

#[test]
fn every_format_and_estimator_is_witnessed() {
    let all: String = recorded().iter().map(|case| arguments(case).join(" ") + "\n").collect();
    for file in crate::folders::files(&witness("rollouts")) {
        assert!(file == "advantages.jsonl" || all.contains(&file), "{file}");
    }
    for estimator in [
        "hgpo",
        "gigpo",
        "grpo",
        "rloo",
        "reinforce-plus-plus",
        "graph-gpo",
        "g2po",
        "crbc",
        "pgpo",
    ] {
        assert!(all.contains(&format!("--estimator {estimator}")), "{estimator}");
    }
    for estimator in ["adastep", "ecpo", "gagpo", "composed", "dr-mas"] {
        assert!(all.contains(&format!("--estimator {estimator}")), "{estimator}");
    }
}
