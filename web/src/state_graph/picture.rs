//! Picture of a graph of states, for the page and for paper: arrows as thick as many steps took them, in the colour and the
//! dashes of the sign of their mean advantage, with the chosen step, its attempt and its context.

use super::layout::Layout;
use super::model::{Graph, Node};
use super::ways::{HIGH, MARGIN, PITCH, ROUND, Way, way};
use crate::export::{HUES, Svg, width_of};
use crate::model::{Advantages, Cell, Explained, Shared, Task, Visible, number};

/// The size of names and of numbers.
const TEXT: f64 = 13.0;
const SMALL: f64 = 11.0;

/// What a picture is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// The page, whose styles have the colours, light or dark.
    Page,
    /// Paper.
    Paper,
}

/// A colour, as the page's styles name it, and on paper.
type Colour = [&'static str; 2];

const INK: Colour = ["var(--ink)", "#1b2130"];
const SURFACE: Colour = ["var(--surface)", "#ffffff"];
const EDGE: Colour = ["var(--edge)", "#8d94a1"];
const ACCENT: Colour = ["var(--accent)", "#5b3fa6"];
const SHADE: Colour = ["var(--shade)", "#c4b1f3"];
/// Below zero, at zero and above; and the dashes for each.
const SIGNS: [Colour; 3] =
    [["var(--orange)", "#9d4407"], ["var(--muted)", "#5a6373"], ["var(--blue)", "#1a56b0"]];
const DASHES: [&str; 3] = ["6 3.5", "1.5 3", ""];

/// The place of a number's sign in [`SIGNS`], as two decimals tell it.
fn sign(value: f64) -> usize {
    let value = (value * 100.0).round();
    if value < 0.0 { 0 } else { 1 + usize::from(value > 0.0) }
}

/// A graph that is placed.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(super) task: Shared<Task>,
    pub(super) graph: Graph,
    widths: Vec<f64>,
    layout: Layout,
    ways: Vec<Way>,
}

/// What stands out: the chosen step, and the nodes of the states that its levels compare, its own first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    pub(super) cell: Cell,
    pub(super) context: Vec<usize>,
}

impl Picture {
    /// The graph of some attempts and steps of a task.
    pub(crate) fn new(task: &Shared<Task>, advantages: &Advantages, visible: &Visible) -> Self {
        let graph = Graph::new(task, &advantages.of, visible);
        let edges: Vec<[usize; 2]> = graph.edges.iter().map(|edge| edge.ends).collect();
        let nodes = graph.nodes.iter();
        let widths: Vec<f64> =
            nodes.map(|node| (width_of(name(task, *node), TEXT) + 14.0).max(30.0)).collect();
        let mut rooms = widths.clone();
        for [from, to] in &edges {
            if from == to {
                // On both sides, so that the state stays in the middle.
                rooms[*from] += 2.0 * ROUND;
            }
        }
        let layout = Layout::new(&graph.layers, &rooms, &edges);
        let counts = graph.edges.iter().map(|edge| edge.cells.len() as f64);
        let most = counts.clone().fold(1.0, f64::max);
        let ways = edges.iter().zip(&layout.ways).zip(counts);
        let ways = ways.map(|((ends, places), count)| {
            let thickness = 1.0 + 5.0 * (count / most).sqrt();
            way(&layout, places, ends.map(|node| widths[node]), thickness)
        });
        let ways = ways.collect();
        Self { task: task.clone(), graph, widths, layout, ways }
    }

    /// What stands out of a step that is explained.
    pub(crate) fn chosen(&self, explained: &Explained) -> Chosen {
        let depth = explained.levels.last().map_or(0, |group| group.level);
        let past = explained.past(&self.task, explained.cell).take(depth);
        let cells = std::iter::once(explained.cell).chain(past);
        let context = cells.filter_map(|cell| self.node(cell)).collect();
        Chosen { cell: explained.cell, context }
    }

    /// The node of a step's state, if it is drawn.
    pub(super) fn node(&self, cell: Cell) -> Option<usize> {
        let own = Node::State(self.task.position(cell));
        self.graph.nodes.iter().position(|node| *node == own)
    }

    /// How large it is.
    pub(crate) fn size(&self) -> (f64, f64) {
        let high = (self.layout.rows as f64 - 1.0) * PITCH + HIGH;
        (self.layout.width + 2.0 * MARGIN, high + 2.0 * MARGIN)
    }

    /// The corner of a node, and its size.
    pub(super) fn frame(&self, node: usize) -> (f64, f64, f64, f64) {
        let ((x, y), width) = (super::ways::place(&self.layout, node), self.widths[node]);
        (x - width / 2.0, y - HIGH / 2.0, width, HIGH)
    }

    /// Draws it.
    pub(crate) fn draw(&self, svg: &mut Svg, ground: Ground, chosen: &Chosen) {
        let colour = |colour: Colour| colour[ground as usize];
        let arrows = || self.graph.edges.iter().zip(&self.ways);
        // Under the arrows, the path of the chosen step's attempt, and the step.
        for (edge, Way { line, thickness, .. }) in arrows() {
            let (stroke, wider) = if edge.cells.contains(&chosen.cell) {
                (colour(ACCENT), 9.0)
            } else if edge.cells.iter().any(|cell| cell.row == chosen.cell.row) {
                (colour(SHADE), 7.0)
            } else {
                continue;
            };
            let width = thickness + wider;
            svg.raw(format_args!("<path d=\"{line}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width:.1}\" stroke-opacity=\".45\" stroke-linecap=\"round\"/>\n"));
        }
        for (at, (edge, Way { line, head, thickness, .. })) in arrows().enumerate() {
            let sign = sign(edge.mean);
            let (stroke, dashes) = (colour(SIGNS[sign]), DASHES[sign]);
            // A wide line that is not seen is easier to point at.
            svg.raw(format_args!("<g data-edge=\"{at}\"><path d=\"{line}\" fill=\"none\" stroke=\"{stroke}\" stroke-opacity=\"0\" stroke-width=\"14\"/><path d=\"{line}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thickness:.1}\" stroke-dasharray=\"{dashes}\"/><path d=\"{head}\" fill=\"{stroke}\"/></g>\n"));
        }
        self.numbers(svg, ground);
        for (at, node) in self.graph.nodes.iter().enumerate() {
            let outline = match chosen.context.iter().position(|out| *out == at) {
                Some(0) => (colour(ACCENT), 3.0),
                Some(_) => (colour(ACCENT), 2.0),
                None => (colour(EDGE), 1.0),
            };
            let mut class = String::new();
            let (fill, radius, ink) = match *node {
                Node::State(state) => {
                    let hue = self.task.states[state].number % HUES.len();
                    if ground == Ground::Page {
                        class = format!(" class=\"hue{hue}\"");
                    }
                    (colour(["var(--hue)", HUES[hue]]), 7.0, INK)
                }
                Node::End(success) => {
                    let ink = success.map_or(INK, |success| SIGNS[2 * usize::from(success)]);
                    (colour(SURFACE), HIGH / 2.0, ink)
                }
            };
            let (x, y, width, _) = self.frame(at);
            svg.raw(format_args!("<g data-node=\"{at}\"{class}>"));
            svg.rectangle((x, y, width, HIGH), fill, outline, radius);
            let look = (TEXT, colour(ink), "text-anchor=\"middle\" font-weight=\"600\"");
            let middle = (x + width / 2.0, y + HIGH / 2.0 + TEXT * 0.36);
            svg.text(middle, look, name(&self.task, *node));
            svg.raw(format_args!("</g>\n"));
        }
    }

    /// The mean advantage of every arrow where there is room for it.
    fn numbers(&self, svg: &mut Svg, ground: Ground) {
        let mut taken: Vec<(f64, f64, f64, f64)> =
            (0..self.graph.nodes.len()).map(|node| self.frame(node)).collect();
        let halo = SURFACE[ground as usize];
        let rest = format!(
            "text-anchor=\"middle\" font-weight=\"600\" pointer-events=\"none\" paint-order=\"stroke\" stroke-width=\"4\" stroke-linejoin=\"round\" stroke=\"{halo}\""
        );
        for (edge, way) in self.graph.edges.iter().zip(&self.ways) {
            let text = number::signed(edge.mean, 2);
            let width = width_of(&text, SMALL);
            let free = way.places.iter().find_map(|(x, y)| {
                let own = (x - width / 2.0, y - SMALL / 2.0, width, SMALL);
                let is_apart = |other: &(f64, f64, f64, f64)| {
                    own.0 > other.0 + other.2
                        || other.0 > own.0 + own.2
                        || own.1 > other.1 + other.3
                        || other.1 > own.1 + own.3
                };
                taken.iter().all(is_apart).then_some(own)
            });
            if let Some(own) = free {
                taken.push(own);
                let look = (SMALL, SIGNS[sign(edge.mean)][ground as usize], &*rest);
                svg.text((own.0 + width / 2.0, own.1 + SMALL * 0.86), look, &text);
            }
        }
    }
}

/// What stands in a node.
fn name(task: &Task, node: Node) -> &str {
    match node {
        Node::State(state) => &task.states[state].name,
        Node::End(Some(true)) => "\u{2713}",
        Node::End(Some(false)) => "\u{2717}",
        Node::End(None) => "\u{25a0}",
    }
}

#[cfg(test)]
mod tests {
    use super::{Ground, Picture};
    use crate::export::Svg;
    use crate::model::{
        Advantages, Cell, Controls, Explained, PRESETS, Rollouts, Shared, Task, Visible,
    };

    fn picture(task: &Shared<Task>) -> Picture {
        let advantages = Advantages::new(task, &Controls::default());
        Picture::new(task, &advantages, &Visible::all(task))
    }

    fn drawn(task: &Shared<Task>, cell: Cell, ground: Ground) -> String {
        let picture = picture(task);
        let chosen = picture.chosen(&Explained::new(task, cell, &Controls::default()));
        let mut svg = Svg::new();
        picture.draw(&mut svg, ground, &chosen);
        svg.finish(picture.size(), 85.0, "")
    }

    #[test]
    fn every_example_is_drawn_within_its_frame_and_nodes_do_not_overlap() {
        for preset in PRESETS.iter() {
            let picture = picture(&preset.load().0.tasks[0]);
            let (width, height) = picture.size();
            let frames: Vec<_> =
                (0..picture.graph.nodes.len()).map(|node| picture.frame(node)).collect();
            for (at, own) in frames.iter().enumerate() {
                assert!(own.0 >= 0.0 && own.0 + own.2 <= width && own.1 + own.3 <= height);
                for other in &frames[..at] {
                    let is_apart = own.0 >= other.0 + other.2
                        || other.0 >= own.0 + own.2
                        || (own.1 - other.1).abs() >= own.3;
                    assert!(is_apart, "{}: {own:?} {other:?}", preset.name);
                }
            }
        }
    }

    #[test]
    fn paper_has_no_colours_of_the_page_and_signs_are_told_without_colours() {
        let (rollouts, cell) = PRESETS[0].load();
        let [page, paper] =
            [Ground::Page, Ground::Paper].map(|ground| drawn(&rollouts.tasks[0], cell, ground));
        assert!(page.contains("var(--accent)") && !paper.contains("var("), "{paper}");
        assert!(
            paper.contains(">s2<") && paper.contains(">\u{2713}<") && paper.contains(">\u{2717}<")
        );
        assert!(paper.contains("stroke-dasharray=\"6 3.5\"") && paper.contains(">\u{2212}"));
    }

    #[test]
    fn a_large_task_is_drawn_in_a_moment() {
        // 128 attempts of 50 steps, by a walk that comes to every one of 90 states.
        let row = |row: usize| {
            let state = |step: usize| (row * step * 7 + step * step + row) % 90 / (1 + step % 3);
            let steps: Vec<String> = (0..50)
                .map(|step| {
                    format!(r#"{{"state":"p{}","action":"a{}","reward":0}}"#, state(step), step % 4)
                })
                .collect();
            let success = row.is_multiple_of(3);
            format!(
                r#"{{"task":"g","trajectory":"t{row}","success":{success},"steps":[{}]}}"#,
                steps.join(",")
            ) + "\n"
        };
        let text: String = (0..128).map(row).collect();
        let task = Rollouts::read(&text).expect("rollouts").tasks[0].clone();
        let advantages = Advantages::new(&task, &Controls::default());
        let chosen = Explained::new(&task, Cell::default(), &Controls::default());
        let begin = std::time::Instant::now();
        let picture = Picture::new(&task, &advantages, &Visible::all(&task));
        let mut svg = Svg::new();
        picture.draw(&mut svg, Ground::Page, &picture.chosen(&chosen));
        let took = begin.elapsed();
        assert!(picture.graph.left_out > 0 && took.as_millis() < 500, "{took:?}");
    }
}
