//! Requests, and what is answered.

use hgpo_worker::training::answer;
use serde_json::{Map, Value, json};

/// Settings of a small training on a world.
pub(crate) fn settings(world: &str) -> Value {
    json!({
        "environment": { "name": "gridworld", "max_steps": 20, "gridworld": { "world": world } },
        "policy": { "kind": "table" },
        "rollout": { "tasks": 3, "group_size": 4 },
        "warm_start": { "episodes": 0 },
        "learn": { "iterations": 1000, "learning_rate": 0.1, "mini_batch_size": 64 },
        "evaluation": { "tasks": 4, "seeds": [1, 2] },
    })
}

/// The same with some tables' fields replaced.
pub(crate) fn with(settings: &Value, other: &Value) -> Value {
    let mut settings = settings.clone();
    merge(&mut settings, other);
    settings
}

fn merge(into: &mut Value, other: &Value) {
    match (into, other) {
        (Value::Object(into), Value::Object(other)) => {
            for (name, value) in other {
                merge(into.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (into, other) => *into = other.clone(),
    }
}

/// The answer to a request, of whatever kind.
pub(crate) fn raw(request: &Value) -> Map<String, Value> {
    serde_json::from_str(&answer(&request.to_string())).unwrap()
}

/// The answer to a request, which must be of this kind.
pub(crate) fn asked(request: &Value, kind: &str) -> Value {
    let mut answer = raw(request);
    assert_eq!(answer.len(), 1);
    answer.remove(kind).unwrap_or_else(|| panic!("{request}: {answer:?}"))
}

/// Starts a lane.
pub(crate) fn start(settings: &Value, seeds: &[u64]) -> Value {
    asked(&json!({ "start": { "settings": settings, "seeds": seeds } }), "started")
}

/// Trains for so many iterations; the lines of each seed.
pub(crate) fn run(iterations: u64) -> Vec<Vec<String>> {
    let request = json!({ "run": { "iterations": iterations, "milliseconds": 60_000 } });
    serde_json::from_value(asked(&request, "ran")["lines"].take()).unwrap()
}

/// What is said of a request that is refused: one line.
pub(crate) fn refused(request: &Value) -> String {
    let text = asked(request, "error").as_str().unwrap().to_owned();
    assert!(!text.contains('\n') && text.len() < 600, "{text}");
    text
}
