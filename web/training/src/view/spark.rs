//! A number over the iterations, as small as a word.

use crate::model::{curve::thinned, reading::Point};
use yew::prelude::*;

/// The most points of a line.
const POINTS: usize = 60;

/// Lines of numbers, one for each level or one alone, from 0 to the largest of all, or to `most`.
pub(crate) fn spark(points: &[Point], most: Option<f64>, own: &dyn Fn(&Point) -> Vec<f64>) -> Html {
    let places: Vec<usize> = thinned(points.len(), POINTS).collect();
    if places.len() < 2 {
        return html! { <svg class="spark" viewBox="0 0 60 16" aria-hidden="true" /> };
    }
    let values: Vec<Vec<f64>> = places.iter().map(|place| own(&points[*place])).collect();
    let largest = values.iter().flatten().copied().fold(0.0, f64::max);
    let most = most.unwrap_or(largest).max(1e-9);
    let count = values.iter().map(Vec::len).min().unwrap_or_default();
    let line = |level: usize| {
        let steps = values.iter().enumerate().map(|(step, values)| {
            let x = 60.0 * step as f64 / (values_len(&places) - 1.0);
            let y = 15.0 - 14.0 * (values[level] / most).clamp(0.0, 1.0);
            format!("{}{x:.1} {y:.1}", if step == 0 { "M" } else { "L" })
        });
        html! { <path class={format!("level{level}")} d={steps.collect::<String>()} /> }
    };
    html! { <svg class="spark" viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true">{ for (0..count).map(line) }</svg> }
}

fn values_len(places: &[usize]) -> f64 {
    places.len() as f64
}
