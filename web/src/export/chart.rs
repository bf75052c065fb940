//! Chart for paper: bars or curves on axes, with a legend.

use super::exhibit::{BOLD, INK, LINE, SMALL, SOFT, TEXT};
use super::svg::{Svg, width_of};

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Axis {
    /// What is measured along it.
    pub(crate) name: String,
    /// Where it begins and ends.
    pub(crate) ends: [f64; 2],
    /// The values that are marked, and how they are written.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// The place of a value, as a share of the axis.
    fn share(&self, value: f64) -> f64 {
        let [first, last] = self.ends;
        if last > first { ((value - first) / (last - first)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// A bar from one value to another, and how high it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    /// Where it begins and ends.
    pub(crate) ends: [f64; 2],
    /// How high it is.
    pub(crate) height: f64,
    /// The sign of what it counts.
    pub(crate) sign: f64,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    /// What it is of.
    pub(crate) name: String,
    /// Its points.
    pub(crate) points: Vec<(f64, f64)>,
    /// Below and above every point, how far it is uncertain; nothing where that is not known.
    pub(crate) band: Vec<[f64; 2]>,
}

/// Bars or curves on axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    /// What it shows.
    pub(crate) title: String,
    /// The axis across.
    pub(crate) across: Axis,
    /// The axis up.
    pub(crate) up: Axis,
    /// Bars.
    pub(crate) bars: Vec<Bar>,
    /// Curves.
    pub(crate) curves: Vec<Curve>,
    /// Values across that a line marks, with what they are; the line is in the legend unless that is empty.
    pub(crate) marks: Vec<(f64, String)>,
    /// What stands below it.
    pub(crate) note: String,
}

/// The looks of curves: colour and dashes, which tell them apart without colour too.
const LOOKS: [(&str, &str); 6] = [
    ("#1a56b0", ""),
    ("#9d4407", "5 2"),
    ("#2e7d4f", "2 2"),
    ("#5b3fa6", "7 2 2 2"),
    ("#1b2130", "1 2"),
    ("#8a6d00", "9 3"),
];
const MARK: (&str, f64, &str) = ("#5b3fa6", 1.2, "3 2");
/// The colours of what is below zero, at it and above.
pub(super) const SIGNS: [&str; 3] = ["#d98a4b", "#9aa1ad", "#5c8fd6"];
/// How high the field is.
const FIELD: f64 = 104.0;

impl Chart {
    /// Draws it below a place, so wide; how high it is.
    pub(super) fn draw(&self, svg: &mut Svg, (x, top): (f64, f64), width: f64) -> f64 {
        let mut y = svg.lines((x, top), (TEXT, INK, BOLD), &self.title, width * 0.93) + 4.0;
        let longest = self.up.ticks.iter().map(|(_, tick)| width_of(tick, SMALL));
        let left = x + longest.fold(0.0, f64::max) + 18.0;
        // The number at the right end stands half beyond it.
        let right = x + width - 12.0;
        let (head, foot) = (y + 4.0, y + 4.0 + FIELD);
        let across = |value: f64| left + self.across.share(value) * (right - left);
        let down = |value: f64| foot - self.up.share(value) * FIELD;
        for (value, tick) in &self.up.ticks {
            let at = down(*value);
            svg.line(&[(left, at), (right, at)], (LINE, 0.5, ""));
            svg.text((left - 4.0, at + 2.8), (SMALL, SOFT, "text-anchor=\"end\""), tick);
        }
        let middle = f64::midpoint(head, foot);
        let turned =
            format!("text-anchor=\"middle\" transform=\"rotate(-90 {:.1} {middle:.1})\"", x + 8.0);
        svg.text((x + 8.0, middle), (SMALL, INK, &turned), &self.up.name);
        for bar in &self.bars {
            let [from, to] = bar.ends.map(across);
            let at = down(bar.height);
            let fill = SIGNS[if bar.sign < 0.0 { 0 } else { 1 + usize::from(bar.sign > 0.0) }];
            let place = (from + 0.3, at, (to - from - 0.6).max(0.4), (foot - at).max(0.6));
            svg.rectangle(place, fill, ("none", 0.0), 0.0);
        }
        for (place, curve) in self.curves.iter().enumerate() {
            let (colour, dashes) = LOOKS[place % LOOKS.len()];
            let at = |value: f64, of: f64| (across(value), down(of));
            let edge = |end: usize| {
                curve
                    .points
                    .iter()
                    .zip(&curve.band)
                    .map(move |((value, _), band)| (*value, band[end]))
            };
            let around = edge(1).chain(edge(0).rev()).map(|(value, of)| at(value, of));
            let around: Vec<_> = around.collect();
            if around.len() > 2 {
                svg.area(&around, colour);
            }
            let points: Vec<_> = curve.points.iter().map(|(value, of)| at(*value, *of)).collect();
            svg.line(&points, (colour, 1.3, dashes));
            if let [(x, y)] = points[..] {
                svg.rectangle((x - 2.0, y - 2.0, 4.0, 4.0), colour, ("none", 0.0), 2.0);
            }
        }
        for (value, _) in &self.marks {
            svg.line(&[(across(*value), head), (across(*value), foot)], MARK);
        }
        svg.line(&[(left, head), (left, foot), (right, foot)], (SOFT, 0.8, ""));
        for (value, tick) in &self.across.ticks {
            let at = across(*value);
            svg.line(&[(at, foot), (at, foot + 3.0)], (SOFT, 0.8, ""));
            svg.text((at, foot + 11.5), (SMALL, SOFT, "text-anchor=\"middle\""), tick);
        }
        let name = (f64::midpoint(left, right), foot + 22.0);
        svg.text(name, (SMALL, INK, "text-anchor=\"middle\""), &self.across.name);
        y = self.legend(svg, (left, foot + 27.0), right - left);
        y = svg.lines((left, y), (SMALL, SOFT, ""), &self.note, right - left);
        y - top
    }

    /// What curves and lines are of; where the next begins.
    fn legend(&self, svg: &mut Svg, (x, mut y): (f64, f64), width: f64) -> f64 {
        let curves = self.curves.iter().enumerate().map(|(place, curve)| {
            let (colour, dashes) = LOOKS[place % LOOKS.len()];
            ((colour, 1.3, dashes), &curve.name)
        });
        let marks = self.marks.iter().map(|(_, name)| (MARK, name));
        let marks = marks.filter(|(_, name)| !name.is_empty());
        for (look, name) in curves.chain(marks) {
            svg.line(&[(x, y + 5.5), (x + 20.0, y + 5.5)], look);
            y = svg.lines((x + 24.0, y), (SMALL, INK, ""), name, width - 24.0).max(y + 10.0);
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Bar, Chart, Curve, SIGNS};
    use crate::export::svg::Svg;

    fn axis(name: &str, ends: [f64; 2]) -> Axis {
        let ticks = ends.iter().map(|end| (*end, end.to_string())).collect();
        Axis { name: name.to_owned(), ends, ticks }
    }

    fn drawn(chart: &Chart) -> String {
        let mut svg = Svg::new();
        let height = chart.draw(&mut svg, (0.0, 0.0), 300.0);
        svg.finish((300.0, height), 80.0, "")
    }

    #[test]
    fn axes_curves_and_marks_have_their_names() {
        let curve = |name: &str| Curve {
            name: name.to_owned(),
            points: vec![(0.0, 0.0), (10.0, 1.0)],
            band: vec![[0.0, 0.1], [0.9, 1.0]],
        };
        let svg = drawn(&Chart {
            across: axis("iteration", [0.0, 10.0]),
            up: axis("success", [0.0, 1.0]),
            curves: vec![curve("GRPO"), curve("HGPO")],
            marks: vec![(5.0, "the truth".to_owned())],
            ..Chart::default()
        });
        for name in [">iteration<", ">success<", ">GRPO<", ">HGPO<", ">the truth<", ">10<", ">1<"] {
            assert!(svg.contains(name), "{name}");
        }
        assert_eq!(svg.matches("fill-opacity=\".15\"").count(), 2, "a band each");
        assert!(svg.contains("stroke-dasharray=\"5 2\""), "told apart without colour");
    }

    #[test]
    fn bars_stand_where_they_count_and_none_is_invisible() {
        let bar = |from: f64, height: f64, sign| Bar { ends: [from, from + 1.0], height, sign };
        let svg = drawn(&Chart {
            across: axis("A", [-1.0, 2.0]),
            up: axis("steps", [0.0, 1000.0]),
            bars: vec![bar(-1.0, 1000.0, -1.0), bar(0.0, 1.0, 0.0), bar(1.0, 500.0, 1.0)],
            ..Chart::default()
        });
        let heights: Vec<&str> = SIGNS
            .map(|colour| {
                let own = svg.lines().find(|line| line.contains(colour)).expect("a bar");
                own.split(" height=\"")
                    .nth(1)
                    .and_then(|rest| rest.split('"').next())
                    .expect("high")
            })
            .to_vec();
        assert_eq!(heights, ["104.0", "0.6", "52.0"]);
    }
}
