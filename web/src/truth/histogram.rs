//! Histograms of the estimates of a step, on axes that all of them share.

use super::exhibit::ends;
use crate::model::number::{self, short};
use crate::text::truth as words;
use crate::view::plot::label;
use hgpo_core::process::simulation::{Bins, Distribution, EstimateSummary};
use yew::prelude::*;

/// The bins that all histograms of a step show, and where the truth lies among them.
#[derive(Debug, PartialEq)]
pub(super) struct Span {
    first: usize,
    last: usize,
    /// In bins from the left edge of the first.
    truth: Option<f64>,
    /// The values that the axis has numbers of, at both ends and 0, with their places as for the truth.
    ticks: Vec<(f64, f64)>,
}

/// Measures of a histogram: of all of it, and the left, right, top and bottom of the bars.
const SIZE: [f64; 2] = [330.0, 54.0];
const EDGES: [f64; 4] = [34.0, 312.0, 13.0, 39.0];
/// How near to each other numbers of the axis are at most, as a share of it.
const NEAR: f64 = 0.16;

impl Span {
    /// From the lowest bin that holds anything to the highest, with zero and the truth.
    pub(super) fn of(said: &[EstimateSummary], bins: &Bins, truth: Option<f64>) -> Self {
        let place = |value: f64| {
            let bins_wide = (value + bins.reach) / (2.0 * bins.reach) * bins.count as f64;
            bins_wide.clamp(0.0, bins.count as f64 - 0.5)
        };
        let held = said.iter().flat_map(|said| &said.estimates.histogram).map(|(bin, _)| *bin);
        let marks = [Some(0.0), truth].into_iter().flatten().map(|value| place(value) as usize);
        let all: Vec<usize> = held.chain(marks).collect();
        let first = all.iter().min().copied().unwrap_or(0).saturating_sub(1);
        let last = (all.iter().max().copied().unwrap_or(0) + 1).min(bins.count - 1);
        let at = |place: f64| place - first as f64;
        let zero = at(place(0.0));
        let width = (last + 1 - first) as f64;
        let [low, high] = [(ends(bins, first)[0], 0.0), (ends(bins, last)[1], width)];
        let apart = |end: &(f64, f64)| (end.1 - zero).abs() > NEAR * width;
        let ticks =
            [(0.0, zero)].into_iter().chain([low, high].into_iter().filter(apart)).collect();
        Self { first, last, truth: truth.map(|truth| at(place(truth))), ticks }
    }
}

/// Bars for the bins on axes with numbers and names, and a line for the truth.
pub(super) fn histogram(estimates: &Distribution, span: &Span) -> Html {
    let Distribution { count, mean, spread, histogram, .. } = estimates;
    let told = words::picture(*count, &short(*mean, 3), &short(spread.unwrap_or_default(), 3));
    let ([width, height], [left, right, top, foot]) = (SIZE, EDGES);
    let pitch = (right - left) / (span.last + 1 - span.first) as f64;
    let across = |place: f64| left + place * pitch;
    let most = histogram.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let bar = |(bin, count): &(usize, usize)| {
        let tall = (*count as f64 / most as f64 * (foot - top)).max(1.0);
        html! {
            <rect x={format!("{:.1}", across((bin - span.first) as f64))} y={format!("{:.1}", foot - tall)}
                width={format!("{:.1}", (pitch - 1.0).max(1.0))} height={format!("{tall:.1}")} />
        }
    };
    let tick =
        |(value, place): &(f64, f64)| label("", (across(*place), height - 2.0), short(*value, 2));
    let marks = span.ticks.iter().map(|(_, place)| format!("M{:.1} {foot}v3", across(*place)));
    let marks: String = marks.collect();
    // The name stands between 0, the first of the numbers, and the one that is farthest from it.
    let zero = span.ticks.first().map_or(0.0, |tick| tick.1);
    let far = span.ticks.iter().map(|tick| tick.1 - zero);
    let far = far.fold(0.0_f64, |most, own| if own.abs() > most.abs() { own } else { most });
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} role="img" aria-label={told}>
            <path d={format!("M{left} {top}V{foot}H{right}{marks}")} fill="none" />
            { for histogram.iter().map(bar) }
            if let Some(truth) = span.truth { <path class="line" d={format!("M{:.1} {top}V{foot}", across(truth))} /> }
            { label("", (0.0, top - 4.0), words::estimates_drawn().to_owned()) }
            <g text-anchor="end">
                { label("", (left - 4.0, top + 8.0), number::count(most)) }
                { label("", (left - 4.0, foot + 1.0), "0".to_owned()) }
            </g>
            <g text-anchor="middle">
                { for span.ticks.iter().map(tick) }
                { label("", (across(zero + far / 2.0), height - 2.0), words::axis().to_owned()) }
            </g>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::{NEAR, Span};
    use hgpo_core::process::simulation::Bins;

    /// On bins of a width of 0.2, the middle one at 0.
    fn span(truth: f64) -> Span {
        let bins: Bins = serde_json::from_str(r#"{"reach":4.1,"count":41}"#).expect("bins");
        Span::of(&[], &bins, Some(truth))
    }

    #[test]
    fn axes_reach_from_zero_to_the_truth_and_have_numbers_apart() {
        for truth in [3.0, -3.0] {
            let span = span(truth);
            let [zero, end] = span.ticks[..] else { panic!("two numbers: {:?}", span.ticks) };
            // One bin more stands on each side.
            assert!(zero.0 == 0.0 && (end.0 - 1.1 * truth).abs() < 1e-9, "{end:?}");
            let width = (span.last + 1 - span.first) as f64;
            assert!((width - 18.0).abs() < 1e-9 && (end.1 - zero.1).abs() / width > NEAR);
            let at = span.truth.expect("on the axis") - zero.1;
            assert!((at - truth * 5.0).abs() < 1e-9, "{at}");
        }
        assert_eq!(span(0.0).ticks.len(), 3, "numbers on both sides");
    }
}
