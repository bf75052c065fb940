//! The figure: the stage and the groups of the chosen step, on paper.

mod svg;
mod told;

pub(crate) use told::{Figure, State};

use crate::{model::number, text::figure as words};
use hgpo_core::Step;
use hgpo_words::Cell;
use svg::{PATTERNS, Paint, Svg, Type, fitted, letters as letters_of};

/// The most trajectories and steps that are drawn.
const MOST: (usize, usize) = (40, 60);

const INK: &str = "#1b2130";
const SOFT: &str = "#434c5e";
const LINE: &str = "#d9d5ca";
const ACCENT: &str = "#5b3fa6";
const HUES: [&str; 8] =
    ["#dfe3ea", "#c9ecdf", "#f6dff0", "#f5e7b4", "#cfeaf4", "#fad9d3", "#dfedc0", "#e6dcc8"];
/// From the widest group to the deepest.
const SHADES: [&str; 4] = ["#f2eefc", "#e4dbfa", "#d3c5f6", "#c4b1f3"];

const MARGIN: f64 = 20.0;
const NAMES: f64 = 96.0;
const TOP: f64 = 96.0;
const GAP: f64 = 8.0;

/// The width and height of a step, and how many letters a line of it has room for.
fn room(figure: &Figure) -> (f64, f64, usize) {
    if figure.is_brief() { (112.0, 80.0, 15) } else { (164.0, 94.0, 23) }
}

/// The figure as an SVG file.
pub(crate) fn figure(figure: &Figure) -> String {
    let lengths = figure.lengths();
    let steps = lengths.iter().copied().max().unwrap_or(0);
    let (rows, columns) = (lengths.len().min(MOST.0), steps.min(MOST.1));
    let (width, ..) = room(figure);
    let marks = figure.marks();
    let mut svg = Svg::new();
    let heading = ["font-weight=\"600\" font-family=\"Palatino, Georgia, serif\"", ""];
    for ((line, size), (text, rest)) in
        [(40.0, 22), (62.0, 13)].into_iter().zip(figure.heading.iter().zip(heading))
    {
        svg.text((MARGIN, line), Type { size, fill: INK, rest }, text);
    }
    for step in 0..columns {
        let (x, _) = corner(figure, Cell { row: 0, step });
        svg.text((x + 2.0, TOP - 8.0), small(""), &format!("t = {step}"));
    }
    for (row, marks) in marks.iter().enumerate().take(rows) {
        name(&mut svg, figure, row);
        for (step, mark) in marks.iter().enumerate().take(columns) {
            cell(&mut svg, figure, Cell { row, step }, *mark);
        }
    }
    let mut notes = figure.notes();
    if (rows, columns) != (lengths.len(), steps) {
        notes.push(words::cut(rows, columns));
    }
    let (_, mut y) = corner(figure, Cell { row: rows, step: 0 });
    for note in &notes {
        y += 20.0;
        svg.text((MARGIN, y), Type { size: 13, fill: SOFT, rest: "" }, note);
    }
    let (right, _) = corner(figure, Cell { row: 0, step: columns.max(4) });
    svg.finish((right.max(width) - GAP + MARGIN, y + MARGIN), &figure.heading[0])
}

/// The corner of a step.
fn corner(figure: &Figure, Cell { row, step }: Cell) -> (f64, f64) {
    let (width, height, _) = room(figure);
    (MARGIN + NAMES + step as f64 * (width + GAP), TOP + row as f64 * (height + GAP))
}

fn small(rest: &str) -> Type<'_> {
    Type { size: 12, fill: SOFT, rest }
}

/// A trajectory's name and outcome.
fn name(svg: &mut Svg, figure: &Figure, row: usize) {
    let (_, y) = corner(figure, Cell { row, step: 0 });
    let own = &figure.batch.trajectories()[row];
    let bold = Type { size: 14, fill: INK, rest: "font-weight=\"600\"" };
    svg.text((MARGIN, y + 36.0), bold, &fitted(&own.trajectory, 11));
    if let Some(success) = own.success {
        let (sign, fill) = if success { ("\u{2713}", "#1a56b0") } else { ("\u{2717}", "#9d4407") };
        svg.text((MARGIN, y + 54.0), Type { size: 14, fill, rest: "" }, sign);
    }
}

/// A step: outlines of the groups that it shares with the chosen one, and what happened.
fn cell(svg: &mut Svg, figure: &Figure, cell: Cell, mark: Option<usize>) {
    let (x, y) = corner(figure, cell);
    let (width, height, letters) = room(figure);
    outlines(svg, (x, y, width, height), mark, cell == figure.selected);
    let (state, step) = (figure.state(cell), figure.step(cell));
    let left = x + 10.0;
    chip(svg, (left, y + 10.0), state);
    let bold = Type { size: 12, fill: INK, rest: "font-weight=\"600\"" };
    svg.text((left + 6.0, y + 23.0), bold, &state.name);
    if let Some(level) = mark {
        let rest = "text-anchor=\"end\" font-style=\"italic\"";
        let how = Type { size: 12, fill: ACCENT, rest };
        svg.text((x + width - 12.0, y + 23.0), how, &format!("G{}", subscript(level)));
    }
    svg.text((left, y + 43.0), small(""), &fitted(&state.words, letters));
    let action =
        step.action.as_ref().map(|action| format!("\u{2192} {action}")).unwrap_or_default();
    let rest = if step.valid { "" } else { "text-decoration=\"line-through\"" };
    let line = if state.words.is_empty() { 45.0 } else { 60.0 };
    svg.text((left, y + line), Type { size: 12, fill: INK, rest }, &fitted(&action, letters));
    values(svg, (x, y + height, width), step, figure.advantages[cell.row][cell.step]);
}

/// The colour and the pattern of a state, behind its name.
fn chip(svg: &mut Svg, (x, y): (f64, f64), state: &State) {
    let place = (x, y, (7 * letters_of(&state.name) + 12) as f64, 18.0);
    let outline = |fill| Paint { fill, stroke: "#8d94a1", width: 0.75 };
    svg.rectangle(place, outline(HUES[state.number % HUES.len()]));
    // The first round of colours is plain, as on the page.
    let round = state.number / HUES.len() % (PATTERNS.len() + 1);
    if let Some(pattern) = round.checked_sub(1).map(|round| PATTERNS[round]) {
        svg.rectangle(place, outline(pattern));
    }
}

/// Nested outlines, the widest group outside; that of the chosen step is the strongest.
fn outlines(
    svg: &mut Svg,
    (x, y, width, height): (f64, f64, f64, f64),
    mark: Option<usize>,
    chosen: bool,
) {
    let frame = if chosen {
        Paint { fill: "#fdfcfa", stroke: ACCENT, width: 3.0 }
    } else {
        Paint { fill: "#fdfcfa", stroke: LINE, width: 1.0 }
    };
    svg.rectangle((x, y, width, height), frame);
    for level in 0..mark.map_or(0, |mark| mark + 1) {
        let inset = 2.5 * (level.min(SHADES.len() - 1) + usize::from(chosen)) as f64;
        let fill = SHADES[level.min(SHADES.len() - 1)];
        let inner = (x + inset, y + inset, width - 2.0 * inset, height - 2.0 * inset);
        svg.rectangle(inner, Paint { fill, stroke: ACCENT, width: 1.0 });
    }
}

/// The reward and the advantage, at the lower edge of a step.
fn values(svg: &mut Svg, (x, y, width): (f64, f64, f64), step: &Step, advantage: f64) {
    if step.reward != 0.0 {
        svg.text((x + 10.0, y - 10.0), small(""), &format!("r {}", number::short(step.reward, 2)));
    }
    let fill = match advantage {
        above if above > 0.0 => "#bcd6fa",
        below if below < 0.0 => "#fbd3ab",
        _ => "#eceae4",
    };
    let right = x + width - 10.0;
    svg.rectangle((right - 54.0, y - 24.0, 54.0, 17.0), Paint { fill, stroke: "none", width: 0.0 });
    let rest = "text-anchor=\"end\" font-weight=\"600\"";
    let how = Type { size: 12, fill: INK, rest };
    svg.text((right - 5.0, y - 11.0), how, &number::signed(advantage, 2));
}

/// A number in small digits below the line.
fn subscript(number: usize) -> String {
    let small = |digit: char| char::from_u32(digit as u32 - '0' as u32 + 0x2080);
    number.to_string().chars().filter_map(small).collect()
}

#[cfg(test)]
mod tests;
