//! Grid of attempts and steps for paper, with the groups of the chosen step: as many steps side by side as there is room
//! for, the others below, and the full texts of states in a key.

use super::exhibit::{BOLD, INK, LINE, SMALL, SOFT, TEXT};
use super::svg::{PATTERNS, Svg, letters_in, width_of, wrapped};
use crate::model::{Advantages, Cell, Controls, Explained, Marks, Shared, State, Task, number};
use hgpo_core::Step;
use std::ops::Range;

const ACCENT: &str = "#5b3fa6";
/// The colours of states on paper.
pub(crate) const HUES: [&str; 8] =
    ["#dfe3ea", "#c9ecdf", "#f6dff0", "#f5e7b4", "#cfeaf4", "#fad9d3", "#dfedc0", "#e6dcc8"];
/// From the widest group to the deepest.
const SHADES: [&str; 4] = ["#f2eefc", "#e4dbfa", "#d3c5f6", "#c4b1f3"];

const GAP: f64 = 4.0;
const PITCH: f64 = 9.5;
/// The least that a step is wide.
const CELL: f64 = 62.0;

/// Attempts as rows of steps.
#[derive(Debug)]
pub(crate) struct Grid {
    task: Shared<Task>,
    selected: Cell,
    advantages: Advantages,
    marks: Marks,
    /// The attempts that are drawn.
    rows: Vec<usize>,
    /// The steps that are drawn.
    steps: Range<usize>,
}

impl Grid {
    /// Some attempts and steps of a task.
    pub(super) fn new(
        task: &Shared<Task>,
        selected: Cell,
        controls: &Controls,
        (rows, steps): (Vec<usize>, Range<usize>),
    ) -> Self {
        let explained = Explained::new(task, selected, controls);
        Self {
            selected,
            advantages: Advantages::new(task, controls),
            marks: Marks::new(task, &explained.levels),
            task: task.clone(),
            rows,
            steps,
        }
    }

    /// Draws it below a place, so wide; how high it is.
    pub(super) fn draw(&self, svg: &mut Svg, (x, top): (f64, f64), width: f64) -> f64 {
        let rows = || self.rows.iter().map(|row| &*self.task.rows()[*row].trajectory);
        let longest = rows().map(|name| width_of(name, TEXT)).fold(12.0, f64::max);
        let names = longest.min(width * 0.2);
        let room = width - names - GAP;
        let columns = ((room + GAP) / (CELL + GAP)).max(1.0) as usize;
        let columns = columns.min(self.steps.len().max(1));
        let across = ((room + GAP) / columns as f64 - GAP).min(96.0);
        let mut y = top;
        for first in self.steps.clone().step_by(columns) {
            let steps = first..(first + columns).min(self.steps.end);
            y = self.band(svg, (x, y), (names, across), steps) + GAP;
        }
        self.key(svg, (x, y), width) - top
    }

    /// Some steps of every attempt; where the next begin.
    fn band(
        &self,
        svg: &mut Svg,
        (x, mut y): (f64, f64),
        (names, across): (f64, f64),
        steps: Range<usize>,
    ) -> f64 {
        let left = |step: usize| x + names + GAP + (step - steps.start) as f64 * (across + GAP);
        for step in steps.clone() {
            svg.text((left(step) + 2.0, y + SMALL), (SMALL, SOFT, ""), &format!("t = {step}"));
        }
        y += PITCH + 2.0;
        for row in self.rows.iter().copied() {
            let length = self.task.rows()[row].steps.len();
            let own = steps.start..steps.end.min(length);
            // Attempts that have ended leave no room.
            if own.is_empty() {
                continue;
            }
            let lines = own.clone().map(|step| self.lines(Cell { row, step }, across).len());
            let high = 30.0 + lines.max().unwrap_or(0) as f64 * PITCH;
            self.name(svg, (x, y), names, row);
            for step in own {
                self.cell(svg, (left(step), y, across, high), Cell { row, step });
            }
            y += high + GAP;
        }
        y
    }

    /// What a step did, in lines.
    fn lines(&self, cell: Cell, across: f64) -> Vec<String> {
        let action = self.task.step(cell).action.as_ref();
        let action = action.map(|action| format!("\u{2192} {action}")).unwrap_or_default();
        wrapped(&action, letters_in(across - 8.0, SMALL))
    }

    /// A trajectory's name and outcome.
    fn name(&self, svg: &mut Svg, (x, y): (f64, f64), width: f64, row: usize) {
        let own = &self.task.rows()[row];
        let below = svg.lines((x, y + 2.0), (TEXT, INK, BOLD), &own.trajectory, width);
        if let Some(success) = own.success {
            let (sign, fill) =
                if success { ("\u{2713}", "#1a56b0") } else { ("\u{2717}", "#9d4407") };
            svg.text((x, below + TEXT), (TEXT, fill, ""), sign);
        }
    }

    /// A step: outlines of the groups that it shares with the chosen one, and what happened.
    fn cell(&self, svg: &mut Svg, (x, y, width, height): (f64, f64, f64, f64), cell: Cell) {
        let mark = self.marks.of[cell.row][cell.step];
        outlines(svg, (x, y, width, height), mark, cell == self.selected);
        let (state, step) = (self.task.state(cell), self.task.step(cell));
        let left = x + 4.0;
        chip(svg, (left, y + 3.5), state);
        if let Some(level) = mark {
            let rest = "text-anchor=\"end\" font-style=\"italic\"";
            let name = format!("G{}", number::subscript(level));
            svg.text((x + width - 5.0, y + 12.0), (SMALL, ACCENT, rest), &name);
        }
        let rest = if step.valid { "" } else { "text-decoration=\"line-through\"" };
        for (place, line) in self.lines(cell, width).iter().enumerate() {
            svg.text((left, y + 23.5 + place as f64 * PITCH), (SMALL, INK, rest), line);
        }
        values(svg, (x, y + height, width), step, self.advantages.of[cell.row][cell.step]);
    }

    /// The texts of the states that are drawn, where their names do not say it all; where the next begins.
    fn key(&self, svg: &mut Svg, (x, mut y): (f64, f64), width: f64) -> f64 {
        let own = |row: usize| {
            let end = self.steps.end.min(self.task.rows()[row].steps.len());
            (self.steps.start..end).map(move |step| Cell { row, step })
        };
        let mut states: Vec<&State> =
            self.rows.iter().copied().flat_map(own).map(|cell| self.task.state(cell)).collect();
        states.sort_by_key(|state| state.number);
        states.dedup_by_key(|state| state.number);
        for state in states.into_iter().filter(|state| !state.long_text().is_empty()) {
            chip(svg, (x, y), state);
            let left = 10.0 + width_of(&state.name, SMALL).max(12.0);
            y = svg.lines((x + left, y + 1.5), (SMALL, INK, ""), &state.text, width - left);
            y += 3.5;
        }
        y
    }
}

/// The colour and the pattern of a state, behind its name.
fn chip(svg: &mut Svg, (x, y): (f64, f64), state: &State) {
    let place = (x, y, width_of(&state.name, SMALL) + 6.0, 11.0);
    let outline = ("#8d94a1", 0.5);
    svg.rectangle(place, HUES[state.number % HUES.len()], outline, 2.5);
    // The first round of colours is plain, as on the page.
    let round = state.number / HUES.len() % (PATTERNS.len() + 1);
    if let Some(pattern) = round.checked_sub(1).map(|round| PATTERNS[round]) {
        svg.rectangle(place, pattern, outline, 2.5);
    }
    svg.text((x + 3.0, y + 8.5), (SMALL, INK, BOLD), &state.name);
}

/// Nested outlines, the widest group outside; that of the chosen step is the strongest.
fn outlines(
    svg: &mut Svg,
    (x, y, width, height): (f64, f64, f64, f64),
    mark: Option<usize>,
    chosen: bool,
) {
    let frame = if chosen { (ACCENT, 1.8) } else { (LINE, 0.6) };
    svg.rectangle((x, y, width, height), "#fdfcfa", frame, 3.0);
    for level in 0..mark.map_or(0, |mark| mark + 1) {
        let inset = 1.5 * (level.min(SHADES.len() - 1) + usize::from(chosen)) as f64;
        let fill = SHADES[level.min(SHADES.len() - 1)];
        let inner = (x + inset, y + inset, width - 2.0 * inset, height - 2.0 * inset);
        svg.rectangle(inner, fill, (ACCENT, 0.6), 3.0);
    }
}

/// The reward and the advantage, at the lower edge of a step.
fn values(svg: &mut Svg, (x, y, width): (f64, f64, f64), step: &Step, advantage: f64) {
    if step.reward != 0.0 {
        let reward = format!("r {}", number::short(step.reward, 2));
        svg.text((x + 5.0, y - 4.5), (SMALL, SOFT, ""), &reward);
    }
    let fill = match advantage {
        above if above > 0.0 => "#bcd6fa",
        below if below < 0.0 => "#fbd3ab",
        _ => "#eceae4",
    };
    let number = number::signed(advantage, 2);
    let (right, wide) = (x + width - 4.0, width_of(&number, SMALL) * 1.2 + 5.0);
    svg.rectangle((right - wide, y - 13.0, wide, 10.5), fill, ("none", 0.0), 2.0);
    let rest = "text-anchor=\"end\" font-weight=\"600\"";
    svg.text((right - 2.0, y - 5.0), (SMALL, INK, rest), &number);
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::export::svg::Svg;
    use crate::model::{Cell, Controls, Rollouts};

    const OVERVIEW: &str = include_str!("../../../assets/presets/overview.rollouts.jsonl");

    /// The grid of the first task of rollouts, so wide.
    fn drawn(rollouts: &str, selected: Cell, width: f64) -> String {
        let rollouts = Rollouts::read(rollouts).expect("rollouts");
        let task = &rollouts.tasks[0];
        let steps = task.lengths().into_iter().max().expect("attempts");
        let all = ((0..task.rows().len()).collect(), 0..steps);
        let mut svg = Svg::new();
        let height =
            Grid::new(task, selected, &Controls::default(), all).draw(&mut svg, (0.0, 0.0), width);
        svg.finish((width, height), 85.0, "")
    }

    #[test]
    fn the_overview_has_nested_outlines_for_each_group() {
        let svg = drawn(OVERVIEW, Cell { row: 0, step: 2 }, 660.0);
        // G_0, G_1 and G_2 hold 4, 3 and 2 steps: 9 outlines, and the frame of the chosen step.
        assert_eq!(svg.matches("stroke=\"#5b3fa6\"").count(), 10);
        assert_eq!(
            [">G\u{2080}<", ">G\u{2081}<", ">G\u{2082}<"].map(|name| svg.matches(name).count()),
            [1, 1, 2]
        );
        assert_eq!(svg.matches(">s2</text>").count(), 4);
        assert!(svg.contains(">r 10<"));
    }

    #[test]
    fn steps_that_have_no_room_side_by_side_stand_below() {
        let at = |svg: &str, tick: &str| {
            let line = svg.lines().find(|line| line.contains(tick)).expect("a step");
            let y = line.split(" y=\"").nth(1).and_then(|rest| rest.split('"').next());
            y.and_then(|y| y.parse::<f64>().ok()).expect("a place")
        };
        let [wide, narrow] = [660.0, 300.0].map(|width| drawn(OVERVIEW, Cell::default(), width));
        assert!(at(&wide, ">t = 0<").eq(&at(&wide, ">t = 4<")));
        assert!(at(&narrow, ">t = 4<") > 100.0 + at(&narrow, ">t = 0<"));
        let count = |svg: &str| svg.matches("text-anchor=\"end\" font-weight=\"600\"").count();
        assert_eq!(count(&wide), count(&narrow), "all steps in both");
    }

    #[test]
    fn long_states_and_actions_are_whole() {
        let state = "You are in a corridor with a door to the left and another to the right.";
        let text = format!(
            r#"{{"task":"g","trajectory":"t","steps":[{{"state":"{state}","reward":0,"action":"open the second door"}}]}}"#
        );
        let svg = drawn(&text, Cell::default(), 309.0);
        for word in state.split(' ').chain("open the second door".split(' ')) {
            assert!(svg.contains(word), "{word}");
        }
        assert!(!svg.contains('\u{2026}'));
    }

    #[test]
    fn states_of_one_colour_differ_in_their_pattern() {
        let step = |state| format!(r#"{{"state":"room {state}","reward":0}}"#);
        let steps: Vec<String> = (0..25).map(step).collect();
        let text = format!(r#"{{"task":"g","trajectory":"t","steps":[{}]}}"#, steps.join(","));
        let svg = drawn(&text, Cell::default(), 660.0);
        // States 8 to 15 have stripes, 16 to 23 dots; 24 is plain again.
        let count = |what: &str| svg.matches(what).count();
        assert_eq!((count("url(#stripes)"), count("url(#dots)")), (8, 8));
        assert_eq!((count("id=\"stripes\""), count("id=\"dots\"")), (1, 1));
    }
}
