//! A lane: its estimator with its options, and how it learns.

use super::controls::{Slider, pick};
use super::readings::readings;
use super::swatch;
use crate::model::number;
use crate::platform::focus;
use crate::text::train as text;
use crate::train::model::setup::value;
use crate::train::model::{Action, ESTIMATOR, INSIDE, Key, LaneProblem, Model, estimators, kind};
use hgpo_core::{Estimator, Kind};
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
    // The button goes away, and leaves the focus in the lane.
    let again = dispatch.reform(|event: MouseEvent| {
        focus::to_closest(&event, "article");
        Action::Retry
    });
    let has = |key: &Key| value(own, key).is_some();
    let is_other = |key: &Key| *key != ESTIMATOR && !FIRST.contains(key) && has(key);
    let mut others = text::options().filter(is_other).peekable();
    let mut first = FIRST.into_iter().filter(has).peekable();
    let option = |key: Key| option(own, at, key, dispatch);
    let all: Vec<&str> = estimators().collect();
    html! {
        <article tabindex="-1" class={classes!("lane", format!("lane{at}"), is_drawn.then_some("drawn"))} aria-label={name.clone()}>
            <div class="lane-head">
                { swatch() }
                { choices(&format!("lane{at}-estimator"), &text::lane_number(at + 1), (at, ESTIMATOR), &all, own.name(), dispatch) }
                if others.peek().is_some() {
                    <details class="more">
                        <summary>
                            { text::more_options() }<span class="unseen">{ format!(" {name}") }</span>
                        </summary>
                        <div class="fields">{ for others.map(option) }</div>
                    </details>
                }
                <button type="button" class="button show" aria-pressed={is_drawn.to_string()} onclick={choose}
                    title={text::draw_hint()}>{ text::draw() }<span class="unseen">{ format!(" {name}") }</span></button>
            </div>
            if first.peek().is_some() { <div class="sliders">{ for first.map(option) }</div> }
            <p class="compares">{ text::compares(own) }</p>
            { readings(lane, model.iteration().max(lane.iteration.min(model.target)), levels) }
            <p class="problem" role="alert">{ lane.problem.as_ref().map(text::lane_problem) }</p>
            if lane.problem == Some(LaneProblem::Broke) {
                <button type="button" class="button" onclick={again}>{ text::try_again() }</button>
            }
        </article>
    }
}

fn option(own: &Estimator, at: usize, key: Key, dispatch: &Callback<Action>) -> Html {
    let words = text::control(key);
    let value = value(own, key).unwrap_or_default();
    let id = format!("lane{at}-{key}");
    let choice =
        |names: &[&'static str]| choices(&id, words.label, (at, key), names, &value, dispatch);
    let set = dispatch.reform(move |text: String| Action::Option(at, key, text));
    let range = match kind(key) {
        Kind::Integer { usual, .. } => [0.0, (usual as f64).min(8.0), 1.0],
        Kind::Number { usual, .. } if usual <= 1.0 => [0.0, usual, 0.01],
        Kind::Number { usual, .. } => [0.0, usual.min(8.0), 0.25],
        Kind::Flag => return flag(&id, &words, value == "true", set),
        Kind::Choice(names) => return choice(names),
        _ if key == INSIDE => {
            return choice(&estimators().filter(|name| *name != "dr-mas").collect::<Vec<_>>());
        }
        _ => return Html::default(),
    };
    html! {
        <Slider {id} label={words.label} hint={words.hint} {range} value={value.parse::<f64>().unwrap_or_default()}
            written={Callback::from(|value| number::short(value, 2))}
            set={set.reform(|value: f64| number::short(value, 2))} />
    }
}

/// A list of the values that an option of a lane can have.
fn choices(
    id: &str,
    label: &str,
    (at, key): (usize, Key),
    names: &[&'static str],
    made: &str,
    dispatch: &Callback<Action>,
) -> Html {
    let choice = |name: &&str| {
        let set = Action::Option(at, key, (*name).to_owned());
        ((*name).to_owned(), text::value(key, name).to_owned(), Some(set))
    };
    pick(id, label, names.iter().map(choice).collect(), made, dispatch)
}

fn flag(id: &str, words: &text::ControlWords, is_set: bool, set: Callback<String>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        set.emit(input.checked().to_string());
        // What is not admitted is not left standing.
        input.set_checked(is_set);
    });
    html! {
        <label class="flag" title={words.hint}>
            <input id={id.to_owned()} type="checkbox" checked={is_set} {onchange} /><span>{ words.label }</span>
        </label>
    }
}
