//! Ways of arrows between placed nodes, as curves.

use super::layout::Layout;
use crate::view::plot::way as way_through;
use std::fmt::Write;

/// How high a node is.
pub(super) const HIGH: f64 = 26.0;
/// From row to row.
pub(super) const PITCH: f64 = 78.0;
/// Room around all, for outlines.
pub(super) const MARGIN: f64 = 8.0;
/// How far an arrow leads that comes back to where it began.
pub(super) const ROUND: f64 = 30.0;
/// How far beside its middle an arrow up meets a node, where arrows down do not, and how far it bulges.
const ASIDE: f64 = 9.0;
const BULGE: f64 = 16.0;
/// Where on its way the number of an arrow may stand.
const PLACES: [f64; 5] = [0.5, 0.36, 0.64, 0.26, 0.76];

/// The way of an arrow.
#[derive(Debug)]
pub(super) struct Way {
    /// As the data of a path, up to the head.
    pub(super) line: String,
    /// The head, as the data of a path.
    pub(super) head: String,
    /// The width of the line.
    pub(super) thickness: f64,
    /// Where its number may stand.
    pub(super) places: Vec<(f64, f64)>,
}

/// The middle of a place.
pub(super) fn place(layout: &Layout, place: usize) -> (f64, f64) {
    let row = layout.layers[place] as f64;
    (MARGIN + layout.x[place], MARGIN + HIGH / 2.0 + row * PITCH)
}

/// The way through some places between two nodes of some widths: down, up beside those that lead down, below its row, or
/// round to where it began.
pub(super) fn way(layout: &Layout, through: &[usize], widths: [f64; 2], thickness: f64) -> Way {
    let mut points: Vec<(f64, f64)> = through.iter().map(|it| place(layout, *it)).collect();
    let last = points.len() - 1;
    let ((x, y), (end, bottom)) = (points[0], points[last]);
    let size = 5.0 + thickness * 0.8;
    if through[0] == through[last] {
        let right = x + widths[0] / 2.0;
        let far = right + ROUND;
        let round = [(far, y - 20.0), (far, y + 20.0), (right + size, y + 5.0)];
        return Way {
            line: curves(&[(right, y - 6.0), round[0], round[1], round[2]]),
            head: corners([
                (right, y + 5.0),
                (right + size, y + 5.0 - size / 2.0),
                (right + size, y + 5.0 + size / 2.0),
            ]),
            thickness,
            places: vec![(right + ROUND / 2.0, y + 19.0), (right + ROUND / 2.0, y - 19.0)],
        };
    }
    let head = |(x, y): (f64, f64), down: f64| {
        let back = y - size * down;
        corners([(x, y), (x - size / 2.0, back), (x + size / 2.0, back)])
    };
    if (y - bottom).abs() < 1.0 {
        let low = y + HIGH / 2.0;
        // Deeper to the left, so that an arrow back does not cover the one there.
        let depth = if end > x { 0.36 } else { 0.58 } * PITCH;
        let dip = low + depth;
        // Beside the middle, where arrows down begin.
        let aside = if end > x { ASIDE } else { -ASIDE };
        let (x, end) = (x + aside, end - aside);
        return Way {
            line: curves(&[(x, low), (x, dip), (end, dip), (end, low + size)]),
            head: head((end, low), -1.0),
            thickness,
            places: PLACES.map(|at| (x + (end - x) * bend(at), low + 0.75 * depth)).to_vec(),
        };
    }
    let down = if bottom > y { 1.0 } else { -1.0 };
    let (aside, bulge) = if down < 0.0 { (ASIDE, BULGE) } else { (0.0, 0.0) };
    // At a node, arrows part towards where they lead.
    for (node, at, next) in [(0, 0, 1), (1, last, last - 1)] {
        let room = widths[node] / 2.0 - 8.0;
        let towards = (place(layout, through[next]).0 - points[at].0) * 0.2;
        points[at].0 += (towards + aside).clamp(-room, room);
    }
    points[0].1 += down * HIGH / 2.0;
    points[last].1 -= down * HIGH / 2.0;
    let head = head(points[last], down);
    points[last].1 -= down * size;
    let mut through = vec![points[0]];
    let mut places = Vec::new();
    for pair in points.windows(2) {
        let ((x, y), (end, bottom)) = (pair[0], pair[1]);
        let middle = f64::midpoint(y, bottom);
        through.extend([(x + bulge, middle), (end + bulge, middle), (end, bottom)]);
        for at in PLACES {
            let along = 1.5 * at * (1.0 - at) + at * at * at;
            let across = x + (end - x) * bend(at) + 3.0 * bulge * at * (1.0 - at);
            places.push((across, y + (bottom - y) * along));
        }
    }
    Way { line: curves(&through), head, thickness, places }
}

/// Curves from a point, of three more each, as the data of a path.
fn curves(points: &[(f64, f64)]) -> String {
    let mut line = "M".to_owned();
    for (at, (x, y)) in points.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(line, "{}{x:.1} {y:.1} ", if at == 1 { "C" } else { "" });
    }
    line
}

/// A shape with corners, as the data of a path.
fn corners(points: [(f64, f64); 3]) -> String {
    way_through(points.into_iter()) + "z"
}

/// How far aside a curve is at a share of its way.
fn bend(at: f64) -> f64 {
    at * at * (3.0 - 2.0 * at)
}
