//! The graph beside the steps: the picture, what is pointed at in it, and the same as a list.

use super::model::Node;
use super::picture::{Chosen, Ground, Picture};
use crate::explore::view::controls::is_shown_first;
use crate::explore::view::derived::Derived;
use crate::export::{Exhibit, HUES, Panel, Svg, exhibit_menu};
use crate::model::share::escaped;
use crate::model::{
    Action, Advantages, Cell, Document, Marked, Model, Shared, Task, Visible, number,
};
use crate::platform::{focus, links};
use crate::text::{self, state_graph as words};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// What the graph is of.
pub(crate) struct StateGraph<'a> {
    /// The page's state: the task on the stage, and what is pointed at.
    pub(crate) model: &'a Model,
    /// The advantages of its steps, and the states that the levels of the chosen one compare.
    pub(crate) derived: &'a Derived,
    /// Where actions go.
    pub(crate) dispatch: &'a Callback<Action>,
}

/// A graph with what it is of, and the same as a list.
struct Placed {
    of: (Shared<Task>, Shared<Advantages>, Visible),
    picture: Rc<Picture>,
    list: AttrValue,
}

thread_local! {
    /// The last graph, which stays until steps, advantages or what is shown of them are others.
    static PLACED: RefCell<Option<Placed>> = const { RefCell::new(None) };
}

/// The graph of what is on the stage, with its list.
fn placed(StateGraph { model, derived, .. }: &StateGraph<'_>) -> (Rc<Picture>, AttrValue) {
    let of = (model.on_stage().clone(), derived.advantages.clone(), model.visible());
    PLACED.with_borrow_mut(|last| {
        let last = match last.take() {
            Some(same) if same.of == of => last.insert(same),
            _ => {
                let picture = Rc::new(Picture::new(&of.0, &of.1, &of.2));
                let list = list(&picture).into();
                last.insert(Placed { of, picture, list })
            }
        };
        (last.picture.clone(), last.list.clone())
    })
}

/// What an event is on, in the picture or in the list: an arrow as an odd number, a node as an even one, 0 for none.
fn target(event: &Event) -> usize {
    let place = |name| links::named(event, name)?.parse::<usize>().ok();
    let edge = place("data-edge").map(|edge| 2 * edge + 1);
    edge.or_else(|| place("data-node").map(|node| 2 * node + 2)).unwrap_or_default()
}

/// The steps of an arrow or of a node, in the order of the stage; none of what is no part of the graph.
fn steps(picture: &Picture, target: usize) -> &[Cell] {
    let (graph, at) = (&picture.graph, target.wrapping_sub(1) / 2);
    let is_edge = target % 2 == 1;
    let edge = graph.edges.get(at).map(|edge| &edge.cells).filter(|_| is_edge);
    edge.or(graph.cells.get(at).filter(|_| !is_edge)).map_or(&[], |cells| cells)
}

/// The graph beside the steps.
pub(crate) fn state_graph(shown: &StateGraph<'_>) -> Html {
    let StateGraph { model, derived, dispatch } = *shown;
    let (picture, list) = placed(shown);
    let selected = model.document.selected;
    let point = dispatch.reform({
        let picture = picture.clone();
        move |by: usize| Action::Mark(Marked { cells: steps(&picture, by).into(), by })
    });
    let onclick = {
        let (picture, dispatch) = (picture.clone(), dispatch.clone());
        move |event: MouseEvent| {
            let cells = steps(&picture, target(&event));
            let next = cells.iter().position(|cell| *cell == selected).map_or(0, |at| at + 1);
            if let Some(cell) = cells.get(next).or(cells.first()) {
                dispatch.emit(Action::Select(*cell));
                focus::reveal(*cell);
            }
        }
    };
    let chosen = picture.chosen(&derived.explained);
    let Marked { by, cells } = &model.marked;
    // What was pointed at may be of another picture.
    let is_pointed = !cells.is_empty() && **cells == *steps(&picture, *by);
    let own = || picture.graph.edges.iter().position(|edge| edge.cells.contains(&selected));
    let at = if is_pointed { Some((by - 1) / 2) } else { own() };
    let is_node = is_pointed && by % 2 == 0;
    let told = match at {
        Some(node) if is_node => name(&picture, node, true),
        Some(edge) => arrow(&picture, edge, true),
        None => String::new(),
    };
    let hovered = || model.hovered.and_then(|cell| picture.node(cell));
    let node = at.filter(|_| is_node).or_else(hovered);
    let make = {
        let (document, picture, chosen) = (model.document.clone(), picture.clone(), chosen.clone());
        move || exhibit(&document, &picture, &chosen)
    };
    let left_out = picture.graph.left_out;
    html! {
        <div {onclick} onpointerover={point.reform(|event: PointerEvent| target(&event))}
            onpointerleave={point.reform(|_: PointerEvent| 0)}
            onfocusin={point.reform(|event: FocusEvent| target(&event))}
            onfocusout={point.reform(|_: FocusEvent| 0)}>
            <h2>{ words::title() }</h2>
            <p class="hint">{ words::legend() }</p>
            if left_out > 0 { <p class="hint">{ words::left_out(left_out) }</p> }
            <div class="picture-of-states"><div style={format!("width:{:.0}px", picture.size().0)}>
                { Html::from_html_unchecked(inline(&picture, &chosen).into()) }
                if let Some(node) = node { <span class="pointed" style={outline(&picture, node)}></span> }
            </div></div>
            <p class="readout">{ Html::from_html_unchecked(told.into()) }</p>
            { exhibit_menu("states", words::graph(), make) }
            <details><summary>{ words::as_list() }</summary>{ Html::from_html_unchecked(list) }</details>
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
fn exhibit(document: &Document, picture: &Rc<Picture>, chosen: &Chosen) -> Exhibit {
    let (task, graph) = (&picture.task, &picture.graph);
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
        settings: text::settings(&document.controls, &is_shown_first),
        panels: vec![Panel::Graph(picture.clone(), chosen.clone())],
        notes,
        numbers,
    }
}
