//! The graph beside the steps: the picture, what is pointed at in it, and the same as a list.

use super::model::Node;
use super::picture::{Chosen, Ground, Picture};
use crate::explore::view::controls::is_shown_first;
use crate::export::{Exhibit, HUES, Panel, Svg, exhibit_menu};
use crate::model::share::escaped;
use crate::model::{Action, Advantages, Cell, Controls, Explained, Shared, Task, Visible, number};
use crate::platform::{focus, links};
use crate::text::{self, state_graph as words};
use std::rc::Rc;
use yew::prelude::*;

/// What the graph needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct StateGraphProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// What of it is shown.
    pub(crate) visible: Visible,
    /// The advantages of its steps.
    pub(crate) advantages: Shared<Advantages>,
    /// How they are estimated.
    pub(crate) controls: Controls,
    /// The chosen step, with the states that its levels compare.
    pub(crate) explained: Shared<Explained>,
    /// The step that is pointed at.
    pub(crate) hovered: Option<Cell>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// An arrow or a node, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Edge(usize),
    Node(usize),
}

impl Target {
    /// What an event is on, in the picture or in the list.
    fn of(event: &Event) -> Option<Self> {
        let place = |name| links::named(event, name)?.parse().ok();
        place("data-edge").map(Self::Edge).or_else(|| place("data-node").map(Self::Node))
    }

    /// Its steps, in the order of the stage; none of what is no part of a graph.
    fn cells(self, picture: &Picture) -> &[Cell] {
        let graph = &picture.graph;
        let cells = match self {
            Self::Edge(edge) => graph.edges.get(edge).map(|edge| &edge.cells),
            Self::Node(node) => graph.cells.get(node),
        };
        cells.map_or(&[], |cells| cells)
    }
}

/// The graph.
#[function_component]
pub(crate) fn StateGraph(props: &StateGraphProps) -> Html {
    let of = (props.task.clone(), props.advantages.clone(), props.visible.clone());
    let picture = use_memo(of, |(task, advantages, visible)| {
        let picture = Picture::new(task, advantages, visible);
        let list = AttrValue::from(list(&picture));
        (Rc::new(picture), list)
    });
    let (picture, list) = &*picture;
    let pointed = use_state_eq(|| None::<Target>);
    let (selected, dispatch) = (props.explained.cell, &props.dispatch);
    let point = Callback::from({
        let (picture, dispatch, pointed) = (picture.clone(), dispatch.clone(), pointed.setter());
        move |target: Option<Target>| {
            pointed.set(target);
            let cells = target.map_or(&[][..], |target| target.cells(&picture));
            dispatch.emit(Action::Mark(cells.into()));
        }
    });
    let onclick = {
        let (picture, dispatch) = (picture.clone(), dispatch.clone());
        move |event: MouseEvent| {
            let cells = Target::of(&event).map_or(&[][..], |target| target.cells(&picture));
            let next = cells.iter().position(|cell| *cell == selected).map_or(0, |at| at + 1);
            if let Some(cell) = cells.get(next).or(cells.first()) {
                dispatch.emit(Action::Select(*cell));
                focus::reveal(*cell);
            }
        }
    };
    let chosen = picture.chosen(&props.explained);
    let is_known = |target: &Target| !target.cells(picture).is_empty();
    let own = picture.graph.edges.iter().position(|edge| edge.cells.contains(&selected));
    let target = pointed.filter(is_known).or(own.map(Target::Edge));
    let node = match target {
        Some(Target::Node(node)) => Some(node),
        _ => props.hovered.and_then(|cell| picture.node(cell)),
    };
    let told = match target {
        Some(Target::Edge(edge)) => arrow(picture, edge, true),
        Some(Target::Node(node)) => name(picture, node, true),
        None => String::new(),
    };
    let make = {
        let (props, picture, chosen) = (props.clone(), picture.clone(), chosen.clone());
        move || exhibit(&props, &picture, &chosen)
    };
    let raw = |markup: String| Html::from_html_unchecked(markup.into());
    let left_out = picture.graph.left_out;
    html! {
        <div {onclick} onpointerover={point.reform(|event: PointerEvent| Target::of(&event))}
            onpointerleave={point.reform(|_: PointerEvent| None)}
            onfocusin={point.reform(|event: FocusEvent| Target::of(&event))}
            onfocusout={point.reform(|_: FocusEvent| None)}>
            <h2>{ words::title() }</h2>
            <p class="hint">{ words::legend() }</p>
            if left_out > 0 { <p class="hint">{ words::left_out(left_out) }</p> }
            <div class="picture-of-states"><div style={format!("width:{:.0}px", picture.size().0)}>
                { raw(inline(picture, &chosen)) }
                if let Some(node) = node { <span class="pointed" style={outline(picture, node)}></span> }
            </div></div>
            <p class="readout">{ raw(told) }</p>
            { exhibit_menu("states", words::graph(), make) }
            <details><summary>{ words::as_list() }</summary>{ Html::from_html_unchecked(list.clone()) }</details>
        </div>
    }
}

/// The picture as a part of the page.
fn inline(picture: &Picture, chosen: &Chosen) -> String {
    let mut svg = Svg::new();
    picture.draw(&mut svg, Ground::Page, chosen);
    let ((width, height), graph) = (picture.size(), &picture.graph);
    let label = words::label(graph.nodes.len(), graph.edges.len());
    let start =
        format!("<svg viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" aria-label=\"{label}\">");
    [&*start, &svg.content(), "</svg>"].concat()
}

/// Where the outline of a node stands, as a style.
fn outline(picture: &Picture, node: usize) -> String {
    let ((across, down), (x, y, width, height)) = (picture.size(), picture.frame(node));
    let [x, width] = [x, width].map(|part| 100.0 * part / across);
    let [y, height] = [y, height].map(|part| 100.0 * part / down);
    format!("left:{x:.2}%;top:{y:.2}%;width:{width:.2}%;height:{height:.2}%")
}

/// A node as markup: the mark of a state, with all of its text or the words that tell it from others.
fn name(picture: &Picture, node: usize, is_whole: bool) -> String {
    match picture.graph.nodes[node] {
        Node::State(state) => {
            let state = &picture.task.states[state];
            let words = if is_whole { state.long_text() } else { state.words.clone() };
            let (hue, name) = (state.number % HUES.len(), escaped(&state.name));
            format!("<span class=\"chip hue{hue}\">{name}</span> {}", escaped(&words))
        }
        Node::End(success) => words::end(success).to_owned(),
    }
}

/// An arrow as markup: where it leads from, if that `is_told`, and to, what was done, how often, and the mean advantage.
fn arrow(picture: &Picture, edge: usize, is_told: bool) -> String {
    let edge = &picture.graph.edges[edge];
    let [from, to] = edge.ends.map(|node| name(picture, node, false));
    let (from, space) = if is_told { (&*from, "<br>") } else { ("", " ") };
    let actions = escaped(&words::actions(&edge.actions(&picture.task)));
    let colon = if actions.is_empty() { "" } else { ": " };
    let (steps, mean) = (text::steps(edge.cells.len()), number::signed(edge.mean, 2));
    format!("{from} \u{2192} {to}{space}{steps}{colon}{actions}, {} <b>{mean}</b>", words::mean())
}

/// Every state with its arrows, as markup.
fn list(picture: &Picture) -> String {
    let graph = &picture.graph;
    let mut list = "<ul>".to_owned();
    for node in 0..graph.cells.len() {
        let name = name(picture, node, false);
        list += &["<li><button data-node=\"", &node.to_string(), "\">", &name, "</button><ul>"]
            .concat();
        for edge in (0..graph.edges.len()).filter(|edge| graph.edges[*edge].ends[0] == node) {
            let arrow = arrow(picture, edge, false);
            list +=
                &["<li><button data-edge=\"", &edge.to_string(), "\">", &arrow, "</button></li>"]
                    .concat();
        }
        list += "</ul></li>";
    }
    list + "</ul>"
}

/// The picture for paper, and its arrows as numbers.
fn exhibit(props: &StateGraphProps, picture: &Rc<Picture>, chosen: &Chosen) -> Exhibit {
    let (task, graph) = (&props.task, &picture.graph);
    let name = |node: usize| match graph.nodes[node] {
        Node::State(state) => task.states[state].text.to_string(),
        Node::End(success) => words::end(success).to_owned(),
    };
    let head = ["from", "to", "steps", "mean_advantage", "actions"];
    let mut numbers = vec![head.map(str::to_owned).to_vec()];
    for edge in &graph.edges {
        let [from, to] = edge.ends.map(name);
        let (count, mean) = (edge.cells.len().to_string(), number::exact(edge.mean));
        numbers.push(vec![from, to, count, mean, words::actions(&edge.actions(task))]);
    }
    let mut notes = vec![words::legend().to_owned()];
    if graph.left_out > 0 {
        notes.push(words::left_out(graph.left_out));
    }
    // A letter stands for a text that does not fit.
    for (node, kind) in graph.nodes.iter().enumerate() {
        if let Node::State(state) = *kind
            && !task.states[state].words.is_empty()
        {
            notes.push([&*task.states[state].name, ": ", &name(node)].concat());
        }
    }
    Exhibit {
        name: [&*task.name, "-states"].concat(),
        title: [&*task.name, ": ", words::title()].concat(),
        settings: text::settings(&props.controls, &is_shown_first),
        panels: vec![Panel::Graph(picture.clone(), chosen.clone())],
        notes,
        numbers,
    }
}
