//! What a link holds, as text: lines of JSON. The first says which example or file, how the controls
//! are set and where the reader looks; the others are a rollouts file, absent for an example as it is.
//!
//! | key | value | absent |
//! |---|---|---|
//! | `p` | name of the example | `f` is there |
//! | `f` | name of the file | `p` is there |
//! | `o` | options that are not the default of their estimator | all defaults |
//! | `t` | position of the task | 0 |
//! | `s` | step, as `TRAJECTORY/STEP` | the one that it opens with |
//! | `l` | level that the reader looks at | all |
//! | `h` | part of the arithmetic that is shown last | the whole |
//! | `w` | words of who shares it: title `t`, note `n`, question `q` and its answer `a`, as texts | none |
//! | `k` | numbers of the states, task by task, in order of appearance | 0, 1, 2, … |
//!
//! Defaults are left out, so links are short; `tests.rs` holds links that must keep their meaning,
//! whatever the defaults become.

use super::{Fault, Work, is_example};
use crate::model::{
    Cell, Controls, Document, PRESETS, Phase, Preset, Rollouts, Shared, Source, Told,
};
use hgpo_core::{Estimator, Options, read_json};
use serde_json::{Map, Value, json};

/// Work as text.
pub(super) fn write(work: &Work) -> String {
    let Document { source, rollouts, controls, task, selected, told } = &work.document;
    let (key, name, first) = match source {
        Source::Preset(index) => ("p", &PRESETS[*index].name, PRESETS[*index].load().1),
        Source::File(name) => ("f", name, Cell::default()),
    };
    let first = if *task == 0 { first } else { Cell::default() };
    let address = || {
        let row = &rollouts.tasks[*task].rows()[selected.row];
        [&*row.trajectory, "/", &selected.step.to_string()].concat()
    };
    let options = changed(&controls.options);
    let pairs: [(&str, Option<Value>); 8] = [
        (key, Some(name.as_str().into())),
        ("o", (!options.is_empty()).then(|| options.into())),
        ("t", (*task > 0).then(|| (*task).into())),
        ("s", (*selected != first).then(|| address().into())),
        ("l", work.level.map(Value::from)),
        ("h", work.phase.map(|phase| phase.name().into())),
        ("w", told.as_ref().map(|told| told.written().into())),
        ("k", rollouts.own_numbers().map(Value::from)),
    ];
    let there = pairs.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let head = Value::Object(there.collect()).to_string();
    if is_example(&work.document) {
        return head;
    }
    [&*head, rollouts.written().trim_end()].join("\n")
}

/// The options that are not defaults.
fn changed(options: &Options) -> Map<String, Value> {
    let plain = |options: &Options| serde_json::to_value(options).unwrap_or_default();
    let usual = plain(&Options::default());
    let Value::Object(mut own) = plain(options) else { return Map::new() };
    if let Some(estimator) = own.get_mut("estimator") {
        *estimator = shortened(estimator.take());
    }
    let is_usual = |key: &String, value: &Value| match key.as_str() {
        // Its name alone is left of an estimator that is set as usual.
        "estimator" => *value == json!({ "name": usual[key]["name"] }),
        _ => *value == usual[key],
    };
    own.retain(|key, value| !is_usual(key, value));
    own
}

/// An estimator without the options that are its defaults.
fn shortened(estimator: Value) -> Value {
    let usual = estimator["name"].as_str().and_then(|name| Estimator::default_named(name).ok());
    let usual = serde_json::to_value(usual).unwrap_or_default();
    let Value::Object(mut own) = estimator else { return estimator };
    own.retain(|key, value| key == "name" || usual[key] != *value);
    if let Some(inside) = own.get_mut("estimator") {
        *inside = shortened(inside.take());
    }
    own.into()
}

/// The work that a text stands for.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(text: &str) -> Result<Work, Fault> {
    let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
    let head = read_json(head).map_err(|_| Fault::Damaged)?;
    let content = |error: &dyn std::fmt::Display| Fault::Content(error.to_string());
    let read = || Rollouts::read(lines).map_err(|error| content(&error));
    let (source, rollouts, first) = if let Some(name) = head["p"].as_str() {
        let index = Preset::position(name).ok_or_else(|| Fault::Example(name.to_owned()))?;
        let (own, first) = PRESETS[index].load();
        (Source::Preset(index), if lines.is_empty() { own } else { read()? }, first)
    } else {
        let name = head["f"].as_str().ok_or(Fault::Damaged)?;
        (Source::File(name.to_owned()), read()?, Cell::default())
    };
    let rollouts = rollouts.with_numbers(&numbers(&head["k"]));
    let options = head.get("o").map_or(Ok(Options::default()), |options| {
        serde_json::from_value(options.clone()).map_err(|error| content(&error))
    })?;
    let task = position(&head["t"]).unwrap_or(0).min(rollouts.tasks.len() - 1);
    let on_stage = &rollouts.tasks[task];
    let named = head["s"].as_str().and_then(|address| on_stage.find(address));
    let first = if task == 0 { on_stage.nearest(first) } else { Cell::default() };
    let document = Document {
        source,
        controls: Controls::of(options),
        task,
        selected: named.unwrap_or(first),
        told: Told::read(&head["w"]),
        rollouts: Shared::new(rollouts),
    };
    let phase = head["h"].as_str().and_then(Phase::of_name);
    Ok(Work { document, level: position(&head["l"]), phase })
}

fn position(value: &Value) -> Option<usize> {
    value.as_u64().map(|number| number as usize)
}

fn numbers(value: &Value) -> Vec<Vec<usize>> {
    let own = |task: &Value| task.as_array().into_iter().flatten().filter_map(position).collect();
    value.as_array().into_iter().flatten().map(own).collect()
}
