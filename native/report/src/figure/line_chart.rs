//! Line chart: lines with bands over an axis.

use hgpo_evidence::Interval;
use maud::Markup;
use plotters::element::Polygon;
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::marker::mark;
use super::{
    Area, Axis, Chart, Colour, Drawn, NARROW, WIDE, Window, draw_line, draw_text, px, render_svg,
    shortened,
};
use crate::ReportError;

/// The longest name beside a line.
const NAME: usize = 20;

/// Least distance of two names, in pixels.
const APART: i32 = px(16);

/// What belongs to one arm.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    /// Its number among those that are drawn.
    pub(crate) series: usize,
    /// Its name.
    pub(crate) name: String,
    /// Places on the axis and what was measured there.
    pub(crate) points: &'a [(f64, Interval)],
}

/// Lines with bands.
#[derive(Clone, Debug)]
pub(crate) struct LineChart<'a> {
    /// The axis below.
    pub(crate) across: Axis,
    /// The axis at the left.
    pub(crate) up: Axis,
    /// What is drawn.
    pub(crate) lines: Vec<Line<'a>>,
    /// Where the marks are.
    pub(crate) marks: Marks,
}

/// Where the marks of lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// At the ends, with the names beside them.
    Ends,
    /// Where a falling line passes one half, of lines that end at one place; a key has the names.
    Halves,
}

/// Where the axes are, in pixels of the drawing.
#[derive(Clone, Copy)]
struct Frame {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Chart for LineChart<'_> {
    fn draw(&self, window: Window, label: &str) -> Result<Markup, ReportError> {
        let is_wide = window != NARROW;
        let longest = self.lines.iter().map(|line| line.name.chars().count().min(NAME)).max();
        let beside = match (self.marks, is_wide) {
            (Marks::Halves, _) => 14,
            (Marks::Ends, true) => 22 + 8 * longest.unwrap_or(0) as u32,
            (Marks::Ends, false) => 26,
        };
        let height = if window == WIDE { 380 } else { 270 };
        let frame = Frame {
            left: px(38),
            right: px(window.width - beside),
            top: px(26),
            bottom: px(height - 42),
        };
        render_svg(window, height, label, |area| {
            self.axes(area, frame, if is_wide { 8 } else { 4 })?;
            self.lines.iter().try_for_each(|line| self.band(area, frame, line))?;
            self.lines.iter().try_for_each(|line| self.line(area, frame, line))?;
            match self.marks {
                Marks::Ends => self.names(area, frame, is_wide),
                Marks::Halves => self.halves(area, frame),
            }
        })
    }
}

impl LineChart<'_> {
    fn place(&self, frame: Frame, x: f64, y: f64) -> (i32, i32) {
        let across = f64::from(frame.right - frame.left) * self.across.place(x);
        let up = f64::from(frame.bottom - frame.top) * self.up.place(y);
        (frame.left + across.round() as i32, frame.bottom - up.round() as i32)
    }

    fn axes(&self, area: &Area<'_>, frame: Frame, labels: usize) -> Drawn {
        for (value, label) in self.up.ticks(5) {
            let y = self.place(frame, 0.0, value).1;
            draw_line(area, [(frame.left, y), (frame.right, y)], Colour::Grid, 1)?;
            let middle = (HPos::Right, VPos::Center);
            draw_text(area, &label, (frame.left - px(6), y), Colour::Soft, middle)?;
        }
        let Frame { left, right, bottom, .. } = frame;
        draw_line(area, [(left, bottom), (right, bottom)], Colour::Soft, 1)?;
        for (value, label) in self.across.ticks(labels) {
            let (x, y) = self.place(frame, value, self.up.range.0);
            draw_line(area, [(x, y), (x, y + px(4))], Colour::Soft, 1)?;
            draw_text(area, &label, (x, y + px(7)), Colour::Soft, (HPos::Center, VPos::Top))?;
        }
        draw_text(area, self.up.name, (0, px(2)), Colour::Soft, (HPos::Left, VPos::Top))?;
        let end = (right, bottom + px(25));
        draw_text(area, self.across.name, end, Colour::Soft, (HPos::Right, VPos::Top))
    }

    fn band(&self, area: &Area<'_>, frame: Frame, line: &Line<'_>) -> Drawn {
        let low = line.points.iter().map(|(x, it)| self.place(frame, *x, it.low));
        let high = line.points.iter().rev().map(|(x, it)| self.place(frame, *x, it.high));
        let style = Colour::Series(line.series).colour().mix(0.16).filled();
        if line.points.len() > 1 {
            area.draw(&Polygon::new(low.chain(high).collect::<Vec<_>>(), style))?;
        }
        Ok(())
    }

    fn line(&self, area: &Area<'_>, frame: Frame, line: &Line<'_>) -> Drawn {
        let points: Vec<_> =
            line.points.iter().map(|(x, it)| self.place(frame, *x, it.point)).collect();
        draw_line(area, points, Colour::Series(line.series), 2)
    }

    /// Marks where the lines pass one half.
    fn halves(&self, area: &Area<'_>, frame: Frame) -> Drawn {
        for line in &self.lines {
            let passes =
                |pair: &&[(f64, Interval)]| pair[0].1.point >= 0.5 && pair[1].1.point < 0.5;
            if let Some([(x, it), (next, after)]) = line.points.windows(2).find(passes) {
                let along = (it.point - 0.5) / (it.point - after.point);
                let at = self.place(frame, x + (next - x) * along, 0.5);
                mark(area, Some(line.series), at, px(4))?;
            }
        }
        Ok(())
    }

    /// Marks at the ends of the lines and names beside them, one below the other.
    fn names(&self, area: &Area<'_>, frame: Frame, is_wide: bool) -> Drawn {
        let ends = self.lines.iter().filter_map(|line| {
            let (x, it) = line.points.last()?;
            Some((self.place(frame, *x, it.point), line))
        });
        let mut ends: Vec<_> = ends.collect();
        ends.sort_by_key(|((_, y), line)| (*y, line.series));
        let places = spread_labels(ends.iter().map(|((_, y), _)| *y).collect(), frame.bottom);
        for (((x, y), line), label) in ends.into_iter().zip(places) {
            mark(area, Some(line.series), (x, y), px(4))?;
            let name = match &*line.name {
                "" => String::new(), // the only one
                name if is_wide => shortened(name, NAME),
                _ => (line.series + 1).to_string(),
            };
            let at = (frame.right + px(10), label);
            draw_text(area, &name, at, Colour::Strong, (HPos::Left, VPos::Center))?;
        }
        Ok(())
    }
}

/// Heights in order, moved so that they are [`APART`], and none is below `lowest` unless all are full.
fn spread_labels(mut heights: Vec<i32>, lowest: i32) -> Vec<i32> {
    for at in 1..heights.len() {
        heights[at] = heights[at].max(heights[at - 1] + APART);
    }
    let mut limit = lowest;
    for height in heights.iter_mut().rev() {
        *height = (*height).min(limit);
        limit = *height - APART;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_cover_each_other() {
        // 16 pixels are 64 of the drawing.
        assert_eq!(spread_labels(vec![100, 110, 300], 1000), [100, 164, 300]);
        assert_eq!(spread_labels(vec![990, 995], 1000), [936, 1000]);
        assert_eq!(spread_labels(Vec::new(), 1000), [] as [i32; 0]);
    }
}
