//! Row chart: a row for every arm over one axis, with intervals and the runs behind them, or with parts of a whole.

use hgpo_evidence::Interval;
use maud::Markup;
use plotters::element::{Circle, Rectangle};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::marker::mark;
use super::{
    Area, Axis, Chart, Colour, Drawn, NARROW, Window, draw_line, draw_text, px, render_svg,
    shortened,
};
use crate::ReportError;

/// The longest name beside a row.
const NAME: usize = 23;

/// The longest value beside a row that room is kept for.
const VALUE: usize = 20;

/// Something in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// An estimate with its interval.
    Interval(Interval),
    /// A single run.
    RunSummary(f64),
    /// An estimate without an interval.
    Point(f64),
    /// From where to where something went.
    Way(f64, f64),
    /// A part of a whole: from, to, and its shade.
    Part(f64, f64, usize),
}

/// The parts of a whole beside each other, given how wide each is and its shade.
pub(crate) fn parts(widths: impl IntoIterator<Item = (f64, usize)>) -> Vec<Mark> {
    let mut from = 0.0;
    let placed = widths.into_iter().map(|(width, shade)| {
        let start = from;
        from += width;
        (width > 0.0).then_some(Mark::Part(start, from, shade))
    });
    placed.flatten().collect()
}

/// A row.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The number of the arm among those that have a colour.
    pub(crate) series: Option<usize>,
    /// What it is of.
    pub(crate) name: String,
    /// What is drawn.
    pub(crate) marks: Vec<Mark>,
    /// Its numbers.
    pub(crate) value: String,
}

/// Rows over an axis.
#[derive(Clone, Debug)]
pub(crate) struct RowChart {
    /// The axis below.
    pub(crate) across: Axis,
    /// A value that all are compared with.
    pub(crate) reference: Option<f64>,
    /// The rows, from the top.
    pub(crate) rows: Vec<Row>,
}

/// Where rows and columns are, in pixels of the drawing.
#[derive(Clone, Copy)]
struct Layout {
    left: i32,
    right: i32,
    /// The end of the column of values.
    end: i32,
    row: i32,
    /// Whether names and values stand above what is drawn.
    is_above: bool,
    bottom: i32,
}

impl Layout {
    /// The middle of what is drawn in a row.
    fn middle(self, row: usize) -> i32 {
        let inside = if self.is_above { px(31) } else { self.row / 2 };
        self.row * row as i32 + inside
    }
}

impl Chart for RowChart {
    fn draw(&self, window: Window, label: &str) -> Result<Markup, ReportError> {
        let is_above = window == NARROW;
        let row = if is_above { 44 } else { 28 };
        let body = row * self.rows.len() as u32 + 4;
        let longest =
            |of: fn(&Row) -> &str| self.rows.iter().map(|row| of(row).chars().count()).max();
        let column = |of, most: usize| 20 + 8 * longest(of).unwrap_or(0).min(most) as u32;
        let beside = (column(|row| &row.name, NAME), column(|row| &row.value, VALUE));
        let (left, values) = if is_above { (8, 18) } else { beside };
        let layout = Layout {
            left: px(left),
            right: px(window.width - values),
            end: px(window.width),
            row: px(row),
            is_above,
            bottom: px(body),
        };
        render_svg(window, body + 44, label, |area| {
            self.axis(area, layout)?;
            self.rows.iter().enumerate().try_for_each(|(at, row)| self.row(area, layout, at, row))
        })
    }
}

impl RowChart {
    fn place(&self, layout: Layout, value: f64) -> i32 {
        layout.left
            + (f64::from(layout.right - layout.left) * self.across.place(value)).round() as i32
    }

    fn axis(&self, area: &Area<'_>, layout: Layout) -> Drawn {
        let (bottom, below) = (layout.bottom, (HPos::Center, VPos::Top));
        for (value, label) in self.across.ticks(if layout.is_above { 4 } else { 6 }) {
            let x = self.place(layout, value);
            draw_line(area, [(x, 0), (x, bottom)], Colour::Grid, 1)?;
            draw_text(area, &label, (x, bottom + px(5)), Colour::Soft, below)?;
        }
        if let Some(reference) = self.reference {
            let x = self.place(layout, reference);
            draw_line(area, [(x, 0), (x, bottom)], Colour::Strong, 1)?;
        }
        let middle = layout.left.midpoint(layout.right);
        draw_text(area, self.across.name, (middle, bottom + px(23)), Colour::Soft, below)
    }

    fn row(&self, area: &Area<'_>, layout: Layout, at: usize, row: &Row) -> Drawn {
        let middle = layout.middle(at);
        let line = if layout.is_above { middle - px(21) } else { middle };
        let name = shortened(&row.name, NAME);
        draw_text(area, &name, (0, line), Colour::Strong, (HPos::Left, VPos::Center))?;
        let end = (layout.end, line);
        draw_text(area, &row.value, end, Colour::Strong, (HPos::Right, VPos::Center))?;
        row.marks.iter().try_for_each(|it| self.mark(area, layout, middle, row.series, *it))
    }

    fn mark(
        &self,
        area: &Area<'_>,
        layout: Layout,
        middle: i32,
        series: Option<usize>,
        it: Mark,
    ) -> Drawn {
        let place = |value| self.place(layout, value);
        let ink = series.map_or(Colour::Soft, Colour::Series).colour();
        let bar = |from: f64, to: f64, half: i32| {
            [(place(from), middle - half), (place(to), middle + half)]
        };
        let estimate = |value| mark(area, series, (place(value), middle), px(5));
        match it {
            Mark::RunSummary(value) => {
                let run = Circle::new((place(value), middle), px(3), ink.mix(0.28).filled());
                Ok(area.draw(&run)?)
            }
            Mark::Interval(it) => {
                area.draw(&Rectangle::new(bar(it.low, it.high, px(1)), ink.filled()))?;
                estimate(it.point)
            }
            Mark::Point(value) => estimate(value),
            Mark::Way(from, to) => {
                area.draw(&Rectangle::new(bar(from, to, px(1)), ink.mix(0.6).filled()))?;
                let outline = ink.stroke_width(px(1) as u32);
                area.draw(&Circle::new((place(from), middle), px(4), outline))?;
                estimate(to)
            }
            Mark::Part(from, to, shade) => {
                let style = Colour::Shade(shade).colour().filled();
                Ok(area.draw(&Rectangle::new(bar(from, to, px(8)), style))?)
            }
        }
    }
}
