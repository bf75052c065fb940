//! What explains how a lane learns: small numbers with their courses.

use super::spark::spark;
use crate::{
    model::{Lane, curve::Band, reading::{Level, Point}},
    text,
};
use hgpo_words::number;
use yew::prelude::*;

/// The numbers of a lane at an iteration.
pub(crate) fn readings(lane: &Lane, iteration: u64) -> Html {
    let until = (iteration as usize).min(lane.points.len());
    let points = &lane.points[..until];
    let now = points.last();
    let levels = |own: fn(&Level) -> f64| {
        move |point: &Point| point.levels.iter().map(own).collect::<Vec<f64>>()
    };
    let shares = |values: Vec<f64>| {
        values.iter().map(|value| number::plain(100.0 * value, 0)).collect::<Vec<_>>().join(" \u{b7} ")
    };
    let with_unit = |text: String| if text.is_empty() { text } else { format!("{text} %") };
    let (size, alone, silent) =
        (levels(|level| level.size), levels(|level| level.alone), levels(|level| level.silent));
    let sizes = |point: &Point| {
        size(point).iter().map(|value| number::plain(*value, 1)).collect::<Vec<_>>().join(" \u{b7} ")
    };
    html! {
        <dl class="readings">
            { one(text::success(), now.map(|it| percent(it.success)), spark(points, Some(1.0), &|it| vec![it.success.mean])) }
            { one(text::entropy(), now.map(|it| number::plain(it.entropy, 2)), spark(points, None, &|it| vec![it.entropy])) }
            { one(text::divergence(), now.map(|it| number::plain(it.divergence, 2)), spark(points, None, &|it| vec![it.divergence])) }
            { one(text::group_size(), now.map(sizes), spark(points, None, &size)) }
            { one(text::alone(), now.map(|it| with_unit(shares(alone(it)))), spark(points, Some(1.0), &alone)) }
            { one(text::silent(), now.map(|it| with_unit(shares(silent(it)))), spark(points, Some(1.0), &silent)) }
        </dl>
    }
}

fn one((name, hint): (&'static str, &'static str), now: Option<String>, course: Html) -> Html {
    let now = now.filter(|text| !text.is_empty()).unwrap_or_else(|| "\u{2013}".to_owned());
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
