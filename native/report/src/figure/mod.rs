//! Figures: what is drawn (`line_chart`, `row_chart`), with what (`colour`, `marker`), and how it gets into the page
//! (`svg`). Every figure is drawn twice, for wide and for narrow windows, so that its text has the size of other text
//! in both; the style sheet shows one of them.

mod axis;
mod colour;
mod line_chart;
mod marker;
mod row_chart;
mod svg;

pub(crate) use self::axis::{Axis, Unit};
pub(crate) use self::line_chart::{Line, LineChart, Marks};
pub(crate) use self::marker::swatch;
pub(crate) use self::row_chart::{Mark, Row, RowChart, parts};

use self::colour::Colour;
use self::svg::{Area, Drawn, px, render_svg};

/// How many arms are told apart by colour, dashes and marks.
pub(crate) const SERIES: usize = 8;

/// How many shades a scale has.
pub(crate) const SHADES: usize = 7;

/// For which windows a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Wide,
    Narrow,
}

impl Window {
    /// Width of a figure in pixels of the style sheet.
    const fn width(self) -> u32 {
        match self {
            Self::Wide => 760,
            Self::Narrow => 330,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
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
