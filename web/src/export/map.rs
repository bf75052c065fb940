//! Heat map for paper: the value of every step as a colour, with the names of the attempts and the scale.

use super::exhibit::{BOLD, INK, LINE, SMALL, SOFT, TEXT};
use super::svg::{Svg, letters_in, width_of, wrapped};
use crate::model::number;

/// The values of steps, attempt by attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Map {
    /// What the values are of.
    pub(crate) title: String,
    /// The attempts, each with its name and its values.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
    /// The number of the first step.
    pub(crate) first: usize,
    /// The absolute value of the full colour.
    pub(crate) peak: f64,
}

/// The full colours of values below zero and above.
const ENDS: [[f64; 3]; 2] = [[201.0, 106.0, 31.0], [42.0, 102.0, 188.0]];
/// The most that a cell is wide and high.
const CELL: (f64, f64) = (34.0, 14.0);
/// How high a map of many attempts is, as far as its cells can still be told apart.
const HEIGHT: f64 = 420.0;
/// The parts of the scale.
const PARTS: i32 = 10;

/// The colour of a share of the peak.
fn colour(share: f64) -> String {
    let end = ENDS[usize::from(share > 0.0)];
    let depth = share.abs().min(1.0) * 0.85;
    let [red, green, blue] = end.map(|full| (255.0 + (full - 255.0) * depth).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Map {
    fn columns(&self) -> usize {
        self.rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(1)
    }

    /// The width of the longest name.
    fn longest(&self) -> f64 {
        self.rows.iter().map(|(name, _)| width_of(name, SMALL)).fold(0.0, f64::max)
    }

    /// How wide it is with cells as wide as they get.
    pub(super) fn width(&self) -> f64 {
        self.longest() + 5.0 + self.columns() as f64 * CELL.0
    }

    /// Draws it below a place, so wide; how high it is.
    pub(super) fn draw(&self, svg: &mut Svg, (x, top): (f64, f64), width: f64) -> f64 {
        let y = svg.lines((x, top), (TEXT, INK, BOLD), &self.title, width * 0.93) + 3.0;
        let (columns, longest) = (self.columns(), self.longest());
        // A long name takes several lines.
        let names = longest.clamp(20.0, width * 0.3);
        let left = x + names + 5.0;
        let across = ((x + width - left) / columns as f64).min(CELL.0);
        let down = (HEIGHT / self.rows.len().max(1) as f64).clamp(2.5, CELL.1);
        let head = y + 12.0;
        let every = (18.0 / across).ceil().max(1.0) as usize;
        for place in (0..columns).step_by(every) {
            let at = left + (place as f64 + 0.5) * across;
            let number = (self.first + place).to_string();
            let tick = if place == 0 { ["t = ", &number].concat() } else { number };
            svg.text((at, head - 3.0), (SMALL, SOFT, "text-anchor=\"middle\""), &tick);
        }
        let most = letters_in(names, SMALL);
        let mut free = head;
        let mut at = head;
        for (name, values) in &self.rows {
            let lines = wrapped(name, most);
            let high = if down < SMALL { down } else { down.max(lines.len() as f64 * 9.5) };
            self.row(svg, (left, at), (across, high), values);
            // Where rows are lower than letters, only some have their names.
            if at >= free {
                let first = at + high / 2.0 - (lines.len() as f64 - 1.0) * 4.75 + 2.8;
                for (place, line) in lines.iter().enumerate() {
                    let look = (SMALL, INK, "text-anchor=\"end\"");
                    svg.text((left - 4.0, first + place as f64 * 9.5), look, line);
                }
                free = at + (lines.len() as f64 * 9.5).max(high);
            }
            at += high;
        }
        self.scale(svg, (left, at + 6.0));
        at + 28.0 - top
    }

    fn row(
        &self,
        svg: &mut Svg,
        (left, top): (f64, f64),
        (across, down): (f64, f64),
        values: &[f64],
    ) {
        for (place, value) in values.iter().enumerate() {
            let x = left + place as f64 * across;
            let share = if self.peak > 0.0 { value / self.peak } else { 0.0 };
            let gap = if across > 6.0 && down > 6.0 { 0.5 } else { 0.0 };
            let place = (x, top, across - gap, down - gap);
            svg.rectangle(place, &colour(share), (LINE, if gap > 0.0 { 0.3 } else { 0.0 }), 0.0);
            let middle = (x + across / 2.0, top + down / 2.0);
            let number = number::signed(*value, 2);
            if down >= 9.0 && across >= width_of(&number, 7.0) {
                svg.text((middle.0, middle.1 + 2.5), (7.0, INK, "text-anchor=\"middle\""), &number);
            } else if *value != 0.0 && across >= 4.0 && down >= 2.5 {
                // The sign is told without colour too: by a minus, and by a plus where there is room.
                let half = (across / 4.0).min(2.5);
                let flat = [(middle.0 - half, middle.1), (middle.0 + half, middle.1)];
                let upright = [(middle.0, middle.1 - half), (middle.0, middle.1 + half)];
                let strokes: &[_] = match (*value < 0.0, down >= 2.0 * half + 2.0) {
                    (true, _) => &[flat],
                    (false, true) => &[flat, upright],
                    (false, false) => &[],
                };
                for stroke in strokes {
                    svg.line(stroke, (INK, 0.7, ""));
                }
            }
        }
    }

    /// What the colours stand for.
    fn scale(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        const PART: f64 = 9.0;
        for part in -PARTS..=PARTS {
            let place = (x + f64::from(part + PARTS) * PART / 1.5, y, PART / 1.5, 7.0);
            let share = f64::from(part) / f64::from(PARTS);
            svg.rectangle(place, &colour(share), ("none", 0.0), 0.0);
        }
        let width = f64::from(2 * PARTS + 1) * PART / 1.5;
        let anchors = ["start", "middle", "end"];
        for (share, anchor) in [-1.0, 0.0, 1.0].into_iter().zip(anchors) {
            let number =
                if share == 0.0 { "0".to_owned() } else { number::signed(share * self.peak, 2) };
            let at = x + f64::midpoint(share, 1.0) * width;
            svg.text((at, y + 16.0), (SMALL, SOFT, &format!("text-anchor=\"{anchor}\"")), &number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, colour};
    use crate::export::svg::Svg;

    #[test]
    fn colours_go_from_white_to_full_by_sign() {
        assert_eq!(colour(0.0), "#ffffff");
        let [below, above] = [colour(-1.0), colour(1.0)];
        assert!(below != above && below == colour(-3.0), "{below} {above}");
    }

    #[test]
    fn names_are_whole_and_steps_have_their_numbers() {
        let name = "attempt-with-a-name-of-many-letters".to_owned();
        let map = Map {
            title: "HGPO".to_owned(),
            rows: vec![(name.clone(), vec![1.0, -0.5, 0.0]), ("b".to_owned(), vec![0.25])],
            first: 4,
            peak: 1.0,
        };
        let mut svg = Svg::new();
        let height = map.draw(&mut svg, (0.0, 0.0), 300.0);
        let svg = svg.finish((300.0, height), 80.0, "");
        let told: String = svg.lines().filter_map(|line| line.split('>').nth(1)).collect();
        assert!(told.replace("</text", "").contains(&name), "{told}");
        for text in [">t = 4<", ">6<", ">+1.00<", ">\u{2212}0.50<", ">0.00<", ">\u{2212}1.00<"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn cells_too_narrow_for_numbers_have_signs() {
        let drawn = |values: Vec<f64>| {
            let rows = vec![("a".to_owned(), [values, vec![0.0; 20]].concat())];
            let mut svg = Svg::new();
            Map { rows, peak: 1.0, ..Map::default() }.draw(&mut svg, (0.0, 0.0), 240.0);
            svg.finish((240.0, 80.0), 80.0, "").matches("<path d=\"M").count()
        };
        let none = drawn(vec![0.0, 0.0]);
        // A minus is a stroke, a plus two.
        assert_eq!([drawn(vec![-1.0, 0.0]), drawn(vec![0.0, 1.0])], [none + 1, none + 2]);
    }

    #[test]
    fn many_attempts_have_names_that_do_not_overlap() {
        let rows = (0..200).map(|row| (format!("t{row}"), vec![-1.0; 50])).collect();
        let map = Map { rows, peak: 1.0, ..Map::default() };
        let mut svg = Svg::new();
        let height = map.draw(&mut svg, (0.0, 0.0), 300.0);
        assert!(height < 560.0, "{height}");
        let svg = svg.finish((300.0, height), 80.0, "");
        let named = (0..200).filter(|row| svg.contains(&format!(">t{row}<"))).count();
        assert!((30..110).contains(&named), "{named}");
    }
}
