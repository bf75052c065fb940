//! The controls of the estimator.

use super::field::Field;
use crate::{
    model::{
        self, Action, Chrome, ESTIMATOR, INSIDE, Key, Part, Problem, estimators, key_of, kind,
    },
    platform::links,
    text,
    view::element::{
        button, element, fixed, keyed, option, plain, select, tagged, tick, word, written,
    },
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
pub(crate) const FIRST: [Key; 12] = [
    "inside",
    "context_length",
    "alpha",
    "scale",
    "weights",
    "state_value",
    "depth",
    "credit",
    "lambda",
    "trust",
    "step_weight",
    "discount",
];

/// Whether an option is the first to unfold.
fn is_first(key: Key) -> bool {
    FIRST.contains(&key) && !QUICK.contains(&key)
}

/// The paragraph that says why an option was refused.
const PROBLEM: [(&str, &str); 3] =
    [("class", "problem"), ("id", "control-problem"), ("role", "alert")];

/// The estimator, and a control for each option that it has.
#[function_component]
pub(crate) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { controls, lacks_agents, problem, chrome, dispatch, .. } = props;
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
    let draw = |own: &dyn Fn(Key) -> bool| {
        let own = shown.iter().filter(|key| own(key));
        own.map(|key| one(&scene, key)).collect::<Vec<Html>>()
    };
    let is_other = |key: Key| !FIRST.contains(&key) && !QUICK.contains(&key);
    let spoken_of = hovered.or(*focused).filter(|key| shown.contains(key));
    let more = vec![
        plain("summary", vec![word(text::more_options())]),
        element("div", "fields", draw(&is_other)),
    ];
    let lacking = if *lacks_agents { text::no_agents() } else { "" };
    let mut quick = draw(&|key| QUICK.contains(&key));
    quick
        .push(props.fold.as_ref().map(|fold| toggle(&scene, props.open, fold)).unwrap_or_default());
    let unfolded = vec![
        element("div", "fields", draw(&is_first)),
        element("details", "more", more),
        set_back(&scene, &shown),
        spoken(&scene, spoken_of),
    ];
    let hidden = vec![("hidden", (!props.open).then(String::new))];
    let parts = [
        element("div", "fields quick", quick),
        tagged("div", &[("class", "unfolded"), ("id", "options")], hidden, unfolded),
        hints(&scene, &shown),
        fixed("p", &[("class", "problem"), ("role", "status")], vec![word(lacking)]),
        fixed("p", &PROBLEM, vec![written(refused)]),
    ];
    let (hover, leave) = (hovered.setter(), hovered.setter());
    let (focus, blur) = (focused.setter(), focused.setter());
    html! {
        <section class="controls" aria-label={text::controls()}
            onpointerover={Callback::from(move |event: PointerEvent| hover.set(option_of(&event)))}
            onpointerleave={Callback::from(move |_: PointerEvent| leave.set(None))}
            onfocusin={Callback::from(move |event: FocusEvent| focus.set(option_of(&event)))}
            onfocusout={Callback::from(move |_: FocusEvent| blur.set(None))}>
            { for parts }
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
    let made = vec![("aria-expanded", Some(open.to_string())), ("title", Some(settings.clone()))];
    let known = [("class", "button toggle"), ("aria-controls", "options")];
    let told = vec![
        plain("b", vec![word(text::options_of_method())]),
        element("span", class, vec![written(settings)]),
    ];
    let toggle = button(&known, made, fold.reform(move |_: MouseEvent| !open), told);
    keyed("div", "toggle", vec![("class", Some("folding".to_owned()))], vec![toggle])
}

/// The button that sets every option back.
fn set_back(scene: &Scene<'_>, shown: &[Key]) -> Html {
    let changed = shown.iter().any(|key| scene.is_changed(key));
    let stays = vec![("aria-disabled", (!changed).then(|| "true".to_owned()))];
    let known = [("class", "button defaults"), ("title", text::defaults_hint())];
    let back = scene.dispatch.reform(|_: MouseEvent| Action::Defaults);
    button(&known, stays, back, vec![word(text::defaults())])
}

/// What programs read of each control.
fn hints(scene: &Scene<'_>, shown: &[Key]) -> Html {
    let hint = |key: &Key| {
        let id = vec![("id", Some(hint_id(key)))];
        tagged("p", &[], id, vec![written(hint(scene, key))])
    };
    fixed("div", &[("hidden", "hidden")], shown.iter().map(hint).collect())
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

/// What a control does, where it comes from, and what it was to begin with.
fn hint(scene: &Scene<'_>, key: Key) -> String {
    let words = text::control(key);
    let mut hint = format!("{}. {}: {}.", words.hint, text::source_of(), words.source);
    if ![ESTIMATOR, INSIDE].contains(&key) {
        let value = scene.defaults.value(key).unwrap_or_default();
        hint.push(' ');
        hint.push_str(&text::default_value(text::value(key, &value)));
    }
    hint
}

/// The hint of the option that the pointer or the focus is on. Programs hear it from the control.
fn spoken(scene: &Scene<'_>, key: Option<Key>) -> Html {
    let parts = match key {
        Some(key) => {
            let label = plain("b", vec![word(text::control(key).label)]);
            vec![label, word(" \u{2014} "), written(hint(scene, key))]
        }
        None => vec![word(text::options_hint())],
    };
    fixed("p", &[("class", "option-hint"), ("aria-hidden", "true")], parts)
}

/// The identity of the hint of an option.
fn hint_id(key: Key) -> String {
    ["hint-", key].concat()
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
    let field = html! {
        <Field {id} label={text::control(key).label} value={scene.controls.value(key).unwrap_or_default()}
            is_number=true {described} {admits} problem={text::control_problem(key)} keep={scene.set(key)} />
    };
    optional(scene, key, "div", "number", vec![field])
}

fn choice(scene: &Scene<'_>, key: Key) -> Html {
    let value = scene.controls.value(key).unwrap_or_default();
    let set = scene.set(key);
    let standing = value.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
            let chosen = list.value();
            // What is not admitted is not left standing.
            list.set_value(&standing);
            set.emit(chosen);
        }
    });
    let options = choices(scene.controls, key)
        .into_iter()
        .map(|word| option(word.to_owned(), text::value(key, word).to_owned(), word == value));
    let wrong = scene.wrong == Some(key);
    let described = vec![
        ("aria-invalid", wrong.then(|| "true".to_owned())),
        ("aria-describedby", Some([&hint_id(key), " control-problem"].concat())),
    ];
    let list = select(&[], described, onchange, options.collect());
    optional(scene, key, "label", "field", vec![name(key), list])
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
    let described = [&hint_id(key), " control-problem"].concat();
    let made = vec![
        ("aria-invalid", wrong.then(|| "true".to_owned())),
        ("aria-describedby", Some(described)),
    ];
    let input = tick(&[("type", "checkbox")], made, checked, onchange);
    optional(scene, key, "label", "field flag", vec![input, name(key)])
}

/// What a control is called.
fn name(key: Key) -> Html {
    plain("span", vec![word(text::control(key).label)])
}

/// What belongs to an option, with a mark where it is not as it was to begin with.
fn optional(scene: &Scene<'_>, key: Key, tag: &'static str, class: &str, parts: Vec<Html>) -> Html {
    let changed = if scene.is_changed(key) { " changed" } else { "" };
    let class = [class, changed].concat();
    let made = vec![("class", Some(class)), ("data-option", Some(key.to_owned()))];
    keyed(tag, key, made, parts)
}
