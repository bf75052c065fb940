//! A heat map: every step of a task as a small square, drawn as one picture.

use crate::model::number;
use hgpo_words::Cell;
use std::{cmp::Ordering, fmt::Write};

/// How much of a number a cell has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The number.
    Number,
    /// Its sign.
    Sign,
    /// A dash if it is below zero.
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
            (..=16, ..=12) => (Detail::Number, (45, 23)),
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

    /// The picture as SVG: one dashed path a shade, and in it one line for steps side by side.
    pub(crate) fn draw(&self, advantages: &[Vec<f64>], peak: f64) -> String {
        let mut shades = vec![String::new(); 2 * SHADES + 1];
        let (mut across, mut down, mut numbers) = (String::new(), String::new(), String::new());
        for (row, values) in advantages.iter().enumerate() {
            let mut step = 0;
            for alike in values.chunk_by(|one, next| shade(*one, peak) == shade(*next, peak)) {
                let run = (Cell { row, step }, alike.len());
                let place = shade(alike[0], peak);
                self.line(&mut shades[place], run, self.cell.0 - 1);
                let positive = place > SHADES;
                if self.is_marked(place) {
                    self.line(&mut across, run, self.dash());
                }
                for (ahead, value) in alike.iter().enumerate() {
                    let cell = Cell { row, step: step + ahead };
                    match self.detail {
                        Detail::Number => self.number(&mut numbers, cell, *value),
                        Detail::Sign if positive => self.upright(&mut down, cell),
                        _ => {}
                    }
                }
                step += alike.len();
            }
        }
        self.assemble(&shades, [&across, &down], &numbers)
    }

    /// Whether cells of a shade are marked by a stroke.
    fn is_marked(&self, shade: usize) -> bool {
        match self.detail {
            Detail::Number => false,
            Detail::Sign => shade != SHADES,
            Detail::Dash => shade < SHADES,
        }
    }

    /// The middle of a cell.
    fn middle(&self, cell: Cell) -> (usize, usize) {
        let (x, y) = self.corner(cell);
        (x + (self.cell.0 - 1) / 2, y + (self.cell.1 - 1) / 2)
    }

    /// The length of the stroke that is a minus, or the flat part of a plus.
    fn dash(&self) -> usize {
        if self.detail == Detail::Sign { 6 } else { 3 }
    }

    /// A line through some cells side by side, of which dashes of a length are to be seen.
    fn line(&self, path: &mut String, (first, cells): (Cell, usize), dash: usize) {
        let (x, y) = self.middle(first);
        go(path, (x - dash / 2, y));
        path.push('h');
        whole(path, (cells - 1) * self.cell.0 + dash);
    }

    /// The upright part of a plus.
    fn upright(&self, path: &mut String, cell: Cell) {
        let (x, y) = self.middle(cell);
        go(path, (x, y - 3));
        path.push_str("v6");
    }

    fn number(&self, numbers: &mut String, cell: Cell, value: f64) {
        let (x, y) = self.middle(cell);
        let text = number::signed(value, 2);
        push(numbers, format_args!("<text x='{x}' y='{}'>{text}</text>", y + 4));
    }

    fn assemble(&self, shades: &[String], [across, down]: [&str; 2], numbers: &str) -> String {
        let ((width, height), cell) = (self.size(), self.cell);
        let mut svg = String::new();
        push(
            &mut svg,
            format_args!(
                "<svg viewBox='0 0 {width} {height}' width='{width}' height='{height}' aria-hidden='true' class='{:?}' stroke-width='{}'>",
                self.detail,
                cell.1 - 1,
            ),
        );
        let mut path = |class: &str, shade: usize, dash: usize, lines: &str| {
            if !lines.is_empty() {
                let gap = cell.0 - dash;
                push(
                    &mut svg,
                    format_args!(
                        "<path class='{class} shade{shade}' stroke-dasharray='{dash} {gap}' d='{lines}'/>"
                    ),
                );
            }
        };
        for (place, lines) in shades.iter().enumerate() {
            let class = match place.cmp(&SHADES) {
                Ordering::Less => "less",
                Ordering::Equal => "none",
                Ordering::Greater => "more",
            };
            path(class, place.abs_diff(SHADES), cell.0 - 1, lines);
        }
        path("sign", 0, self.dash(), across);
        path("sign", 0, cell.0, down);
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
    use hgpo_words::Cell;

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
        let advantages = [vec![1.0, 1.0, -1.0], vec![0.0]];
        let drawn = HeatMap::of(&[3, 1]).draw(&advantages, 1.0);
        // Two full cells side by side are one line of two dashes.
        let full = "<path class='more shade5' stroke-dasharray='44 1' d='M0 11h89'/>";
        assert!(drawn.contains(full), "{drawn}");
        assert!(
            drawn.contains("<path class='less shade5' stroke-dasharray='44 1' d='M90 11h44'/>")
        );
        assert!(drawn.contains("<path class='none shade0' stroke-dasharray='44 1' d='M0 34h44'/>"));
        assert_eq!(drawn.matches(">+1.00<").count(), 2);
        assert!(!drawn.contains("'sign"), "the numbers have signs");
        assert_eq!(drawn.matches(">\u{2212}1.00<").count(), 1);
        let small = HeatMap { detail: Detail::Sign, cell: (13, 13), ..HeatMap::of(&[3, 1]) };
        let drawn = small.draw(&advantages, 1.0);
        // Two plus signs, a minus, and nothing for zero.
        assert!(drawn.contains("stroke-dasharray='6 7' d='M3 6h19M29 6h6'"), "{drawn}");
        assert!(drawn.contains("d='M6 3v6M19 3v6'"), "{drawn}");
        let tiny = HeatMap { detail: Detail::Dash, cell: (6, 5), ..small };
        assert!(tiny.draw(&advantages, 1.0).contains("stroke-dasharray='3 3' d='M13 2h3'"));
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
