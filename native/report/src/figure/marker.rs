//! Markers of arms: shapes that differ, so that colours need not be told apart.

use std::iter::successors;

use maud::{Markup, html};
use plotters::element::{Circle, Polygon};
use plotters::style::Color;

use super::{Area, Colour, Drawn, SERIES};

/// Corners of the shape of an arm, on a circle around 0 or a little outside; none for a circle.
fn corners(series: usize) -> Vec<(f64, f64)> {
    match series % SERIES {
        1 => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => vec![(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)],
        3 => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        4 => vec![(0.0, 1.2), (1.15, -0.9), (-1.15, -0.9)],
        5 => cross().iter().map(|(x, y)| (0.78 * (x - y), 0.78 * (x + y))).collect(),
        6 => cross(),
        7 => vec![(-1.2, -0.55), (1.2, -0.55), (1.2, 0.55), (-1.2, 0.55)],
        _ => Vec::new(),
    }
}

/// A cross: a quarter of it, and this turned three times.
fn cross() -> Vec<(f64, f64)> {
    let (a, b) = (0.42, 1.25);
    let turned = |quarter: &[(f64, f64); 3]| Some(quarter.map(|(x, y)| (-y, x)));
    successors(Some([(-a, -b), (a, -b), (a, -a)]), turned).take(4).flatten().collect()
}

/// Draws the mark of an arm, or of none, a circle.
pub(super) fn mark(area: &Area<'_>, series: Option<usize>, at: (i32, i32), radius: i32) -> Drawn {
    let ink = series.map_or(Colour::Soft, Colour::Series).colour();
    let corners = series.map(corners).unwrap_or_default();
    if corners.is_empty() {
        return Ok(area.draw(&Circle::new(at, radius, ink.filled()))?);
    }
    let size = f64::from(radius);
    let place = |(x, y)| (at.0 + (size * x) as i32, at.1 + (size * y) as i32);
    Ok(area.draw(&Polygon::new(corners.into_iter().map(place).collect::<Vec<_>>(), ink.filled()))?)
}

/// The line and mark of an arm, for keys and tables.
pub(crate) fn swatch(series: usize) -> Markup {
    html! {
        svg class="swatch" viewBox="0 0 32 14" aria-hidden="true" {
            (sample(series, (0.0, 7.0), 1.0))
        }
    }
}

/// The line of an arm, which begins at a place, with its mark in the middle; 32 of a unit long.
pub(super) fn sample(series: usize, (x, y): (f64, f64), unit: f64) -> Markup {
    let middle = x + 16.0 * unit;
    let point = |(dx, dy)| format!("{:.1},{:.1}", middle + 4.5 * unit * dx, y + 4.5 * unit * dy);
    let points: Vec<_> = corners(series).into_iter().map(point).collect();
    let [line, fill] = ["ls", "fs"].map(|class| format!("{class}{series}"));
    html! {
        polyline class=(line) fill="none" points=(format!("{x},{y} {},{y}", x + 32.0 * unit)) {}
        @if points.is_empty() {
            circle class=(fill) cx=(middle) cy=(y) r=(4.5 * unit) {}
        } @else {
            polygon class=(fill) points=(points.join(" ")) {}
        }
    }
}
