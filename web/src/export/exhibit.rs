//! Exhibit: a picture of the page as it is printed, in one or two columns of a paper, and the numbers it is drawn of.

use super::chart::Chart;
use super::grid::Grid;
use super::map::Map;
use super::svg::Svg;
use super::table::Table;
use crate::overview::line;
use crate::state_graph::{Chosen, Ground, Picture};
use std::rc::Rc;

/// How wide a picture is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Column {
    /// One column of a paper.
    #[default]
    One,
    /// The whole width of a page.
    Two,
}

impl Column {
    /// The width in millimetres.
    pub(crate) const fn millimetres(self) -> f64 {
        match self {
            Self::One => 85.0,
            Self::Two => 178.0,
        }
    }

    /// The width in pixels of the drawing, 96 an inch.
    fn pixels(self) -> f64 {
        self.millimetres() * 96.0 / 25.4
    }
}

/// A part of a picture.
#[derive(Debug)]
pub(crate) enum Panel {
    /// Bars or curves on axes.
    Chart(Chart),
    /// A value of every step, as a colour.
    Map(Map),
    /// Words and numbers in columns.
    Table(Table),
    /// Attempts as rows of steps.
    Grid(Grid),
    /// A graph of states, and what stands out in it.
    Graph(Rc<Picture>, Chosen),
}

impl Panel {
    /// Whether it is as readable in half of the width.
    fn fits(&self, half: f64) -> bool {
        match self {
            Self::Chart(_) => true,
            Self::Map(map) => map.width() <= half,
            Self::Table(_) | Self::Grid(_) | Self::Graph(..) => false,
        }
    }

    /// Draws it below a place, so wide; how high it is.
    fn draw(&self, svg: &mut Svg, corner: (f64, f64), width: f64) -> f64 {
        match self {
            Self::Chart(chart) => chart.draw(svg, corner, width),
            Self::Map(map) => map.draw(svg, corner, width),
            Self::Table(table) => table.draw(svg, corner, width),
            Self::Grid(grid) => grid.draw(svg, corner, width),
            Self::Graph(picture, chosen) => {
                let (own, high) = picture.size();
                let scale = (width / own).min(1.0);
                let (x, y) = corner;
                svg.raw(format_args!(
                    "<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\">\n"
                ));
                picture.draw(svg, Ground::Paper, chosen);
                svg.raw(format_args!("</g>\n"));
                high * scale
            }
        }
    }
}

/// A picture with its numbers.
#[derive(Debug, Default)]
pub(crate) struct Exhibit {
    /// What its files are called, without their endings.
    pub(crate) name: String,
    /// What stands above it.
    pub(crate) title: String,
    /// The settings that it was made with.
    pub(crate) settings: String,
    /// What it consists of.
    pub(crate) panels: Vec<Panel>,
    /// What stands below it.
    pub(crate) notes: Vec<String>,
    /// Its numbers, a line each, after one with the names of the columns.
    pub(crate) numbers: Vec<Vec<String>>,
}

pub(super) const INK: &str = "#1b2130";
pub(super) const SOFT: &str = "#434c5e";
pub(super) const LINE: &str = "#c9ccd3";
/// The size of text, and of that on axes and in cells.
pub(super) const TEXT: f64 = 9.0;
pub(super) const SMALL: f64 = 8.0;
pub(super) const BOLD: &str = "font-weight=\"600\"";
const MARGIN: f64 = 6.0;
const GAP: f64 = 12.0;

impl Exhibit {
    /// The picture as an SVG file.
    pub(crate) fn svg(&self, column: Column) -> String {
        let width = column.pixels();
        let inside = width - 2.0 * MARGIN;
        let mut svg = Svg::new();
        let mut y = svg.lines((MARGIN, MARGIN), (11.0, INK, BOLD), &self.title, inside * 0.93);
        y = svg.lines((MARGIN, y), (TEXT, SOFT, ""), &self.settings, inside) + GAP / 2.0;
        let mut rest = self.panels.iter().peekable();
        while let Some(panel) = rest.next() {
            // What is narrow enough stands side by side where there is room.
            let half = (inside - GAP) / 2.0;
            let fits = |panel: &Panel| column == Column::Two && panel.fits(half);
            let beside = rest.next_if(|next| fits(panel) && fits(next));
            let own = match beside {
                None => panel.draw(&mut svg, (MARGIN, y), inside),
                Some(next) => {
                    let own = panel.draw(&mut svg, (MARGIN, y), half);
                    own.max(next.draw(&mut svg, (MARGIN + half + GAP, y), half))
                }
            };
            y += own + GAP;
        }
        for note in &self.notes {
            y = svg.lines((MARGIN, y), (SMALL, SOFT, ""), note, inside) + 2.0;
        }
        svg.finish((width, y + MARGIN), column.millimetres(), &self.title)
    }

    /// Its numbers as a CSV file.
    pub(super) fn csv(&self) -> String {
        let mut text = String::new();
        for own in &self.numbers {
            line(&mut text, own.iter().cloned());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Exhibit, Panel};
    use crate::export::chart::{Axis, Chart};

    fn chart() -> Panel {
        let axis = || Axis { name: "x".to_owned(), ends: [0.0, 1.0], ticks: Vec::new() };
        Panel::Chart(Chart { across: axis(), up: axis(), ..Chart::default() })
    }

    #[test]
    fn pictures_are_as_wide_as_a_column_whatever_they_show() {
        let exhibit = Exhibit { panels: vec![chart(), chart()], ..Exhibit::default() };
        let [one, two] = [Column::One, Column::Two].map(|column| exhibit.svg(column));
        assert!(one.contains("width=\"85mm\"") && one.contains("viewBox=\"0 0 321.3 "), "{one}");
        assert!(two.contains("width=\"178mm\"") && two.contains("viewBox=\"0 0 672.8 "), "{two}");
        let height = |svg: &str| {
            let high = svg.split("height=\"").nth(1).and_then(|rest| rest.split("mm").next());
            high.and_then(|high| high.parse::<f64>().ok()).expect("a height")
        };
        assert!(height(&one) > 1.5 * height(&two), "one below the other, or side by side");
    }

    #[test]
    fn titles_are_whole_and_numbers_are_quoted() {
        let title =
            "A title that is much longer than one column of a paper is wide, < and all of it";
        let exhibit = Exhibit {
            title: title.to_owned(),
            numbers: vec![vec!["a,b".to_owned(), "1".to_owned()]],
            ..Exhibit::default()
        };
        let svg = exhibit.svg(Column::One);
        for word in title.replace('<', "&lt;").split(' ') {
            assert!(svg.matches(word).count() >= 2, "{word}");
        }
        assert_eq!(exhibit.csv(), "\"a,b\",1\n");
    }
}
