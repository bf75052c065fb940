//! The controls of the estimator.

use super::field::Field;
use crate::{
    model::{
        self, Action, Chrome, ESTIMATOR, INSIDE, Key, Part, Problem, estimators, key_of, kind,
    },
    platform::links,
    text,
};
use hgpo_core::Kind;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the controls need.
#[derive(Properties, PartialEq)]
pub(crate) struct ControlsProps {
    /// Their settings.
    pub(crate) controls: model::Controls,
    /// Whether the estimator looks for agents that the rollouts do not name.
    pub(crate) lacks_agents: bool,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// What the address says, also of single controls to leave out.
    pub(crate) chrome: Rc<Chrome>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The options that are shown at once; the others unfold.
const FIRST: [Key; 7] =
    ["inside", "context_length", "alpha", "scale", "weights", "step_weight", "discount"];

/// The estimator, and a control for each option that it has.
#[function_component]
pub(crate) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { controls, lacks_agents, problem, chrome, dispatch } = props;
    let (focused, hovered) = (use_state_eq(|| None::<Key>), use_state_eq(|| None::<Key>));
    let wrong = match problem {
        Some(Problem::Control(key)) => Some(*key),
        _ => None,
    };
    let scene = Scene { controls, defaults: controls.set_back(), wrong, dispatch };
    let shown: Vec<Key> = text::options()
        .filter(|key| controls.value(key).is_some())
        .filter(|key| !chrome.hidden.contains(&Part::Control(key)))
        .collect();
    let draw = |first: bool| {
        let within = move |key: &&Key| (**key == ESTIMATOR || FIRST.contains(*key)) == first;
        shown.iter().filter(within).map(|key| one(&scene, key)).collect::<Html>()
    };
    let spoken_of = hovered.or(*focused).filter(|key| shown.contains(key));
    let changed = shown.iter().any(|key| scene.is_changed(key));
    let back = dispatch.reform(|_: MouseEvent| Action::Defaults);
    let (hover, leave) = (hovered.setter(), hovered.setter());
    let (focus, blur) = (focused.setter(), focused.setter());
    html! {
        <section class="controls" aria-labelledby="controls-title"
            onpointerover={Callback::from(move |event: PointerEvent| hover.set(option_of(&event)))}
            onpointerleave={Callback::from(move |_: PointerEvent| leave.set(None))}
            onfocusin={Callback::from(move |event: FocusEvent| focus.set(option_of(&event)))}
            onfocusout={Callback::from(move |_: FocusEvent| blur.set(None))}>
            <div class="controls-head">
                <h2 id="controls-title">{ text::controls() }</h2>
                <button type="button" class="button defaults" aria-disabled={(!changed).then_some("true")} onclick={back} title={text::defaults_hint()}>{ text::defaults() }</button>
            </div>
            <div class="fields">{ draw(true) }</div>
            <details class="more">
                <summary>{ text::more_options() }</summary>
                <div class="fields">{ draw(false) }</div>
            </details>
            <div hidden=true>{ for shown.iter().map(|key| html! { <p id={format!("hint-{key}")}>{ hint(&scene, key) }</p> }) }</div>
            { spoken(&scene, spoken_of) }
            <p class="problem" role="status">{ lacks_agents.then(text::no_agents) }</p>
            <p class="problem" id="control-problem" role="alert">{ wrong.map(text::control_problem) }</p>
        </section>
    }
}

/// The option that an event is about.
fn option_of(event: &Event) -> Option<Key> {
    key_of(&links::named(event, "data-option")?)
}

/// What drawing a control needs to know.
struct Scene<'a> {
    controls: &'a model::Controls,
    defaults: model::Controls,
    wrong: Option<Key>,
    dispatch: &'a Callback<Action>,
}

impl Scene<'_> {
    /// Whether an option is not as it was to begin with. Which method it is, is no such option.
    fn is_changed(&self, key: Key) -> bool {
        ![ESTIMATOR, INSIDE].contains(&key) && self.controls.value(key) != self.defaults.value(key)
    }

    fn set(&self, key: Key) -> Callback<String> {
        self.dispatch.reform(move |text: String| Action::Set(key, text))
    }
}

/// What an option is chosen from.
fn choices(controls: &model::Controls, key: Key) -> Vec<&'static str> {
    if let Kind::Choice(words) = kind(key) {
        return words.to_vec();
    }
    let outside = if key == INSIDE { controls.estimator() } else { "" };
    estimators().filter(|name| *name != outside).collect()
}

/// The value of an option as a reader calls it.
fn value_name(scene: &Scene<'_>, key: Key, value: &str) -> String {
    match kind(key) {
        Kind::Flag => text::yes_or_no(value == "true").to_owned(),
        Kind::Integer { .. } | Kind::Number { .. } => value.to_owned(),
        _ => {
            let word = choices(scene.controls, key).into_iter().find(|word| *word == value);
            word.map_or_else(String::new, |word| text::value(key, word).to_owned())
        }
    }
}

/// What a control does, where it comes from, and what it was to begin with.
fn hint(scene: &Scene<'_>, key: Key) -> String {
    let words = text::control(key);
    let mut hint = format!("{}. {}: {}.", words.hint, text::source_of(), words.source);
    if ![ESTIMATOR, INSIDE].contains(&key) {
        let value = scene.defaults.value(key).unwrap_or_default();
        hint.push(' ');
        hint.push_str(&text::default_value(&value_name(scene, key, &value)));
    }
    hint
}

/// The hint of the option that the pointer or the focus is on. Programs hear it from the control.
fn spoken(scene: &Scene<'_>, key: Option<Key>) -> Html {
    html! {
        <p class="option-hint" aria-hidden="true">
            if let Some(key) = key {
                <b>{ text::control(key).label }</b>{ " \u{2014} " }{ hint(scene, key) }
            } else {
                { text::options_hint() }
            }
        </p>
    }
}

/// The control of an option.
fn one(scene: &Scene<'_>, key: Key) -> Html {
    match kind(key) {
        Kind::Integer { .. } | Kind::Number { .. } => number(scene, key),
        Kind::Flag => flag(scene, key),
        _ => choice(scene, key),
    }
}

fn number(scene: &Scene<'_>, key: Key) -> Html {
    let id = format!("option-{key}");
    let described = format!("problem-{id} hint-{key}");
    let controls = scene.controls.clone();
    let admits = Callback::from(move |text: String| controls.with(key, &text).is_some());
    html! {
        <div class={classes!("number", scene.is_changed(key).then_some("changed"))} key={key} data-option={key}>
            <Field {id} label={text::control(key).label} value={scene.controls.value(key).unwrap_or_default()}
                is_number=true {described} {admits} problem={text::control_problem(key)} keep={scene.set(key)} />
        </div>
    }
}

fn choice(scene: &Scene<'_>, key: Key) -> Html {
    let words = choices(scene.controls, key);
    let value = scene.controls.value(key).unwrap_or_default();
    let set = scene.set(key);
    let onchange = Callback::from(move |event: Event| {
        if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
            set.emit(list.value());
        }
    });
    html! {
        <label class={classes!("field", scene.is_changed(key).then_some("changed"))} key={key} data-option={key}>
            <span>{ text::control(key).label }</span>
            <select {onchange} aria-describedby={format!("hint-{key}")}>
                { for words.into_iter().map(|word| html! {
                    <option value={word} selected={word == value}>{ text::value(key, word) }</option>
                }) }
            </select>
        </label>
    }
}

fn flag(scene: &Scene<'_>, key: Key) -> Html {
    let checked = scene.controls.value(key).as_deref() == Some("true");
    let wrong = scene.wrong == Some(key);
    let set = scene.set(key);
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            set.emit(input.checked().to_string());
            // What is not admitted is not left standing.
            input.set_checked(checked);
        }
    });
    html! {
        <label class={classes!("field", "flag", scene.is_changed(key).then_some("changed"))} key={key} data-option={key}>
            <input type="checkbox" {checked} {onchange} aria-invalid={wrong.then_some("true")}
                aria-describedby={format!("hint-{key} control-problem")} />
            <span>{ text::control(key).label }</span>
        </label>
    }
}
