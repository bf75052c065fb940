//! The controls of the estimator.

use super::field::{Field, Select};
use crate::model::{
    self, Action, Chrome, ESTIMATOR, INSIDE, Key, Part, Problem, estimators, key_of, kind,
};
use crate::platform::links;
use crate::text;
use hgpo_core::Kind;
use std::rc::Rc;
use web_sys::HtmlInputElement;
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
    /// Unfolds the options or folds them; none where they stay unfolded.
    pub(crate) fold: Option<Callback<bool>>,
    /// Whether every option is shown, not only the first ones.
    pub(crate) open: bool,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The options that are in sight at all times.
const QUICK: [Key; 2] = [ESTIMATOR, "context_length"];

/// The options that are shown at once, and told below a figure; the others unfold.
const FIRST: &str = "inside context_length alpha scale weights state_value depth credit lambda trust step_weight discount";

/// Whether an option is shown at once.
pub(crate) fn is_shown_first(key: Key) -> bool {
    FIRST.split(' ').any(|first| first == key)
}

/// Whether an option is the first to unfold.
fn is_first(key: Key) -> bool {
    is_shown_first(key) && !QUICK.contains(&key)
}

/// The estimator, and a control for each option that it has.
#[function_component]
pub(crate) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { controls, problem, chrome, fold, open, dispatch, .. } = props;
    let (focused, hovered) = (use_state_eq(|| None::<Key>), use_state_eq(|| None::<Key>));
    let (wrong, refused) = match problem {
        Some(Problem::Control(key)) => (Some(*key), text::control_problem(key)),
        Some(Problem::Unfit(key, why)) => (Some(*key), text::unfit(key, why)),
        _ => (None, String::new()),
    };
    let scene = Scene { controls, defaults: controls.set_back(), wrong, dispatch };
    let shown: Vec<Key> = text::options()
        .filter(|key| controls.value(key).is_some())
        .filter(|key| !chrome.hidden.contains(&Part::Control(key)))
        .collect();
    let draw = |own: &dyn Fn(Key) -> bool| -> Vec<Html> {
        shown.iter().filter(|key| own(key)).map(|key| one(&scene, key)).collect()
    };
    let is_changed = shown.iter().any(|key| scene.is_changed(key));
    let spoken_of = hovered.or(*focused).filter(|key| shown.contains(key));
    let (hover, leave) = (hovered.setter(), hovered.setter());
    let (focus, blur) = (focused.setter(), focused.setter());
    html! {
        <section class="controls" aria-label={text::controls()}
            onpointerover={move |event: PointerEvent| hover.set(option_of(&event))}
            onpointerleave={move |_: PointerEvent| leave.set(None)}
            onfocusin={move |event: FocusEvent| focus.set(option_of(&event))}
            onfocusout={move |_: FocusEvent| blur.set(None)}>
            <div class="fields quick">
                { draw(&|key| QUICK.contains(&key)) }
                { fold.as_ref().map(|fold| toggle(&scene, *open, fold)) }
            </div>
            <div class="unfolded" id="options" hidden={!open}>
                <div class="fields">{ draw(&is_first) }</div>
                <details class="more">
                    <summary>{ text::more_options() }</summary>
                    <div class="fields">{ draw(&|key| !is_shown_first(key) && !QUICK.contains(&key)) }</div>
                </details>
                // A button that becomes disabled would take the focus with it.
                <button type="button" class="button defaults" title={text::defaults_hint()}
                    aria-disabled={(!is_changed).then_some("true")}
                    onclick={dispatch.reform(|_: MouseEvent| Action::Defaults)}>
                    { text::defaults() }
                </button>
                // Programs hear it from the control.
                <p class="option-hint" aria-hidden="true">
                    if let Some(key) = spoken_of {
                        <b>{ text::control(key).label }</b>{ " \u{2014} " }{ hint(&scene, key) }
                    } else {
                        { text::options_hint() }
                    }
                </p>
            </div>
            // What programs read of each control.
            <div hidden=true>
                { for shown.iter().map(|key| html! { <p id={format!("hint-{key}")}>{ hint(&scene, key) }</p> }) }
            </div>
            <p class="problem" role="status">
                if props.lacks_agents { { text::no_agents() } }
            </p>
            <p class="problem" id="control-problem" role="alert">{ refused }</p>
        </section>
    }
}

/// The button that unfolds the options. Where they are folded, it says which of them differ from the
/// method's own, or the first ones if none does.
fn toggle(scene: &Scene<'_>, open: bool, fold: &Callback<bool>) -> Html {
    let differing = text::told(scene.controls, &|key| scene.is_changed(key));
    let (class, settings) = if differing.is_empty() {
        ("told", text::told(scene.controls, &is_first))
    } else {
        ("told differs", differing)
    };
    html! {
        <div key="toggle" class="folding">
            <button type="button" class="button toggle" aria-controls="options"
                aria-expanded={open.to_string()} title={settings.clone()}
                onclick={fold.reform(move |_: MouseEvent| !open)}>
                <b>{ text::options_of_method() }</b>
                <span {class}>{ settings }</span>
            </button>
        </div>
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
        self.controls.value(key) != self.defaults.value(key)
    }
}

/// What a control does, where it comes from, and what it was to begin with.
fn hint(scene: &Scene<'_>, key: Key) -> String {
    let words = text::control(key);
    let hint = format!("{}. {}: {}.", words.hint, text::source_of(), words.source);
    if [ESTIMATOR, INSIDE].contains(&key) {
        return hint;
    }
    let value = scene.defaults.value(key).unwrap_or_default();
    format!("{hint} {}", text::default_value(text::value(key, &value)))
}

/// The control of an option, with a mark where it is not as it was to begin with.
fn one(scene: &Scene<'_>, key: Key) -> Html {
    let label = text::control(key).label;
    let value = scene.controls.value(key).unwrap_or_default();
    let set = scene.dispatch.reform(move |text: String| Action::Set(key, text));
    let changed = scene.is_changed(key).then_some("changed");
    let invalid = (scene.wrong == Some(key)).then_some("true");
    let described = format!("hint-{key} control-problem");
    match kind(key) {
        Kind::Integer { .. } | Kind::Number { .. } => {
            let id = format!("option-{key}");
            let described = format!("problem-{id} hint-{key}");
            let controls = scene.controls.clone();
            let admits = Callback::from(move |text: String| controls.with(key, &text).is_some());
            html! {
                <div {key} class={classes!("number", changed)} data-option={key}>
                    <Field {id} {label} {value} is_number=true {described} {admits}
                        problem={text::control_problem(key)} keep={set} />
                </div>
            }
        }
        Kind::Flag => {
            let checked = value == "true";
            let onchange = move |event: Event| {
                let input: HtmlInputElement = event.target_unchecked_into();
                set.emit(input.checked().to_string());
                // What is not admitted is not left standing.
                input.set_checked(checked);
            };
            html! {
                <label {key} class={classes!("field", "flag", changed)} data-option={key}>
                    <input type="checkbox" {checked} aria-invalid={invalid} aria-describedby={described}
                        {onchange} />
                    <span>{ label }</span>
                </label>
            }
        }
        choice => {
            let words = match choice {
                Kind::Choice(words) => words.to_vec(),
                _ if key == INSIDE => {
                    estimators().filter(|name| *name != scene.controls.estimator()).collect()
                }
                _ => estimators().collect(),
            };
            let option = |word| html! { <option value={word}>{ text::value(key, word) }</option> };
            html! {
                <label {key} class={classes!("field", changed)} data-option={key}>
                    <span>{ label }</span>
                    <Select {value} is_wrong={invalid.is_some()} {described} choose={set}>
                        { for words.into_iter().map(option) }
                    </Select>
                </label>
            }
        }
    }
}
