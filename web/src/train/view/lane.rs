//! A lane: its estimator with its options, and how it learns.

use super::{pick::pick, readings::readings, slider::Slider};
use crate::model::number;
use crate::{
    platform::focus,
    text::train as text,
    train::model::{Action, ESTIMATOR, INSIDE, Key, LaneProblem, Model, estimators, kind, options},
};
use hgpo_core::Kind;
use web_sys::{HtmlInputElement, MouseEvent};
use yew::prelude::*;

/// The options that are in sight at once.
const FIRST: [Key; 2] = ["context_length", "alpha"];

/// A lane.
pub(crate) fn lane(model: &Model, at: usize, dispatch: &Callback<Action>) -> Html {
    let (lane, own) = (&model.lanes[at], &model.setup().lanes[at]);
    let levels = own.context_length().map_or(0, |deepest| deepest + 1);
    let name = text::lane_name(model, at);
    let is_drawn = model.lane == at;
    let choose = dispatch.reform(move |_: MouseEvent| Action::Lane(at));
    html! {
        <article tabindex="-1" class={classes!("lane", format!("lane{at}"), is_drawn.then_some("drawn"))} aria-label={name.clone()}>
            <div class="lane-head">
                <svg class="swatch" viewBox="0 0 28 10" aria-hidden="true"><path d="M1 5h26" /></svg>
                { estimator(model, at, dispatch) }
                { others_of(model, at, dispatch) }
                <button type="button" class="button show" aria-pressed={is_drawn.to_string()} onclick={choose}
                    title={text::draw_hint()}>{ text::draw() }<span class="unseen">{ format!(" {name}") }</span></button>
            </div>
            { first_of(model, at, dispatch) }
            <p class="compares">{ text::compares(own) }</p>
            { readings(lane, model.iteration().max(lane.iteration.min(model.target)), levels) }
            <p class="problem" role="alert">{ lane.problem.as_ref().map(text::lane_problem) }</p>
            if lane.problem == Some(LaneProblem::Broke) { { try_again(dispatch) } }
        </article>
    }
}

/// The button that begins broken lanes again. It goes away, and leaves the focus in the lane.
fn try_again(dispatch: &Callback<Action>) -> Html {
    let again = dispatch.reform(|event: MouseEvent| {
        focus::to_closest(&event, "article");
        Action::Retry
    });
    html! { <button type="button" class="button" onclick={again}>{ text::try_again() }</button> }
}

fn estimator(model: &Model, at: usize, dispatch: &Callback<Action>) -> Html {
    let choices: Vec<(String, String)> = estimators()
        .map(|name| (name.to_owned(), text::value(ESTIMATOR, name).to_owned()))
        .collect();
    let set = dispatch.reform(move |name| Action::Option(at, ESTIMATOR, name));
    let made = model.setup().lanes[at].name();
    pick(&format!("lane{at}-estimator"), &text::lane_number(at), &choices, made, set)
}

/// The options of a lane's estimator that unfold.
fn others_of(model: &Model, at: usize, dispatch: &Callback<Action>) -> Html {
    let has = |key: &Key| options::value(&model.setup().lanes[at], key).is_some();
    let others: Vec<Key> = text::options()
        .filter(|key| *key != ESTIMATOR && !FIRST.contains(key) && has(key))
        .collect();
    if others.is_empty() {
        return Html::default();
    }
    html! {
        <details class="more">
            <summary>{ text::more_options() }<span class="unseen">{ format!(" {}", text::lane_name(model, at)) }</span></summary>
            <div class="fields">{ for others.into_iter().map(|key| option(model, at, key, dispatch)) }</div>
        </details>
    }
}

/// The options that are in sight at once, if the estimator has them.
fn first_of(model: &Model, at: usize, dispatch: &Callback<Action>) -> Html {
    let has = |key: &Key| options::value(&model.setup().lanes[at], key).is_some();
    let first: Vec<Key> = FIRST.into_iter().filter(has).collect();
    if first.is_empty() {
        return Html::default();
    }
    html! { <div class="sliders">{ for first.into_iter().map(|key| option(model, at, key, dispatch)) }</div> }
}

fn option(model: &Model, at: usize, key: Key, dispatch: &Callback<Action>) -> Html {
    let words = text::control(key);
    let value = options::value(&model.setup().lanes[at], key).unwrap_or_default();
    let id = format!("lane{at}-{key}");
    let set = dispatch.reform(move |text: String| Action::Option(at, key, text));
    let range = match kind(key) {
        Kind::Integer { usual, .. } => [0.0, (usual as f64).min(8.0), 1.0],
        Kind::Number { usual, .. } if usual <= 1.0 => [0.0, usual, 0.01],
        Kind::Number { usual, .. } => [0.0, usual.min(8.0), 0.25],
        Kind::Flag => return flag(&id, &words, value == "true", set),
        Kind::Choice(names) => return choice(&id, &words, key, names, &value, set),
        _ if key == INSIDE => {
            let names: Vec<&'static str> = estimators().filter(|name| *name != "dr-mas").collect();
            return choice(&id, &words, key, &names, &value, set);
        }
        _ => return Html::default(),
    };
    html! {
        <Slider {id} label={words.label} hint={words.hint} {range} value={value.parse::<f64>().unwrap_or_default()}
            written={Callback::from(|value| number::short(value, 2))}
            set={set.reform(|value: f64| number::short(value, 2))} />
    }
}

fn choice(
    id: &str,
    words: &text::ControlWords,
    key: Key,
    names: &[&'static str],
    made: &str,
    set: Callback<String>,
) -> Html {
    let choices: Vec<(String, String)> =
        names.iter().map(|name| ((*name).to_owned(), text::value(key, name).to_owned())).collect();
    pick(id, words.label, &choices, made, set)
}

fn flag(id: &str, words: &text::ControlWords, is_set: bool, set: Callback<String>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            set.emit(input.checked().to_string());
            // What is not admitted is not left standing.
            input.set_checked(is_set);
        }
    });
    html! {
        <label class="flag" title={words.hint}>
            <input id={id.to_owned()} type="checkbox" checked={is_set} {onchange} /><span>{ words.label }</span>
        </label>
    }
}
