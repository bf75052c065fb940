//! The estimates of the chosen step beside the truth, where the attempts come from a known process.
//! What is shown is made in the worker; here is how it is asked for.

use super::element::{button, element, fixed, word, written};
use crate::{
    model::{Action, Cell, Controls, PRESETS, Shared, Source, Task},
    platform::{processes, worker},
    text,
};
use hgpo_core::read_json;
use serde_json::{Value, json};
use yew::prelude::*;

/// What the part needs.
#[derive(Properties, PartialEq)]
pub(crate) struct TruthProps {
    /// Where the attempts come from.
    pub(crate) source: Source,
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The chosen step.
    pub(crate) selected: Cell,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// How many groups are drawn at once.
const SAMPLES: usize = 200;

/// Whether the rollouts come from a known process.
pub(crate) fn is_known(source: &Source) -> bool {
    matches!(source, Source::Preset(index) if PRESETS[*index].has_process)
}

/// What came of the last request.
#[derive(Clone, PartialEq)]
enum Shown {
    Waiting,
    Html(AttrValue),
    Failed(String),
}

/// What is asked for: how many groups are drawn, and what the draws depend on.
#[derive(Clone, Copy, PartialEq)]
struct Draws {
    samples: usize,
    seed: u64,
}

/// The process of the example, once it is there.
#[hook]
fn use_process(source: &Source, shown: &UseStateHandle<Shown>) -> Option<Shared<Value>> {
    let process = use_state_eq(|| None::<(Source, Shared<Value>)>);
    let (set, failed) = (process.setter(), shown.setter());
    use_effect_with(source.clone(), move |source| {
        let Source::Preset(index) = *source else { return };
        processes::fetch(&PRESETS[index].name, move |text| {
            match text.and_then(|text| read_json(&text).ok()) {
                Some(value) => set.set(Some((Source::Preset(index), Shared::new(value)))),
                None => failed.set(Shown::Failed(text::no_process().to_owned())),
            }
        });
    });
    let (of, process) = (*process).clone()?;
    (of == *source).then_some(process)
}

/// The truth of the chosen step, and how the estimates scatter around it.
#[function_component]
pub(crate) fn Truth(props: &TruthProps) -> Html {
    let TruthProps { source, task, controls, selected, dispatch } = props;
    let shown = use_state_eq(|| Shown::Waiting);
    let draws = use_state_eq(|| Draws { samples: 0, seed: 0 });
    let process = use_process(source, &shown);
    let asked = (process.clone(), task.clone(), controls.clone(), *selected, *draws);
    use_effect_with(asked, {
        let shown = shown.setter();
        move |(process, task, controls, cell, draws)| {
            if let Some(process) = process {
                ask(&request(process, task, controls, *cell, *draws), "view", move |answer| {
                    shown.set(match answer {
                        Ok(html) => {
                            Shown::Html(html.as_str().unwrap_or_default().to_owned().into())
                        }
                        Err(message) => Shown::Failed(message),
                    });
                });
            }
        }
    });
    let next = draws.seed + 1;
    let study = {
        let draws = draws.setter();
        Callback::from(move |_: MouseEvent| draws.set(Draws { samples: SAMPLES, seed: next }))
    };
    let anew = {
        let (shown, draws, now) = (shown.setter(), draws.setter(), *draws);
        let (task, dispatch) = (task.clone(), dispatch.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(process) = &process else { return };
            draws.set(Draws { seed: next, ..now });
            let draw = json!({ "process": &**process, "task": &*task.name,
                "attempts": task.rows().len(), "seed": next });
            let (shown, dispatch) = (shown.clone(), dispatch.clone());
            ask(&json!({ "draw": draw }), "draw", move |answer| match answer {
                Ok(attempts) => dispatch.emit(Action::Redraw(lines(&attempts))),
                Err(message) => shown.set(Shown::Failed(message)),
            });
        })
    };
    let known = [("class", "button")];
    let buttons = vec![
        button(&known, Vec::new(), anew, vec![word(text::draw_anew())]),
        button(&known, Vec::new(), study, vec![written(text::draw_many(SAMPLES))]),
    ];
    let content = match &*shown {
        Shown::Waiting => Html::default(),
        Shown::Html(html) => Html::from_html_unchecked(html.clone()),
        Shown::Failed(message) => element("p", "problem", vec![written(message.clone())]),
    };
    let name = text::step_name(&task.rows()[selected.row].trajectory, selected.step);
    let parts = vec![
        element("h2", "unseen", vec![word(text::estimate_and_truth())]),
        element("p", "truth-of", vec![written(name)]),
        fixed("div", &[("class", "found"), ("aria-live", "polite")], vec![content]),
        element("div", "draws", buttons),
        element("p", "hint", vec![word(text::truth_hint())]),
    ];
    fixed("section", &[("class", "truth"), ("aria-label", text::estimate_and_truth())], parts)
}

/// What the worker is asked for a step.
fn request(process: &Value, task: &Task, controls: &Controls, cell: Cell, draws: Draws) -> Value {
    json!({ "view": {
        "process": process,
        "options": serde_json::to_value(&controls.options).unwrap_or_default(),
        "attempts": task.attempts(),
        "step": [cell.row, cell.step],
        "samples": draws.samples,
        "seed": draws.seed,
        "language": text::spoken().tag(),
    } })
}

/// Asks the worker, and calls back with what it answers under a name, or why it does not.
fn ask(request: &Value, name: &'static str, done: impl FnOnce(Result<Value, String>) + 'static) {
    worker::ask(&request.to_string(), move |answer| {
        let mut answer = answer.and_then(|text| read_json(&text).ok());
        done(match answer.as_mut().map(|answer| (answer[name].take(), &answer["error"])) {
            Some((Value::Null, Value::String(error))) => Err(error.clone()),
            Some((answer, _)) if !answer.is_null() => Ok(answer),
            _ => Err(text::no_worker().to_owned()),
        });
    });
}

/// Attempts as a rollouts file.
fn lines(attempts: &Value) -> String {
    let attempts = attempts.as_array().into_iter().flatten();
    attempts.map(|attempt| attempt.to_string() + "\n").collect()
}
