//! Process writer: a process as JSON.

use serde_json::{Map, Value, json};

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
    let mut fields = Map::new();
    if name != state {
        fields.insert("name".to_owned(), name.as_str().into());
    }
    fields.insert("state".to_owned(), state.as_str().into());
    for (field, text) in [("hidden", hidden), ("agent", agent)] {
        fields.extend(text.as_deref().map(|text| (field.to_owned(), text.into())));
    }
    let actions: Value = actions.iter().map(|of| action(of, situations)).collect();
    fields.insert("actions".to_owned(), actions);
    Value::Object(fields)
}

fn action(of: &Move, situations: &[Situation]) -> Value {
    let Move { action, valid, probability, outcomes } = of;
    let mut fields = Map::new();
    fields.insert("action".to_owned(), action.as_str().into());
    if !valid {
        fields.insert("valid".to_owned(), false.into());
    }
    fields.insert("probability".to_owned(), (*probability).into());
    let outcomes: Value = outcomes.iter().map(|of| outcome(of, situations)).collect();
    fields.insert("outcomes".to_owned(), outcomes);
    Value::Object(fields)
}

fn outcome(of: &Outcome, situations: &[Situation]) -> Value {
    let Outcome { probability, reward, next } = *of;
    let mut fields = Map::new();
    fields.insert("probability".to_owned(), probability.into());
    fields.insert("reward".to_owned(), reward.into());
    let next = next.map(|next| ("next".to_owned(), situations[next].name.as_str().into()));
    fields.extend(next);
    Value::Object(fields)
}
