//! Heat map: every step of a task as a small square of one picture.

use crate::model::{Cell, number};
use std::cmp::Ordering;

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

/// Dashed lines of one look, as the data of a path.
#[derive(Debug, PartialEq)]
pub(crate) struct Path {
    /// Its look.
    pub(crate) class: String,
    /// The length of its dashes; with the gaps, they are as wide as a cell.
    pub(crate) dash: usize,
    /// The lines.
    pub(crate) lines: String,
}

/// What a heat map is drawn of.
pub(crate) struct Strokes {
    /// Lines.
    pub(crate) paths: Vec<Path>,
    /// Numbers, each with its place.
    pub(crate) numbers: Vec<(usize, usize, String)>,
}

impl HeatMap {
    /// The measures of the map of rows of these lengths.
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

    /// The strokes of the picture: one dashed path a shade, and in it one line for steps side by side.
    pub(crate) fn strokes(&self, advantages: &[&[f64]], peak: f64) -> Strokes {
        let mut shades = vec![String::new(); 2 * SHADES + 1];
        let (mut across, mut down, mut numbers) = (String::new(), String::new(), Vec::new());
        for (row, values) in advantages.iter().enumerate() {
            let mut step = 0;
            for alike in values.chunk_by(|one, next| shade(*one, peak) == shade(*next, peak)) {
                let run = (Cell { row, step }, alike.len());
                let place = shade(alike[0], peak);
                self.line(&mut shades[place], run, self.cell.0 - 1);
                if self.is_marked(place) {
                    self.line(&mut across, run, self.dash());
                }
                for (ahead, value) in alike.iter().enumerate() {
                    let (x, y) = self.middle(Cell { row, step: step + ahead });
                    match self.detail {
                        Detail::Number => numbers.push((x, y + 4, number::signed(*value, 2))),
                        // The upright part of a plus.
                        Detail::Sign if place > SHADES => {
                            go(&mut down, (x, y - 3));
                            down.push_str("v6");
                        }
                        _ => {}
                    }
                }
                step += alike.len();
            }
        }
        let fills = shades.into_iter().enumerate().map(|(place, lines)| {
            let class = match place.cmp(&SHADES) {
                Ordering::Less => "less",
                Ordering::Equal => "none",
                Ordering::Greater => "more",
            };
            let class = format!("{class} shade{}", place.abs_diff(SHADES));
            Path { class, dash: self.cell.0 - 1, lines }
        });
        let sign = |dash, lines| Path { class: "sign".to_owned(), dash, lines };
        let signs = [sign(self.dash(), across), sign(self.cell.0, down)];
        let paths = fills.chain(signs).filter(|path| !path.lines.is_empty()).collect();
        Strokes { paths, numbers }
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

#[cfg(test)]
mod tests {
    use super::{Detail, HeatMap, Path, shade};
    use crate::model::Cell;

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
        let advantages = [&[1.0, 1.0, -1.0][..], &[0.0]];
        let drawn = HeatMap::of(&[3, 1]).strokes(&advantages, 1.0);
        let path = |class: &str, dash, lines: &str| {
            let [class, lines] = [class, lines].map(str::to_owned);
            Path { class, dash, lines }
        };
        // Two full cells side by side are one line of two dashes; the numbers have signs.
        let [less, none, more] = [
            path("less shade5", 44, "M90 11h44"),
            path("none shade0", 44, "M0 34h44"),
            path("more shade5", 44, "M0 11h89"),
        ];
        assert_eq!(drawn.paths, [less, none, more]);
        let numbers: Vec<&str> = drawn.numbers.iter().map(|(.., number)| &**number).collect();
        assert_eq!(numbers, ["+1.00", "+1.00", "\u{2212}1.00", "0.00"]);
        let small = HeatMap { detail: Detail::Sign, cell: (13, 13), ..HeatMap::of(&[3, 1]) };
        // Two plus signs, a minus, and nothing for zero.
        let signs = [path("sign", 6, "M3 6h19M29 6h6"), path("sign", 13, "M6 3v6M19 3v6")];
        assert_eq!(small.strokes(&advantages, 1.0).paths[3..], signs);
        let tiny = HeatMap { detail: Detail::Dash, cell: (6, 5), ..small };
        assert_eq!(tiny.strokes(&advantages, 1.0).paths[3..], [path("sign", 3, "M13 2h3")]);
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
