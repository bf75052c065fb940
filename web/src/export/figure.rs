//! Figure of the stage and of the groups of the chosen step, for paper.

use super::Exported;
use super::svg::{PATTERNS, Svg, fitted, letters as letters_of};
use crate::model::{Advantages, Cell, Document, Explained, Marks, State, Task, number};
use crate::text::{self, export as words};
use hgpo_core::Step;

/// The most trajectories and steps that are drawn.
const MOST: (usize, usize) = (40, 60);

const INK: &str = "#1b2130";
const SOFT: &str = "#434c5e";
const LINE: &str = "#d9d5ca";
const BOLD: &str = "font-weight=\"600\"";
const SMALL: (usize, &str, &str) = (12, SOFT, "");
const ACCENT: &str = "#5b3fa6";
const HUES: [&str; 8] =
    ["#dfe3ea", "#c9ecdf", "#f6dff0", "#f5e7b4", "#cfeaf4", "#fad9d3", "#dfedc0", "#e6dcc8"];
/// From the widest group to the deepest.
const SHADES: [&str; 4] = ["#f2eefc", "#e4dbfa", "#d3c5f6", "#c4b1f3"];

const MARGIN: f64 = 20.0;
const NAMES: f64 = 96.0;
const TOP: f64 = 96.0;
const GAP: f64 = 8.0;

/// What the figure shows.
struct Figure<'a> {
    task: &'a Task,
    selected: Cell,
    advantages: Advantages,
    marks: Marks,
}

/// The width and height of a step, and how many letters a line of it has room for.
fn room(task: &Task) -> (f64, f64, usize) {
    if task.is_brief() { (112.0, 80.0, 15) } else { (164.0, 94.0, 23) }
}

/// The figure as an SVG file.
pub(super) fn figure(exported: &Exported) -> String {
    let Exported { document, heading } = exported;
    let Document { rollouts, controls, selected, .. } = document;
    let task = &rollouts.tasks[document.task];
    let explained = Explained::new(task, *selected, controls);
    let figure = Figure {
        task,
        selected: *selected,
        advantages: Advantages::new(task, controls),
        marks: Marks::new(task, &explained.levels),
    };
    let lengths = task.lengths();
    let most = lengths.iter().copied().max().unwrap_or(0);
    let (rows, columns) = (lengths.len().min(MOST.0), most.min(MOST.1));
    let (width, ..) = room(task);
    let mut svg = Svg::new();
    let styles = ["font-weight=\"600\" font-family=\"Palatino, Georgia, serif\"", ""];
    for ((line, size), (text, rest)) in
        [(40.0, 22), (62.0, 13)].into_iter().zip(heading.iter().zip(styles))
    {
        svg.text((MARGIN, line), (size, INK, rest), text);
    }
    for step in 0..columns {
        let (x, _) = corner(task, Cell { row: 0, step });
        svg.text((x + 2.0, TOP - 8.0), SMALL, &format!("t = {step}"));
    }
    for (row, length) in lengths.iter().enumerate().take(rows) {
        name(&mut svg, task, row);
        for step in 0..columns.min(*length) {
            cell(&mut svg, &figure, Cell { row, step });
        }
    }
    let mut notes = notes(task, &explained);
    if (rows, columns) != (lengths.len(), most) {
        notes.push(words::cut(rows, columns));
    }
    let (_, mut y) = corner(task, Cell { row: rows, step: 0 });
    for note in &notes {
        y += 20.0;
        svg.text((MARGIN, y), (13, SOFT, ""), note);
    }
    let (right, _) = corner(task, Cell { row: 0, step: columns.max(4) });
    svg.finish((right.max(width) - GAP + MARGIN, y + MARGIN), &heading[0])
}

/// What stands below: the chosen step, and a line for each of its groups.
fn notes(task: &Task, explained: &Explained) -> Vec<String> {
    let Cell { row, step } = explained.cell;
    let step = text::step_name(&task.rows()[row].trajectory, step);
    let advantage = number::signed(explained.explanation.advantage, 3);
    let mut notes = vec![words::of_figure(&step, &advantage)];
    for each in explained.comparisons() {
        let Some(level) = each.level() else { continue };
        let weight = number::short(each.term.weight, 3);
        let advantage = number::signed(each.term.advantage, 3);
        notes.push(words::group(level, each.members.len(), &weight, &advantage));
    }
    notes
}

/// The corner of a step.
fn corner(task: &Task, Cell { row, step }: Cell) -> (f64, f64) {
    let (width, height, _) = room(task);
    (MARGIN + NAMES + step as f64 * (width + GAP), TOP + row as f64 * (height + GAP))
}

/// A trajectory's name and outcome.
fn name(svg: &mut Svg, task: &Task, row: usize) {
    let (_, y) = corner(task, Cell { row, step: 0 });
    let own = &task.rows()[row];
    svg.text((MARGIN, y + 36.0), (14, INK, BOLD), &fitted(&own.trajectory, 11));
    if let Some(success) = own.success {
        let (sign, fill) = if success { ("\u{2713}", "#1a56b0") } else { ("\u{2717}", "#9d4407") };
        svg.text((MARGIN, y + 54.0), (14, fill, ""), sign);
    }
}

/// A step: outlines of the groups that it shares with the chosen one, and what happened.
fn cell(svg: &mut Svg, figure: &Figure<'_>, cell: Cell) {
    let Figure { task, selected, advantages, marks } = figure;
    let (x, y) = corner(task, cell);
    let (width, height, letters) = room(task);
    let mark = marks.of[cell.row][cell.step];
    outlines(svg, (x, y, width, height), mark, cell == *selected);
    let (state, step) = (task.state(cell), task.step(cell));
    let left = x + 10.0;
    chip(svg, (left, y + 10.0), state);
    svg.text((left + 6.0, y + 23.0), (12, INK, BOLD), &state.name);
    if let Some(level) = mark {
        let rest = "text-anchor=\"end\" font-style=\"italic\"";
        svg.text(
            (x + width - 12.0, y + 23.0),
            (12, ACCENT, rest),
            &format!("G{}", number::subscript(level)),
        );
    }
    svg.text((left, y + 43.0), SMALL, &fitted(&state.words, letters));
    let action =
        step.action.as_ref().map(|action| format!("\u{2192} {action}")).unwrap_or_default();
    let rest = if step.valid { "" } else { "text-decoration=\"line-through\"" };
    let line = if state.words.is_empty() { 45.0 } else { 60.0 };
    svg.text((left, y + line), (12, INK, rest), &fitted(&action, letters));
    values(svg, (x, y + height, width), step, advantages.of[cell.row][cell.step]);
}

/// The colour and the pattern of a state, behind its name.
fn chip(svg: &mut Svg, (x, y): (f64, f64), state: &State) {
    let place = (x, y, (7 * letters_of(&state.name) + 12) as f64, 18.0);
    let outline = ("#8d94a1", 0.75);
    svg.rectangle(place, HUES[state.number % HUES.len()], outline);
    // The first round of colours is plain, as on the page.
    let round = state.number / HUES.len() % (PATTERNS.len() + 1);
    if let Some(pattern) = round.checked_sub(1).map(|round| PATTERNS[round]) {
        svg.rectangle(place, pattern, outline);
    }
}

/// Nested outlines, the widest group outside; that of the chosen step is the strongest.
fn outlines(
    svg: &mut Svg,
    (x, y, width, height): (f64, f64, f64, f64),
    mark: Option<usize>,
    chosen: bool,
) {
    let frame = if chosen { (ACCENT, 3.0) } else { (LINE, 1.0) };
    svg.rectangle((x, y, width, height), "#fdfcfa", frame);
    for level in 0..mark.map_or(0, |mark| mark + 1) {
        let inset = 2.5 * (level.min(SHADES.len() - 1) + usize::from(chosen)) as f64;
        let fill = SHADES[level.min(SHADES.len() - 1)];
        let inner = (x + inset, y + inset, width - 2.0 * inset, height - 2.0 * inset);
        svg.rectangle(inner, fill, (ACCENT, 1.0));
    }
}

/// The reward and the advantage, at the lower edge of a step.
fn values(svg: &mut Svg, (x, y, width): (f64, f64, f64), step: &Step, advantage: f64) {
    if step.reward != 0.0 {
        svg.text((x + 10.0, y - 10.0), SMALL, &format!("r {}", number::short(step.reward, 2)));
    }
    let fill = match advantage {
        above if above > 0.0 => "#bcd6fa",
        below if below < 0.0 => "#fbd3ab",
        _ => "#eceae4",
    };
    let right = x + width - 10.0;
    svg.rectangle((right - 54.0, y - 24.0, 54.0, 17.0), fill, ("none", 0.0));
    let rest = "text-anchor=\"end\" font-weight=\"600\"";
    svg.text((right - 5.0, y - 11.0), (12, INK, rest), &number::signed(advantage, 2));
}

#[cfg(test)]
mod tests {
    use super::{Exported, figure};
    use crate::model::{Cell, Document, Rollouts, Shared};

    const OVERVIEW: &str = include_str!("../../../assets/presets/overview.rollouts.jsonl");

    /// The figure of rollouts.
    fn drawn(rollouts: &str, selected: Cell) -> String {
        let rollouts = Shared::new(Rollouts::read(rollouts).expect("rollouts"));
        let document = Document { rollouts, selected, ..Document::default() };
        figure(&Exported { document, heading: ["a < b".to_owned(), "HGPO".to_owned()] })
    }

    #[test]
    fn the_overview_has_nested_outlines_for_each_group() {
        let svg = drawn(OVERVIEW, Cell { row: 0, step: 2 });
        // G_0, G_1 and G_2 hold 4, 3 and 2 steps: 9 outlines, and the frame of the chosen step.
        assert_eq!(svg.matches("stroke=\"#5b3fa6\"").count(), 10);
        assert_eq!(
            [">G\u{2080}<", ">G\u{2081}<", ">G\u{2082}<"].map(|name| svg.matches(name).count()),
            [1, 1, 2]
        );
        assert_eq!(svg.matches(">s2</text>").count(), 4);
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains(">HGPO<"));
        assert!(svg.contains(">r 10<") && !svg.contains("Only the first"));
    }

    #[test]
    fn states_of_one_colour_differ_in_their_pattern() {
        let step = |state| format!(r#"{{"state":"room {state}","reward":0}}"#);
        let steps: Vec<String> = (0..25).map(step).collect();
        let text = format!(r#"{{"task":"g","trajectory":"t","steps":[{}]}}"#, steps.join(","));
        let svg = drawn(&text, Cell::default());
        // States 8 to 15 have stripes, 16 to 23 dots; 24 is plain again.
        let count = |what: &str| svg.matches(what).count();
        assert_eq!((count("url(#stripes)"), count("url(#dots)")), (8, 8));
        assert_eq!((count("id=\"stripes\""), count("id=\"dots\"")), (1, 1));
    }

    #[test]
    fn large_tasks_are_cut_and_say_so() {
        let step = r#"{"state":"a","reward":0}"#;
        let steps = vec![step; 61].join(",");
        let line = |row| format!(r#"{{"task":"g","trajectory":"t{row}","steps":[{steps}]}}"#);
        let text: Vec<String> = (0..41).map(line).collect();
        let svg = drawn(&text.join("\n"), Cell::default());
        assert!(svg.contains(">t39<") && !svg.contains(">t40<"));
        assert!(svg.contains(">t = 59<") && !svg.contains(">t = 60<"));
        assert!(svg.contains("first 40 attempts and 60 steps"));
    }
}
