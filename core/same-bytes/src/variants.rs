//! Every estimator, with its default options and with others, one or two at a time.

use hgpo_core::Estimator;
use serde_json::{Map, Value, json};

/// The estimators, with the options in which they differ from the default as a name.
pub(crate) fn all() -> Vec<(String, Estimator)> {
    let mut variants = Vec::new();
    for default in Estimator::all() {
        for change in changes() {
            if let Some(variant) = changed(&default, &change) {
                variants.push((format!("{} {change}", default.name()), variant));
            }
        }
    }
    variants
}

/// The estimator with some options changed; none where it does not have them.
fn changed(default: &Estimator, change: &Value) -> Option<Estimator> {
    let mut options: Map<String, Value> =
        serde_json::from_value(serde_json::to_value(default).ok()?).ok()?;
    options.extend(change.as_object()?.clone());
    serde_json::from_value(options.into()).ok()
}

fn changes() -> Vec<Value> {
    let mut changes = vec![
        json!({}),
        json!({"context_length": 0}),
        json!({"context_length": 4}),
        json!({"alpha": 0.0}),
        json!({"alpha": 1.7}),
        json!({"scale": "mean"}),
        json!({"weights": "verl"}),
        json!({"weights": "verl", "base_group": true}),
        json!({"weights": "adaptive"}),
        json!({"weights": "adaptive", "baseline": "others"}),
        json!({"history": "summary"}),
        json!({"baseline": "others"}),
        json!({"baseline": true}),
        json!({"std": "sample"}),
        json!({"std": "population"}),
        json!({"singleton": "keep"}),
        json!({"step_std": "population", "episode_std": "population"}),
        json!({"step_singleton": "keep", "episode_singleton": "zero"}),
        json!({"episode_statistics": "trajectories"}),
        json!({"step_weight": 0.3}),
        json!({"graph_discount": 0.83}),
        json!({"value_discount": 0.57}),
        json!({"only_level": 1}),
        json!({"depth": "0"}),
        json!({"depth": "2", "context_length": 1}),
        json!({"episode_weight": 0.0, "floor": 0.0}),
        json!({"lambda": 0.37}),
        json!({"shrinkage": 0.7, "saturation": 2.5}),
        json!({"failure_exponent": 0.6}),
        json!({"state_value": "process", "credit": "gae", "among": "task"}),
        json!({"state_value": "potentials", "credit": "difference", "among": "nothing"}),
        json!({"credit": "action", "trust": "gated-variance", "return_weight": 0.5}),
        json!({"credit": "action", "trust": "failures", "context_length": 2}),
    ];
    for metric in ["edit", "embedding"] {
        for linkage in ["greedy", "complete"] {
            let similarity = json!({"metric": metric, "linkage": linkage, "threshold": 0.8});
            changes.push(json!({"similarity": similarity}));
        }
    }
    let names = Estimator::all().into_iter().map(|estimator| json!({"name": estimator.name()}));
    changes.extend(names.map(|inside| json!({"estimator": inside})));
    changes
}
