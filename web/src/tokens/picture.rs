//! Picture of the clipped objective: what it is of a ratio at an advantage, with tokens as points on it.

use crate::model::number;
use crate::text::tokens as words;
use crate::view::plot::{label, way};
use hgpo_core::Objective;
use hgpo_core::token_loss::policy_term;
use yew::prelude::*;

/// Drawn so large, and stretched to the room that there is.
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 156.0;
/// Edges of the plot: left, right, top and bottom.
const EDGES: [f64; 4] = [8.0, 332.0, 16.0, 128.0];
/// How far beyond its clip a ratio is drawn in its place, in widths of the clip.
const BEYOND: f64 = 4.0;
/// Half the width of what a clip of 0 is drawn as.
const NARROW: f64 = 1e-3;

/// A ratio on the picture, and whether it is the one that is spoken of.
pub(super) type Point = (f64, bool);

/// What is drawn: the objective −L of ratios between two, at an advantage.
#[derive(Debug, PartialEq)]
struct Plot<'a> {
    objective: &'a Objective,
    advantage: f64,
    ratios: [f64; 2],
    values: [f64; 2],
}

impl<'a> Plot<'a> {
    fn new(objective: &'a Objective, advantage: f64, points: &[Point]) -> Self {
        let Objective { clip_low, clip_high, .. } = *objective;
        let [below, above] = [clip_low, clip_high].map(|it| it.max(NARROW));
        let all = || points.iter().map(|(ratio, _)| *ratio).filter(|it| it.is_finite());
        let least = all().fold(1.0 - 2.0 * below, f64::min).max(1.0 - BEYOND * below).max(0.0);
        let most = all().fold(1.0 + 2.0 * above, f64::max).min(1.0 + BEYOND * above);
        let mut plot = Self { objective, advantage, ratios: [least, most], values: [0.0; 2] };
        let unclipped = plot.ratios.map(|ratio| advantage * ratio);
        let values = plot.corners().into_iter().map(|ratio| plot.value(ratio)).chain(unclipped);
        let ends = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
            [low.min(value), high.max(value)]
        });
        plot.values = ends;
        plot
    }

    /// The objective at a ratio.
    fn value(&self, ratio: f64) -> f64 {
        0.0 - policy_term(ratio.ln(), self.advantage, self.objective).value
    }

    /// The ratios between which the objective is straight.
    fn corners(&self) -> Vec<f64> {
        let Objective { clip_low, clip_high, dual_clip, .. } = *self.objective;
        let [least, most] = self.ratios;
        let kinks = [1.0 - clip_low, 1.0 + clip_high, dual_clip];
        let inside = kinks.into_iter().filter(|kink| (least..most).contains(kink) && *kink > least);
        [least].into_iter().chain(inside).chain([most]).collect()
    }

    /// Where a ratio is; at the edge, if it is beyond.
    fn across(&self, ratio: f64) -> f64 {
        let ([least, most], [left, right, ..]) = (self.ratios, EDGES);
        left + (ratio.clamp(least, most) - least) / (most - least) * (right - left)
    }

    /// Where a value is.
    fn up(&self, value: f64) -> f64 {
        let ([low, high], [.., top, bottom]) = (self.values, EDGES);
        if high > low { bottom - (value - low) / (high - low) * (bottom - top) } else { bottom }
    }

    fn place(&self, ratio: f64) -> (f64, f64) {
        let [least, most] = self.ratios;
        (self.across(ratio), self.up(self.value(ratio.clamp(least, most))))
    }
}

/// The objective as a line over the ratio, the one without a clip dashed, the clip's interval shaded, and points on it.
pub(super) fn picture(objective: &Objective, advantage: f64, points: &[Point]) -> Html {
    let plot = Plot::new(objective, advantage, points);
    let ([least, most], [left, right, top, bottom]) = (plot.ratios, EDGES);
    let line = way(plot.corners().into_iter().map(|ratio| plot.place(ratio)));
    let free = [least, most].map(|ratio| (plot.across(ratio), plot.up(advantage * ratio)));
    let (low, high) = (1.0 - objective.clip_low, 1.0 + objective.clip_high);
    let [from, one, to] = [low, 1.0, high].map(|ratio| plot.across(ratio));
    let tone = if advantage < 0.0 { "--orange" } else { "--blue" };
    let point = |(ratio, is_chosen): &Point| {
        let (x, y) = plot.place(*ratio);
        let (size, fill) = if *is_chosen { ("5", tone) } else { ("3", "--muted") };
        html! {
            <circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r={size}
                style={["fill:var(", fill, ");stroke:var(--surface)"].concat()} />
        }
    };
    let (chosen, others): (Vec<&Point>, Vec<&Point>) = points.iter().partition(|point| point.1);
    let mark = |ratio: f64| number::short(ratio, 4);
    let told = words::picture(&number::signed(advantage, 3), &mark(low), &mark(high), points.len());
    // The number at 1 gives way to those of a narrow clip.
    let is_apart = to - one > 30.0 && one - from > 30.0;
    html! {
        <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={told}
            style="display:block;width:100%;max-width:460px;margin-top:8px;overflow:visible;font-size:11px;fill:var(--soft)">
            <rect x={format!("{from:.1}")} y={top.to_string()} width={format!("{:.1}", to - from)}
                height={(bottom - top).to_string()} style="fill:var(--shade);opacity:.16" />
            <path d={format!("M{left} {bottom}H{right}M{one:.1} {top}V{bottom}")} style="stroke:var(--line)" />
            <path d={way(free.into_iter())} style="fill:none;stroke:var(--muted);stroke-dasharray:4 4" />
            <path d={line} style="fill:none;stroke:var(--accent);stroke-width:2" />
            { for others.into_iter().map(point) }
            { for chosen.into_iter().map(point) }
            <g style="text-anchor:middle">
                { label("", (from, bottom + 14.0), mark(low)) }
                if is_apart { { label("", (one, bottom + 14.0), "1".to_owned()) } }
                { label("", (to, bottom + 14.0), mark(high)) }
            </g>
            { label("", (left, top - 2.0), words::height().to_owned()) }
            <g style="text-anchor:end">{ label("", (right, bottom + 27.0), words::axis().to_owned()) }</g>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::{EDGES, Plot};
    use hgpo_core::Objective;

    #[test]
    fn the_line_has_its_kinks_where_the_clip_is() {
        let objective = Objective::default();
        let praised = Plot::new(&objective, 2.0, &[(1.1, true)]);
        assert!((praised.ratios[0] - 0.6).abs() < 1e-9 && (praised.ratios[1] - 1.4).abs() < 1e-9);
        // Pessimistic: all that is lost, and nothing gained beyond the clip.
        for (ratio, value) in [(0.6, 1.2), (1.0, 2.0), (1.2, 2.4), (1.4, 2.4)] {
            assert!((praised.value(ratio) - value).abs() < 1e-9, "{ratio}");
        }
        let blamed = Plot::new(&objective, -1.0, &[]);
        for (ratio, value) in [(0.6, -0.8), (0.8, -0.8), (1.4, -1.4), (5.0, -3.0)] {
            assert!((blamed.value(ratio) - value).abs() < 1e-9, "{ratio}");
        }
        // What is far beyond is drawn at the edge.
        let far = Plot::new(&objective, 2.0, &[(50.0, true), (0.01, false)]);
        assert!((far.ratios[1] - 1.8).abs() < 1e-9 && (far.ratios[0] - 0.2).abs() < 1e-9);
        assert_eq!((far.across(50.0), far.across(0.01)), (EDGES[1], EDGES[0]));
        assert!((far.place(50.0).1 - far.up(2.4)).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let none = Objective { clip_low: 0.0, clip_high: 0.0, ..Objective::default() };
        for advantage in [0.0, 1.0, -1.0] {
            let plot = Plot::new(&none, advantage, &[(1.0, true), (0.0, false)]);
            let places = plot.corners().into_iter().chain([0.0, 1.0]).map(|it| plot.place(it));
            for (x, y) in places {
                assert!(x.is_finite() && y.is_finite(), "{advantage}");
            }
        }
    }
}
