//! Process writer: a process as JSON.

use serde_json::{Value, json};

use super::{Move, Outcome, Process, Situation};

impl From<Process> for Value {
    fn from(process: Process) -> Self {
        let situations = &process.situations;
        let start = process.start.iter().map(|start| {
            json!({ "situation": situations[start.situation].name, "probability": start.probability })
        });
        json!({
            "step_limit": process.step_limit,
            "start": start.collect::<Vec<_>>(),
            "situations": situations.iter().map(|it| situation(it, situations)).collect::<Vec<_>>(),
        })
    }
}

fn situation(of: &Situation, situations: &[Situation]) -> Value {
    let Situation { name, state, hidden, agent, actions } = of;
    without_nulls(json!({
        "name": (name != state).then_some(name),
        "state": state,
        "hidden": hidden,
        "agent": agent,
        "actions": actions.iter().map(|of| action(of, situations)).collect::<Vec<_>>(),
    }))
}

fn action(of: &Move, situations: &[Situation]) -> Value {
    let Move { action, valid, probability, outcomes } = of;
    without_nulls(json!({
        "action": action,
        "valid": (!valid).then_some(false),
        "probability": probability,
        "outcomes": outcomes.iter().map(|of| outcome(of, situations)).collect::<Vec<_>>(),
    }))
}

fn outcome(of: &Outcome, situations: &[Situation]) -> Value {
    let Outcome { probability, reward, next } = *of;
    let next = next.map(|next| &situations[next].name);
    without_nulls(json!({ "probability": probability, "reward": reward, "next": next }))
}

/// An object without the fields that are absent.
fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
