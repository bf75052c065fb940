//! How estimates are distributed, drawn small.

use hgpo_core::process::simulation::{Bins, DecisionReport};
use std::fmt::Write as _;

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

/// Bars for the bins, and a line for the truth; `words` say the same.
pub(super) fn histogram(held: &[(usize, usize)], span: &Span, words: &str) -> String {
    let pitch = WIDTH / (span.last + 1 - span.first) as f64;
    let most = held.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{words}\">"
    );
    // Writing to a text does not fail.
    for (bin, count) in held {
        let left = (bin - span.first) as f64 * pitch;
        let height = (*count as f64 / most * (HEIGHT - 2.0)).max(1.0);
        let (top, width) = (HEIGHT - height, (pitch - 1.0).max(1.0));
        let _ = write!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }
    if let Some(truth) = span.truth {
        let x = truth * pitch;
        let _ = write!(svg, "<path d=\"M{x:.1} 0V{HEIGHT}\"/>");
    }
    svg + "</svg>"
}
