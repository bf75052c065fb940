//! Figures: what is drawn (`line_chart`, `row_chart`), with what (`colour`, `marker`), and how it gets into the page
//! (`svg`). Every figure is drawn twice, for wide and for narrow windows, so that its text has the size of other text
//! in both; the style sheet shows one of them.

mod axis;
mod colour;
mod line_chart;
mod marker;
mod row_chart;
mod standalone;
mod svg;

use maud::Markup;

pub(crate) use self::axis::{Axis, Unit};
pub(crate) use self::line_chart::{Line, LineChart, Marks};
pub(crate) use self::marker::swatch;
pub(crate) use self::row_chart::{Mark, Row, RowChart, parts};
pub(crate) use self::standalone::standalone;

use self::colour::Colour;
use self::svg::{Area, Drawn, draw_line, draw_text, px, render_svg};
use crate::ReportError;

/// How many arms are told apart by colour, dashes and marks.
pub(crate) const SERIES: usize = 8;

/// How many shades a scale has.
pub(crate) const SHADES: usize = 7;

/// For which windows a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Its class in the style sheet.
    class: &'static str,
    /// Width of a figure in pixels of the style sheet.
    width: u32,
}

pub(crate) const WIDE: Window = Window { class: "wide", width: 760 };
pub(crate) const NARROW: Window = Window { class: "narrow", width: 330 };
/// Text of 13 pixels is as large as that around it if the figure is as wide as a page of 14 centimetres.
pub(crate) const PAPER: Window = Window { class: "paper", width: 520 };

/// What figures show.
pub(crate) trait Chart {
    /// The drawing, described by `label` for readers who cannot see it.
    ///
    /// # Errors
    /// It cannot be drawn.
    fn draw(&self, window: Window, label: &str) -> Result<Markup, ReportError>;
}

/// A name that fits beside a line: its beginning, if it is longer than `most` characters.
fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(shortened("hgpo", 4), "hgpo");
        assert_eq!(shortened("가나다라마", 4), "가나다…");
    }
}
