//! A lane: its estimator with its options, and how it learns: numbers now and over the iterations, and its groups.

use super::controls::{Slider, pick};
use super::swatch;
use super::verdicts::{self, Voice};
use crate::model::number;
use crate::platform::focus;
use crate::text::train as text;
use crate::train::model::reading::{Agent, Band, Level, Point, thinned};
use crate::train::model::setup::value;
use crate::train::model::{
    AGENTS, Action, ESTIMATOR, INSIDE, Key, Lane, LaneProblem, Model, estimators, kind,
};
use crate::view::plot;
use hgpo_core::{Estimator, Kind};
use web_sys::{HtmlInputElement, MouseEvent};
use yew::prelude::*;

/// The options that are in sight at once.
const FIRST: [Key; 2] = ["context_length", "alpha"];

/// A lane.
fn lane(model: &Model, at: usize, is_taught: bool, dispatch: &Callback<Action>) -> Html {
    let (lane, own) = (&model.lanes[at], &model.setup().lanes[at]);
    let levels = own.context_length().map_or(0, |deepest| deepest + 1);
    let name = text::lane_name(model, at);
    let is_team = model.setup().is_team();
    let iteration = model.iteration().max(lane.iteration.min(model.target));
    let success = lane.point(iteration.min(lane.points.len() as u64)).map(|it| percent(it.success));
    // The button goes away, and leaves the focus in the lane.
    let again = dispatch.reform(|event: MouseEvent| {
        focus::to_closest(&event, "article");
        Action::Retry
    });
    let has = |key: &Key| value(own, key).is_some();
    let is_other = |key: &Key| *key != ESTIMATOR && !FIRST.contains(key) && has(key);
    let others = text::options().filter(is_other);
    let mut first = FIRST.into_iter().filter(has).peekable();
    let option = |key: Key| option(own, at, key, dispatch);
    let all: Vec<&str> = estimators().collect();
    html! {
        <article tabindex="-1" class={classes!("lane", format!("lane{at}"))} aria-label={name.clone()}>
            <div class="lane-head">
                { swatch() }
                { choices(&format!("lane{at}-estimator"), &text::lane_number(at + 1), (at, ESTIMATOR), &all, own.name(), dispatch) }
                <b class="now">{ success.unwrap_or_else(nothing) }</b>
            </div>
            <p class="compares">{ text::compares(own, is_team) }</p>
            if !is_team {
                { verdicts::map(model, Voice::Lane(at), &text::verdict_label(&name), dispatch) }
                { verdicts::agreement(model, at) }
            }
            // Lessons speak of the numbers.
            <details class="more" open={is_taught}>
                <summary>{ text::options_and_numbers() }<span class="unseen">{ format!(" {name}") }</span></summary>
                if first.peek().is_some() { <div class="sliders">{ for first.map(option) }</div> }
                <div class="fields">{ for others.map(option) }</div>
                { readings(lane, iteration, levels, is_team) }
            </details>
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

/// The numbers of a lane at an iteration; with `levels` rows of what is told of groups level by level, before
/// the first iteration too, so that nothing moves when it comes.
fn readings(lane: &Lane, iteration: u64, levels: usize, is_team: bool) -> Html {
    let until = (iteration as usize).min(lane.points.len());
    let points = &lane.points[..until];
    let now = points.last();
    let [success, wasted, entropy, divergence] = text::stats();
    html! {
        <div class="readings">
            <dl>
                { one(success, now.map(|it| percent(it.success)), spark(points, Some(1.0), &|it| it.success.mean)) }
                { one(wasted, now.map(|it| share(it.wasted)), spark(points, Some(1.0), &|it| it.wasted)) }
                { one(entropy, now.map(|it| number::plain(it.entropy, 2)), spark(points, None, &|it| it.entropy)) }
                { one(divergence, now.map(|it| number::plain(it.divergence, 2)), spark(points, None, &|it| it.divergence)) }
            </dl>
            if is_team {
                { agents(now) }
            } else if levels > 0 {
                { groups(now, levels) }
            }
        </div>
    }
}

fn one((name, hint): text::Named, now: Option<String>, course: Html) -> Html {
    html! { <div title={hint}><dt>{ name }</dt><dd>{ now.unwrap_or_else(nothing) }</dd>{ course }</div> }
}

fn nothing() -> String {
    "\u{2013}".to_owned()
}

/// What is told of the groups: a column for each level, from the same sight alone to the same past.
fn groups(now: Option<&Point>, levels: usize) -> Html {
    let row = |(name, hint): text::Named, own: fn(&Level) -> String| {
        let cell = |level: usize| {
            let level = now.and_then(|now| now.levels.get(level));
            html! { <td>{ level.map_or_else(nothing, own) }</td> }
        };
        html! { <tr title={hint}><th scope="row">{ name }</th>{ for (0..levels).map(cell) }</tr> }
    };
    let [same, size, alone, silent] = text::groups();
    let head = |level: usize| html! { <th scope="col">{ text::level(level) }</th> };
    html! {
        <table>
            <thead><tr title={same.1}><th scope="row">{ same.0 }</th>{ for (0..levels).map(head) }</tr></thead>
            <tbody>
                { row(size, |level| number::plain(level.size, usize::from(level.size < 9.95))) }
                { row(alone, |level| share(level.alone)) }
                { row(silent, |level| share(level.silent)) }
            </tbody>
        </table>
    }
}

/// What is told of a team's agents: a column each.
fn agents(now: Option<&Point>) -> Html {
    let row = |(name, hint): text::Named, own: fn(&Agent) -> String| {
        let cell = |agent: &str| {
            let agent = now.and_then(|now| now.agents.iter().find(|it| it.name == agent));
            html! { <td>{ agent.map_or_else(nothing, own) }</td> }
        };
        html! { <tr title={hint}><th scope="row">{ name }</th>{ for AGENTS.map(cell) }</tr> }
    };
    let [turns, success, moment, entropy] = text::agent_stats();
    let head = |agent: &'static str| html! { <th scope="col" lang="en">{ agent }</th> };
    html! {
        <table>
            <thead><tr><th scope="row">{ text::field_agent() }</th>{ for AGENTS.map(head) }</tr></thead>
            <tbody>
                { row(turns, |it| number::plain(it.turns, 1)) }
                { row(success, |it| share(it.success)) }
                { row(moment, |it| number::plain(it.second_moment, 2)) }
                { row(entropy, |it| number::plain(it.entropy, 2)) }
            </tbody>
        </table>
    }
}

/// The lanes side by side, with the truth beside them if it is drawn, and what the colours mean.
pub(crate) fn lanes(model: &Model, is_taught: bool, dispatch: &Callback<Action>) -> Html {
    let is_team = model.setup().is_team();
    let draws_truth = model.draws.truth && !is_team;
    let has_played = model.last() > 0;
    let draw = dispatch.reform(|event: Event| {
        Action::Truth(event.target_unchecked_into::<HtmlInputElement>().checked())
    });
    html! {
        <>
            <div class="lanes-head">
                <h2 id="training-lanes">{ text::lanes() }</h2>
                if !is_team { { verdicts::legend() } }
                if has_played && !is_team {
                    <label class="flag">
                        <input id="training-truth" type="checkbox" checked={draws_truth} onchange={draw} /><span>{ text::show_truth() }</span>
                    </label>
                }
                if has_played { { meanings(is_team) } }
            </div>
            <div class="lanes">
                { for (0..model.lanes.len()).map(|number| lane(model, number, is_taught, dispatch)) }
                if draws_truth { { truth(model, dispatch) } }
            </div>
            if !is_team { <p class="hint">{ verdicts::steps(model) }</p> }
        </>
    }
}

/// The truth beside the lanes.
fn truth(model: &Model, dispatch: &Callback<Action>) -> Html {
    let too_large = verdicts::judged(model).and_then(|judged| judged.verdicts.too_large);
    html! {
        <article class="lane truth-lane" aria-label={text::the_truth()}>
            <div class="lane-head"><b>{ text::the_truth() }</b></div>
            <p class="compares">{ text::truth_of_world() }</p>
            { verdicts::map(model, Voice::Truth, text::truth_label(), dispatch) }
            <p class="hint" role="status">{ too_large.map(text::too_large) }</p>
        </article>
    }
}

/// What every number means, unfolding.
fn meanings(is_team: bool) -> Html {
    let of_lanes = if is_team { text::agent_stats() } else { text::groups() };
    let one = |(name, hint): text::Named| html! { <><dt>{ name }</dt><dd>{ hint }</dd></> };
    html! {
        <details class="more meanings">
            <summary>{ text::meanings() }</summary>
            <dl>{ for text::stats().into_iter().chain(of_lanes).map(one) }</dl>
            <p>{ text::faster() }</p>
            <p>{ text::fair() }</p>
        </details>
    }
}

pub(super) fn share(share: f64) -> String {
    number::plain(100.0 * share, 0) + " %"
}

/// A share with its interval, in per cent.
pub(crate) fn percent(band: Band) -> String {
    let mean = number::plain(100.0 * band.mean, 0);
    if band.half > 0.0 {
        format!("{mean} \u{b1} {} %", number::plain(100.0 * band.half, 0))
    } else {
        format!("{mean} %")
    }
}

/// The most points of a line as small as a word.
const POINTS: usize = 60;

/// A line of numbers, from 0 to the largest, or to `most`.
fn spark(points: &[Point], most: Option<f64>, own: &dyn Fn(&Point) -> f64) -> Html {
    let values: Vec<f64> = thinned(points.len(), POINTS).map(|place| own(&points[place])).collect();
    let most = most.unwrap_or_else(|| values.iter().copied().fold(0.0, f64::max)).max(1e-9);
    let last = values.len().saturating_sub(1).max(1) as f64;
    let line = values.iter().enumerate().map(|(step, value)| {
        (60.0 * step as f64 / last, 15.0 - 14.0 * (value / most).clamp(0.0, 1.0))
    });
    html! {
        <svg class="spark" viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true">
            <path d={plot::way(line)} />
        </svg>
    }
}
