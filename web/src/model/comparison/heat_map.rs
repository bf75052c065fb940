//! A heat map: every step of a task as a small square, drawn as one picture.

use crate::model::{Advantages, Cell, number};
use std::fmt::Write;

/// How much of a number a cell has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The number.
    Number,
    /// Its sign.
    Sign,
    /// A dash where it is below zero.
    Dash,
}

/// The shades of a sign, from faint to full.
const SHADES: usize = 5;

/// A heat map's measures, in cells and pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeatMap {
    /// The number of trajectories.
    pub(crate) rows: usize,
    /// The number of steps of the longest.
    pub(crate) columns: usize,
    /// What cells have room for.
    pub(crate) detail: Detail,
    /// The width and height of a cell.
    pub(crate) cell: (usize, usize),
}

impl HeatMap {
    /// The measures of the map of a task, given the length of every row.
    pub(crate) fn of(lengths: &[usize]) -> Self {
        let (rows, columns) = (lengths.len(), lengths.iter().copied().max().unwrap_or(0));
        let (detail, cell) = match (rows, columns) {
            (..=16, ..=12) => (Detail::Number, (45, 22)),
            (..=40, ..=60) => (Detail::Sign, (13, 13)),
            _ => (Detail::Dash, (6, 5)),
        };
        Self { rows, columns, detail, cell }
    }

    /// The whole picture's width and height.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.columns * self.cell.0, self.rows * self.cell.1)
    }

    /// The corner of a cell.
    pub(crate) fn corner(&self, cell: Cell) -> (usize, usize) {
        (cell.step * self.cell.0, cell.row * self.cell.1)
    }

    /// The cell at a place, given as shares of the width and height.
    pub(crate) fn at(&self, (across, down): (f64, f64), lengths: &[usize]) -> Option<Cell> {
        let (row, step) = (down * self.rows as f64, across * self.columns as f64);
        if row < 0.0 || step < 0.0 {
            return None;
        }
        let cell = Cell { row: row as usize, step: step as usize };
        lengths.get(cell.row).is_some_and(|length| cell.step < *length).then_some(cell)
    }

    /// The picture as SVG: one path a shade, however many cells there are.
    pub(crate) fn draw(&self, advantages: &Advantages, peak: f64) -> String {
        let (width, height) = (self.cell.0 - 1, self.cell.1 - 1);
        let square = format!("h{width}v{height}h-{width}z");
        let mut shades = vec![String::new(); 2 * SHADES + 1];
        let (mut marks, mut numbers) = (String::new(), String::new());
        for (row, values) in advantages.of.iter().enumerate() {
            for (step, value) in values.iter().enumerate() {
                let (x, y) = self.corner(Cell { row, step });
                let path = &mut shades[shade(*value, peak)];
                go(path, (x, y));
                path.push_str(&square);
                if self.detail == Detail::Number {
                    let (x, y) = (x + width / 2, y + height / 2 + 5);
                    let text = number::signed(*value, 2);
                    push(&mut numbers, format_args!("<text x='{x}' y='{y}'>{text}</text>"));
                } else {
                    self.mark(&mut marks, *value, (x + width / 2, y + height / 2));
                }
            }
        }
        self.assemble(&shades, &marks, &numbers)
    }

    /// A minus, or a plus where there is room for one, around the middle of a cell.
    fn mark(&self, marks: &mut String, value: f64, (x, y): (usize, usize)) {
        let half = if self.detail == Detail::Sign { 3 } else { 1 };
        if value < 0.0 || value > 0.0 && self.detail == Detail::Sign {
            go(marks, (x - half, y));
            marks.push_str(if half == 3 { "h6" } else { "h3" });
        }
        if value > 0.0 && self.detail == Detail::Sign {
            go(marks, (x, y - half));
            marks.push_str("v6");
        }
    }

    fn assemble(&self, shades: &[String], marks: &str, numbers: &str) -> String {
        let (width, height) = self.size();
        let class = match self.detail {
            Detail::Number => "numbers",
            Detail::Sign => "signs",
            Detail::Dash => "dashes",
        };
        let mut svg = String::new();
        push(
            &mut svg,
            format_args!(
                "<svg class='{class}' viewBox='0 0 {width} {height}' width='{width}' height='{height}' aria-hidden='true'>"
            ),
        );
        for (place, path) in shades.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let (sign, shade) = match place.cmp(&SHADES) {
                std::cmp::Ordering::Less => ("less", SHADES - place),
                std::cmp::Ordering::Equal => ("none", 0),
                std::cmp::Ordering::Greater => ("more", place - SHADES),
            };
            push(&mut svg, format_args!("<path class='{sign} shade{shade}' d='{path}'/>"));
        }
        if !marks.is_empty() {
            push(&mut svg, format_args!("<path class='sign' d='{marks}'/>"));
        }
        svg + numbers + "</svg>"
    }
}

/// The place of a number among the shades: from most below zero, over zero, to most above.
fn shade(value: f64, peak: f64) -> usize {
    let share = if peak > 0.0 { (value.abs() / peak).min(1.0) } else { 0.0 };
    let depth = (share * SHADES as f64).ceil() as usize;
    if value < 0.0 { SHADES - depth } else { SHADES + depth }
}

/// Goes to a place in a path. Formatting proper takes ten times as long, and there are many places.
fn go(path: &mut String, (x, y): (usize, usize)) {
    path.push('M');
    whole(path, x);
    path.push(' ');
    whole(path, y);
}

/// A whole number.
fn whole(text: &mut String, number: usize) {
    if number > 9 {
        whole(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::{Detail, HeatMap, shade};
    use crate::model::{Advantages, Cell};

    #[test]
    fn shades_go_by_sign_and_share_of_the_peak() {
        let of = |value| shade(value, 2.0);
        assert_eq!(
            [of(-2.0), of(-0.01), of(0.0), of(0.41), of(2.0), of(9.0)],
            [0, 4, 5, 7, 10, 10]
        );
        assert_eq!(shade(0.0, 0.0), 5, "nothing but zeros");
    }

    #[test]
    fn every_step_is_drawn_once_with_its_number_or_sign() {
        let advantages = Advantages { of: vec![[1.0, -1.0].into(), [0.0].into()], peak: 1.0 };
        let drawn = HeatMap::of(&[2, 1]).draw(&advantages, 1.0);
        assert_eq!(drawn.matches("h44v21h-44z").count(), 3);
        assert!(drawn.contains(">+1.00<") && drawn.contains(">\u{2212}1.00<"), "{drawn}");
        assert!(drawn.contains("<path class='less shade5' d='M45 0h"), "{drawn}");
        let small = HeatMap { detail: Detail::Sign, cell: (13, 13), ..HeatMap::of(&[2, 1]) };
        // A plus in the first cell, a minus in the second, nothing in the third.
        assert!(small.draw(&advantages, 1.0).contains("d='M3 6h6M6 3v6M16 6h6'"));
    }

    #[test]
    fn places_are_cells_where_there_are_steps() {
        let map = HeatMap::of(&[4, 2]);
        assert_eq!(map.at((0.99, 0.0), &[4, 2]), Some(Cell { row: 0, step: 3 }));
        assert_eq!(map.at((0.3, 0.9), &[4, 2]), Some(Cell { row: 1, step: 1 }));
        assert_eq!(map.at((0.99, 0.9), &[4, 2]), None, "beyond the end of the row");
        assert_eq!(map.at((0.5, 1.0), &[4, 2]), None, "below the last row");
        assert_eq!(map.at((-0.01, 0.5), &[4, 2]), None);
    }

    #[test]
    fn large_tasks_have_small_cells() {
        assert_eq!(HeatMap::of(&[12; 16]).detail, Detail::Number);
        assert_eq!(HeatMap::of(&[13; 16]).detail, Detail::Sign);
        assert_eq!(HeatMap::of(&[50; 128]).size(), (300, 640));
    }
}
