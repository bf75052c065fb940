//! Requests as the page sends them, and their answers.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_core::process::simulation::{SimulationReport, Unit};
use hgpo_core::{Batch, Trajectory};
use hgpo_worker::process::answer;
use serde_json::{Value, json};

/// One action wins 1, the other 2.
fn choice() -> Value {
    json!({ "step_limit": 1, "start": [{ "situation": "s" }], "situations": [{ "state": "s", "actions": [
        { "action": "a", "probability": 0.5, "outcomes": [{ "reward": 1 }] },
        { "action": "b", "probability": 0.5, "outcomes": [{ "reward": 2 }] },
    ] }] })
}

fn study(seed: u64) -> Value {
    let options = json!({ "discount": 1, "invalid_penalty": 0,
        "estimator": { "name": "hgpo", "scale": "mean", "baseline": "others" } });
    json!({ "study": { "process": choice(), "options": options, "attempts": 4, "samples": 500, "seed": seed } })
}

/// The answer to a request, of the kind that was asked for.
fn asked(request: &Value) -> Value {
    let kind = request.as_object().unwrap().keys().next().unwrap();
    let mut answer: Value = serde_json::from_str(&answer(&request.to_string())).unwrap();
    assert_eq!(answer.as_object().unwrap().len(), 1);
    answer[kind].take()
}

#[test]
fn a_study_comes_back_as_core_made_it() {
    let found: SimulationReport = serde_json::from_value(asked(&study(1))).unwrap();
    assert_eq!((found.samples, found.steps, found.unit), (500, 2000, Unit::Return));
    // V = 1.5: A* = ∓0.5, and so is the mean of what is said against the mean of the others.
    assert_eq!(found.decisions.len(), 2);
    for of in &found.decisions {
        let whole = of.said.last().unwrap();
        let (bias, error) = (whole.bias.unwrap(), whole.estimates.standard_error.unwrap());
        assert!((of.truth.abs() - 0.5).abs() < 1e-15 && bias.abs() < 4.0 * error);
    }
}

#[test]
fn the_seed_decides() {
    assert_eq!(answer(&study(1).to_string()), answer(&study(1).to_string()));
    assert_ne!(answer(&study(1).to_string()), answer(&study(2).to_string()));
}

#[test]
fn attempts_are_drawn_as_trajectories() {
    let draw = |attempts: usize| json!({ "draw": { "process": choice(), "task": "g", "attempts": attempts, "seed": 3 } });
    let drawn: Vec<Trajectory> = serde_json::from_value(asked(&draw(20))).unwrap();
    let names: Vec<&str> = drawn.iter().map(|it| it.trajectory.as_str()).collect();
    assert_eq!((names.len(), names[0], names[19]), (20, "t1", "t20"));
    let actions: Vec<_> = drawn.iter().map(|it| it.steps[0].action.clone().unwrap()).collect();
    assert!(actions.contains(&"a".to_owned()) && actions.contains(&"b".to_owned()));
    assert_eq!(Batch::new(drawn).unwrap().tasks(), ["g"]);
    let refused = answer(&draw(100_001).to_string());
    assert_eq!(
        refused,
        r#"{"error":"100001 attempts with up to 1 steps are more than 100000: ask for fewer"}"#
    );
}

/// What is said of a request that is refused.
fn refused(request: &str) -> String {
    let answer: Value = serde_json::from_str(&answer(request)).unwrap();
    let text = answer["error"].as_str().unwrap().to_owned();
    assert!(!text.contains('\n'));
    text
}

#[test]
fn what_cannot_be_answered_is_said() {
    assert!(refused("").starts_with("not a request: "));
    assert!(refused(r#"{"dance": {}}"#).starts_with("not a request: unknown variant `dance`"));
    assert!(refused(r#"{"study": {}}"#).starts_with("not a request: missing field"));
    assert!(refused(r#"{"study": {}, "study": {}}"#).contains("duplicate field `study`"));
    let with = |name: &str, value: Value| {
        let mut request = study(1);
        request["study"][name] = value;
        refused(&request.to_string())
    };
    assert_eq!(
        with("samples", json!(0)),
        "process: a study needs at least one sample of one attempt"
    );
    assert!(with("samples", json!(100_000_000)).contains("lower one of them"));
    assert!(with("pace", json!(1)).contains("unknown field `pace`"));
    let attempt =
        json!({ "task": "g", "trajectory": "x", "steps": [{ "state": "s", "reward": 0 }] });
    let late = json!({ "truth": { "process": choice(), "discount": 1, "attempt": attempt, "step": 1, "situation": null } });
    assert_eq!(refused(&late.to_string()), "there is no step 1");
    let options = json!({ "estimator": { "name": "hgpo", "alpha": -1 } });
    assert_eq!(
        with("options", options),
        "not a request: option alpha: -1 is not a number from 0 to 100: correct it"
    );
    let process = json!({ "step_limit": 1, "start": [], "situations": [{ "state": "s" }] });
    let said = with("process", process);
    assert_eq!(said, "not a request: process: `start` must be a list that is not empty: add it");
}

/// What is true of the first step of an attempt that did something and got a reward.
fn truth(process: &Value, action: &str, reward: f64, situation: &Value) -> Value {
    let steps = json!([{ "state": "s", "action": action, "reward": reward }]);
    asked(&json!({ "truth": {
        "process": process, "discount": 1, "step": 0, "situation": situation,
        "attempt": { "task": "g", "trajectory": "x", "steps": steps },
    } }))
}

#[test]
fn the_truth_of_a_step_is_what_its_action_is_worth_beyond_the_policy() {
    let known = &truth(&choice(), "a", 1.0, &Value::Null)["known"];
    let decision = json!({ "situation": 0, "steps_left": 1, "action": 0 });
    assert_eq!(
        known,
        &json!({ "decision": decision, "action-value": 1.0, "value": 1.5, "advantage": -0.5 })
    );
    assert_eq!(truth(&choice(), "a", 5.0, &Value::Null), json!({ "misfit": 0 }));
}

#[test]
fn where_a_step_was_taken_is_known_to_who_saw_it() {
    // Two rooms look alike: what is done in one of them wins 1, in the other 3.
    let room = |hidden: &str, reward: u32| {
        json!({"name": hidden, "state": "s", "hidden": hidden, "actions": [{"action": "a", "outcomes": [
            {"probability": 0.5, "reward": reward}, {"probability": 0.5}]}]})
    };
    let start = |hidden: &str| json!({"situation": hidden, "probability": 0.5});
    let process = json!({"step_limit": 1, "start": [start("left"), start("right")],
        "situations": [room("left", 1), room("right", 3)]});
    let truth = |situation: Value| truth(&process, "a", 0.0, &situation);
    assert_eq!(truth(Value::Null), "ambiguous");
    assert_eq!(truth(json!(1))["known"]["action-value"], 1.5);
    assert_eq!(truth(json!(7)), "ambiguous", "there is none");
}
