//! Parts of plots: labels, and lines through points.

use yew::prelude::*;

/// A name or a number at a place; the class says how it is anchored.
pub(crate) fn label(class: &'static str, (x, y): (f64, f64), label: String) -> Html {
    html! { <text {class} x={format!("{x:.1}")} y={format!("{y:.1}")}>{ label }</text> }
}

/// A line of a scale from one side to the other, and the number that it stands for.
pub(crate) fn scale_line((left, right): (f64, f64), y: f64, number: String) -> Html {
    html! {
        <>
            <path class="line" d={format!("M{left:.1} {y:.1}H{right:.1}")} />
            { label("end", (left - 6.0, y + 4.0), number) }
        </>
    }
}

/// A way through points, as the data of a path.
pub(crate) fn way(points: impl Iterator<Item = (f64, f64)>) -> String {
    let step = |(place, (x, y))| format!("{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" });
    points.enumerate().map(step).collect()
}

/// A line through points, or a dot where there is only one.
pub(crate) fn line(class: String, points: Vec<(f64, f64)>) -> Html {
    match points[..] {
        [] => Html::default(),
        [(x, y)] => {
            html! { <circle {class} cx={format!("{x:.1}")} cy={format!("{y:.1}")} r="3" /> }
        }
        _ => html! { <path {class} d={way(points.into_iter())} /> },
    }
}
