//! The controls of the estimator.

use crate::{
    model::{self, Action, CONTROLS, ESTIMATOR, ESTIMATORS, Key, Kind, Problem},
    text,
};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the controls need.
#[derive(Properties, PartialEq)]
pub(crate) struct ControlsProps {
    /// Their settings.
    pub(crate) controls: model::Controls,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The options that are shown at once; the others unfold.
const FIRST: [Key; 7] =
    ["inside", "context_length", "alpha", "scale", "weights", "step_weight", "discount"];

/// The estimator, and a control for each option that it has.
#[function_component]
pub(crate) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { controls, problem, dispatch } = props;
    let wrong = match problem {
        Some(Problem::Control(key)) => Some(*key),
        _ => None,
    };
    let shown = |first: bool| {
        CONTROLS.iter().filter(move |(key, _)| FIRST.contains(key) == first).filter_map(
            |&(key, kind)| {
                let value = controls.value(key)?;
                Some(one(key, kind, value, wrong == Some(key), dispatch))
            },
        )
    };
    html! {
        <section class="controls" aria-labelledby="controls-title">
            <h2 id="controls-title">{ text::controls() }</h2>
            <div class="fields">
                { one(ESTIMATOR, Kind::Choice(ESTIMATORS), controls.estimator().to_owned(), false, dispatch) }
                { for shown(true) }
            </div>
            <details class="more">
                <summary>{ text::more_options() }</summary>
                <div class="fields">{ for shown(false) }</div>
            </details>
            <p class="problem" id="control-problem" role="alert">{ wrong.map(text::control_problem) }</p>
        </section>
    }
}

/// The control of an option.
fn one(key: Key, kind: Kind, value: String, wrong: bool, dispatch: &Callback<Action>) -> Html {
    let dispatch = dispatch.clone();
    let set = Callback::from(move |text: String| dispatch.emit(Action::Set(key, text)));
    match kind {
        Kind::Number { most, whole } => {
            html! { <Number key={key} option={key} {value} {most} {whole} {wrong} {set} /> }
        }
        Kind::Choice(words) => choice(key, words, &value, set),
        Kind::Flag => flag(key, value == "true", wrong, set),
    }
}

/// What a control does and where it comes from.
fn hint(key: Key) -> String {
    let words = text::control(key);
    format!("{} ({})", words.hint, words.source)
}

fn choice(key: Key, words: &'static [&'static str], value: &str, set: Callback<String>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
            set.emit(list.value());
        }
    });
    html! {
        <label class="field" title={hint(key)} key={key} data-option={key}>
            <span>{ text::control(key).label }</span>
            <select {onchange}>
                { for words.iter().map(|word| html! {
                    <option value={*word} selected={*word == value}>{ text::value(key, word) }</option>
                }) }
            </select>
        </label>
    }
}

fn flag(key: Key, checked: bool, wrong: bool, set: Callback<String>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            set.emit(input.checked().to_string());
            // What is not admitted is not left standing.
            input.set_checked(checked);
        }
    });
    html! {
        <label class="field flag" title={hint(key)} key={key} data-option={key}>
            <input type="checkbox" {checked} {onchange} aria-invalid={wrong.then_some("true")}
                aria-describedby={wrong.then_some("control-problem")} />
            <span>{ text::control(key).label }</span>
        </label>
    }
}

/// What a field for a number needs.
#[derive(Properties, PartialEq)]
struct NumberProps {
    option: Key,
    value: String,
    most: f64,
    whole: bool,
    wrong: bool,
    set: Callback<String>,
}

/// A field for a number. Typing is left alone: the number is taken over on Enter or on leaving.
#[function_component]
fn Number(props: &NumberProps) -> Html {
    let set = props.set.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            set.emit(input.value());
        }
    });
    html! {
        <label class="field number" title={hint(props.option)} data-option={props.option}>
            <span>{ text::control(props.option).label }</span>
            <input type="number" min="0" max={props.most.to_string()} value={props.value.clone()}
                step={if props.whole { "1" } else { "any" }} {onchange}
                aria-invalid={props.wrong.then_some("true")}
                aria-describedby={props.wrong.then_some("control-problem")} />
        </label>
    }
}
