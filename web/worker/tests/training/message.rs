//! Requests and answers as they are written.

use hgpo_worker::training::message::{Answer, Request};
use serde_json::{Value, json};

fn comes_back<T: serde::Serialize + serde::de::DeserializeOwned>(written: &Value) {
    let read: T = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(&serde_json::to_value(read).unwrap(), written);
}

#[test]
fn requests_are_read_as_they_are_written() {
    for request in [
        json!({ "start": { "settings": { "learn": { "discount": 0.9 } }, "seeds": [1, 2, u64::MAX] } }),
        json!({ "change": { "settings": { "estimator": { "name": "gigpo" } } } }),
        json!({ "run": { "iterations": 5, "milliseconds": 50.0 } }),
        json!({ "go-back": { "iteration": 3 } }),
        json!({ "look": { "seed": 0 } }),
        json!({ "cell": { "seed": 1, "row": 2, "column": 3 } }),
        json!({ "arrows": { "seed": 0 } }),
        json!({ "words": { "seed": 0 } }),
        json!({ "verdicts": { "seed": 0, "estimators": [{ "name": "gigpo" }], "truth": true } }),
        json!({ "process": { "seed": 0, "task": "g00" } }),
    ] {
        comes_back::<Request>(&request);
        let mut other = request;
        let fields = other.as_object_mut().unwrap().values_mut().next().unwrap();
        fields["pace"] = 1.into();
        let refused = serde_json::from_value::<Request>(other).unwrap_err().to_string();
        assert!(refused.starts_with("unknown field `pace`"), "{refused}");
    }
}

#[test]
fn answers_are_read_as_they_are_written() {
    let memory = json!({ "past": [["open: up", "down"]], "observation": "open: down", "key": true, "visits": 2,
        "before": [0.25, 0.25, 0.25, 0.25], "after": [0.5, 0.25, 0.125, 0.125] });
    let said = json!({ "row": 1, "column": 2, "key": false, "action": 3, "steps": 4, "advantages": [0.5, null], "truth": null });
    let arrow = json!({ "row": 1, "column": 2, "key": false, "visits": 3, "mean": [1.0, 0.0, 0.0, 0.0],
        "memories": [memory] });
    for answer in [
        json!({ "started": { "settings": { "seed": 1 }, "iteration": 0 } }),
        json!({ "changed": { "keeps-weights": true, "iteration": 7 } }),
        json!({ "ran": { "iteration": 2, "lines": [["{}", "{}"], ["{}", "{}"]] } }),
        json!({ "went": { "iteration": 1 } }),
        json!({ "look": { "iteration": 2, "rollouts": "{}\n" } }),
        json!({ "cell": { "memories": [memory] } }),
        json!({ "arrows": { "places": [arrow] } }),
        json!({ "words": { "words": [{ "word": "key", "said": 3, "needed": [["take key", 2], ["go to study", 1]],
            "done": [["take key", 3]], "fitting": 2 }] } }),
        json!({ "verdicts": { "actions": [said], "agreement": [0.25, null], "too-large": 1000 } }),
        json!({ "process": { "process": "{\"step_limit\":1}", "situations": [[3, null], []] } }),
        json!({ "error": "no" }),
    ] {
        comes_back::<Answer>(&answer);
    }
}
