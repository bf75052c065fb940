//! What explains how a lane learns: small numbers with their courses.

use super::spark::spark;
use crate::{
    model::{
        Lane,
        curve::Band,
        reading::{Level, Point},
    },
    text,
};
use hgpo_words::number;
use yew::prelude::*;

/// The numbers of a lane at an iteration.
pub(crate) fn readings(lane: &Lane, iteration: u64) -> Html {
    let until = (iteration as usize).min(lane.points.len());
    let points = &lane.points[..until];
    let now = points.last();
    html! {
        <dl class="readings">
            { one(text::success(), now.map(|it| percent(it.success)), spark(points, Some(1.0), &|it| vec![it.success.mean])) }
            { one(text::entropy(), now.map(|it| number::plain(it.entropy, 2)), spark(points, None, &|it| vec![it.entropy])) }
            { one(text::divergence(), now.map(|it| number::plain(it.divergence, 2)), spark(points, None, &|it| vec![it.divergence])) }
            if lane.points.last().is_some_and(|point| point.levels.is_empty()) {
                <div class="no-levels"><dt>{ text::no_levels().0 }</dt><dd>{ text::no_levels().1 }</dd></div>
            } else {
                { levels_of(points) }
            }
        </dl>
    }
}
/// What is told of the groups, level by level.
fn levels_of(points: &[Point]) -> Html {
    let now = points.last();
    let levels = |own: fn(&Level) -> f64| {
        move |point: &Point| point.levels.iter().map(own).collect::<Vec<f64>>()
    };
    let (size, alone, silent) =
        (levels(|level| level.size), levels(|level| level.alone), levels(|level| level.silent));
    let joined = |values: Vec<f64>, write: fn(f64) -> String| {
        values.into_iter().map(write).collect::<Vec<_>>().join(" \u{b7} ")
    };
    let sizes = |values| joined(values, |size| number::plain(size, usize::from(size < 9.95)));
    let shares = |values| joined(values, |share| number::plain(100.0 * share, 0)) + " %";
    html! {
        <>
            { one(text::group_size(), now.map(|it| sizes(size(it))), spark(points, None, &size)) }
            { one(text::alone(), now.map(|it| shares(alone(it))), spark(points, Some(1.0), &alone)) }
            { one(text::silent(), now.map(|it| shares(silent(it))), spark(points, Some(1.0), &silent)) }
        </>
    }
}

fn one((name, hint): (&'static str, &'static str), now: Option<String>, course: Html) -> Html {
    let now = now.unwrap_or_else(|| "\u{2013}".to_owned());
    html! { <div title={hint}><dt>{ name }</dt><dd>{ now }</dd>{ course }</div> }
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
