//! What explains how a lane learns: small numbers with their courses, and how its steps are compared.

use crate::model::number;
use crate::text::train as text;
use crate::train::model::Lane;
use crate::train::model::curve::{Band, thinned};
use crate::train::model::reading::{Level, Point};
use crate::view::plot;
use yew::prelude::*;

/// The numbers of a lane at an iteration; with `levels` rows of what is told of groups level by level, before
/// the first iteration too, so that nothing moves when it comes.
pub(crate) fn readings(lane: &Lane, iteration: u64, levels: usize) -> Html {
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
            if levels > 0 { { table(now, levels) } }
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
fn table(now: Option<&Point>, levels: usize) -> Html {
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

/// What every number means, unfolding.
pub(crate) fn meanings() -> Html {
    let one = |(name, hint): text::Named| html! { <><dt>{ name }</dt><dd>{ hint }</dd></> };
    html! {
        <details class="more meanings">
            <summary>{ text::meanings() }</summary>
            <dl>{ for text::stats().into_iter().chain(text::groups()).map(one) }</dl>
            <p>{ text::faster() }</p>
        </details>
    }
}

fn share(share: f64) -> String {
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
