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

/// The names of the parts of the arithmetic, in links and lessons.
pub(crate) const PHASES: [(Phase, &str); 5] = [
    (Phase::Returns, "returns"),
    (Phase::Groups, "groups"),
    (Phase::Levels, "levels"),
    (Phase::Weights, "weights"),
    (Phase::Sum, "sum"),
];

/// The part of the arithmetic of a name.
pub(crate) fn phase_of(name: &str) -> Option<Phase> {
    PHASES.iter().find(|(_, known)| *known == name).map(|(phase, _)| *phase)
}

/// Work as text.
pub(super) fn write(work: &Work) -> Vec<u8> {
    let document = &work.document;
    let first = match document.source {
        Source::Preset(index) if document.task == 0 => PRESETS[index].load().1,
        _ => Cell::default(),
    };
    let head = head(work, first);
    let mut text = serde_json::to_vec(&head).expect("JSON has a form for all of it");
    if !is_example(document) {
        text.push(b'\n');
        text.extend_from_slice(document.rollouts.written().trim_end().as_bytes());
    }
    text
}

/// The first line, given the step that the rollouts open with.
fn head(work: &Work, first: Cell) -> Map<String, Value> {
    let document = &work.document;
    let (key, name) = match &document.source {
        Source::Preset(index) => ("p", &PRESETS[*index].name),
        Source::File(name) => ("f", name),
    };
    let mut head = Map::new();
    let mut put = |key: &str, value: Value| head.insert(key.to_owned(), value);
    put(key, name.as_str().into());
    let options = changed(&document.controls.options);
    if !options.is_empty() {
        put("o", options.into());
    }
    if document.task > 0 {
        put("t", document.task.into());
    }
    if document.selected != first {
        let Cell { row, step } = document.selected;
        let row = &document.rollouts.tasks[document.task].rows()[row];
        put("s", [row.trajectory.as_str(), &step.to_string()].join("/").into());
    }
    if let Some(level) = work.level {
        put("l", level.into());
    }
    if let Some((_, name)) = PHASES.iter().find(|(phase, _)| work.phase == Some(*phase)) {
        put("h", (*name).into());
    }
    if let Some(told) = &document.told {
        put("w", told.written().into());
    }
    if let Some(numbers) = document.rollouts.own_numbers() {
        put("k", numbers.into_iter().map(Value::from).collect());
    }
    head
}

/// The options that are not defaults.
fn changed(options: &Options) -> Map<String, Value> {
    let plain = |options: &Options| serde_json::to_value(options).unwrap_or_default();
    let usual = plain(&Options::default());
    let Value::Object(mut own) = plain(options) else {
        return Map::new();
    };
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
    let Value::Object(own) = estimator else {
        return estimator;
    };
    let differs = |(key, value): &(String, Value)| key == "name" || usual[key] != *value;
    let short = own.into_iter().filter(differs).map(|(key, value)| {
        let value = if key == "estimator" { shortened(value) } else { value };
        (key, value)
    });
    short.collect::<Map<_, _>>().into()
}

/// The work that a text stands for.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(text: &str) -> Result<Work, Fault> {
    let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
    let head = read_json(head).map_err(|_| Fault::Damaged)?;
    let (source, rollouts, first) = rollouts(&head, lines)?;
    let options = match head.get("o") {
        Some(options) => serde_json::from_value(options.clone())
            .map_err(|error| Fault::Content(error.to_string()))?,
        None => Options::default(),
    };
    let task = position(&head["t"]).unwrap_or(0).min(rollouts.tasks.len() - 1);
    let on_stage = &rollouts.tasks[task];
    let named = head["s"].as_str().and_then(|address| on_stage.find(address));
    let first = if task == 0 { on_stage.nearest(first) } else { Cell::default() };
    let selected = named.unwrap_or(first);
    let controls = Controls::of(options);
    let (told, rollouts) = (Told::read(&head["w"]), Shared::new(rollouts));
    let document = Document { source, rollouts, controls, task, selected, told };
    let phase = head["h"].as_str().and_then(phase_of);
    Ok(Work { document, level: position(&head["l"]), phase })
}

/// The rollouts, where they come from, and the step that they open with.
fn rollouts(head: &Value, lines: &str) -> Result<(Source, Rollouts, Cell), Fault> {
    let read = || Rollouts::read(lines).map_err(|error| Fault::Content(error.to_string()));
    let (source, rollouts, first) = if let Some(name) = head["p"].as_str() {
        let index = Preset::position(name).ok_or_else(|| Fault::Example(name.to_owned()))?;
        let (own, first) = PRESETS[index].load();
        let rollouts = if lines.is_empty() { own } else { read()? };
        (Source::Preset(index), rollouts, first)
    } else {
        let name = head["f"].as_str().ok_or(Fault::Damaged)?;
        (Source::File(name.to_owned()), read()?, Cell::default())
    };
    Ok((source, rollouts.with_numbers(&numbers(&head["k"])), first))
}

fn position(value: &Value) -> Option<usize> {
    value.as_u64().map(|number| number as usize)
}

fn numbers(value: &Value) -> Vec<Vec<usize>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let own = |task: &Value| list(task).iter().filter_map(position).collect();
    list(value).iter().map(own).collect()
}
