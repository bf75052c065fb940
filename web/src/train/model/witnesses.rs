//! Setups of training in addresses that were given away, and what each stood for: scripts/witnesses/README.md.

use super::Plan;
use crate::model::witnesses::difference::{RULE, difference};
use serde_json::{Value, json};

const ADDRESSES: &str = include_str!("../../../../scripts/witnesses/page/addresses.jsonl");

/// Every setup in an address, with what is recorded of it.
fn witnesses() -> Vec<(String, Value)> {
    let lines = ADDRESSES.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let of = |line: Value| {
        let shows = &line["shows"];
        let setup = shows["setup"].as_str().or_else(|| shows["training"][0].as_str());
        Some((setup.unwrap_or_default().to_owned(), line.get("trains")?.clone()))
    };
    lines.filter_map(of).collect()
}

/// What a setup stands for: the settings of its lanes.
fn lanes(plan: &Plan) -> Value {
    let lanes = (0..plan.first.lanes.len()).map(|lane| plan.first.settings(lane));
    json!({ "seeds": plan.first.seeds(), "lanes": lanes.collect::<Vec<_>>() })
}

/// What is wrong with a setup today; `was` has it spelt out as it was then, and its lanes.
fn wrong(setup: &str, was: &Value) -> Option<String> {
    let spelt = was["setup"].as_str().unwrap_or_default();
    let (plan, whole) = match (Plan::read(setup), Plan::read(spelt)) {
        (Ok(plan), Ok(whole)) => (plan, whole),
        (Err(refusal), _) => return Some(format!("it is refused: {refusal:?}")),
        (_, Err(refusal)) => {
            return Some(format!("spelt out, {spelt}, it is refused: {refusal:?}"));
        }
    };
    if plan != whole {
        let is = plan.written();
        return Some(format!("`trains.setup` was {spelt} and is {is}"));
    }
    let recorded = json!({ "seeds": was["seeds"], "lanes": was["lanes"] });
    let is = lanes(&plan);
    let what = difference("trains", &recorded, &is, 1e-12)?;
    Some(format!("{what}\n    now: {is}"))
}

#[test]
fn setups_given_away_stand_for_what_they_stood_for() {
    let all = witnesses();
    assert!(all.len() >= 8, "{}", all.len());
    let failed: Vec<String> = all
        .iter()
        .filter_map(|(setup, was)| Some(format!("{setup}: {}\n", wrong(setup, was)?)))
        .collect();
    assert!(failed.is_empty(), "\n{}{RULE}", failed.concat());
}
