//! Histogram of the estimates of a step, drawn small.

use crate::model::number::short;
use crate::text::truth as words;
use hgpo_core::process::simulation::{Bins, DecisionReport, Distribution};
use yew::prelude::*;

/// The bins that all histograms of a step show, and where the truth lies among them.
#[derive(Debug, PartialEq)]
pub(super) struct Span {
    first: usize,
    last: usize,
    /// In bins from the left edge of the first.
    truth: Option<f64>,
}

/// Drawn so wide, and stretched to the room that there is.
const WIDTH: f64 = 132.0;
const HEIGHT: f64 = 26.0;

impl Span {
    /// From the lowest bin that holds anything to the highest, with zero and the truth.
    pub(super) fn of(own: &DecisionReport, bins: &Bins, truth: Option<f64>) -> Self {
        let place = |value: f64| {
            let bins_wide = (value + bins.reach) / (2.0 * bins.reach) * bins.count as f64;
            bins_wide.clamp(0.0, bins.count as f64 - 0.5)
        };
        let held = own.said.iter().flat_map(|said| &said.estimates.histogram).map(|(bin, _)| *bin);
        let marks = [Some(0.0), truth].into_iter().flatten().map(|value| place(value) as usize);
        let all: Vec<usize> = held.chain(marks).collect();
        let first = all.iter().min().copied().unwrap_or(0).saturating_sub(1);
        let last = (all.iter().max().copied().unwrap_or(0) + 1).min(bins.count - 1);
        Self { first, last, truth: truth.map(|truth| place(truth) - first as f64) }
    }
}

/// Bars for the bins, and a line for the truth.
pub(super) fn histogram(estimates: &Distribution, span: &Span) -> Html {
    let Distribution { count, mean, spread, histogram, .. } = estimates;
    let label = words::picture(*count, &short(*mean, 3), &short(spread.unwrap_or_default(), 3));
    let pitch = WIDTH / (span.last + 1 - span.first) as f64;
    let most = histogram.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
    let bar = |(bin, count): &(usize, usize)| {
        let height = (*count as f64 / most * (HEIGHT - 2.0)).max(1.0);
        html! {
            <rect x={format!("{:.1}", (bin - span.first) as f64 * pitch)} y={format!("{:.1}", HEIGHT - height)}
                width={format!("{:.1}", (pitch - 1.0).max(1.0))} height={format!("{height:.1}")} />
        }
    };
    html! {
        <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img" aria-label={label}>
            { for histogram.iter().map(bar) }
            if let Some(truth) = span.truth { <path d={format!("M{:.1} 0V{HEIGHT}", truth * pitch)} /> }
        </svg>
    }
}
