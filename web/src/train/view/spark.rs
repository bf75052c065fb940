//! A number over the iterations, as small as a word.

use crate::train::model::{curve::thinned, reading::Point};
use yew::prelude::*;

/// The most points of a line.
const POINTS: usize = 60;

/// A line of numbers, from 0 to the largest, or to `most`.
pub(crate) fn spark(points: &[Point], most: Option<f64>, own: &dyn Fn(&Point) -> f64) -> Html {
    let values: Vec<f64> = thinned(points.len(), POINTS).map(|place| own(&points[place])).collect();
    let most = most.unwrap_or_else(|| values.iter().copied().fold(0.0, f64::max)).max(1e-9);
    let last = values.len().saturating_sub(1).max(1) as f64;
    let line = values.iter().enumerate().map(|(step, value)| {
        let (x, y) = (60.0 * step as f64 / last, 15.0 - 14.0 * (value / most).clamp(0.0, 1.0));
        format!("{}{x:.1} {y:.1}", if step == 0 { "M" } else { "L" })
    });
    html! { <svg class="spark" viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true"><path d={line.collect::<String>()} /></svg> }
}
