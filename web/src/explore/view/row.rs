//! A trajectory on the stage.

use super::stage::{cells, is_same};
use crate::{
    model::{Explained, Piece, Shared, Shown, Task},
    platform::focus,
    text,
};
use std::rc::Rc;
use yew::prelude::*;

/// What a row needs; it is drawn again only when something of its own changes.
#[derive(Properties)]
pub(crate) struct StepRowProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// Which of its trajectories.
    pub(crate) row: usize,
    /// The columns of the table: those that are drawn, and the gaps between them.
    pub(crate) columns: Rc<Vec<Piece>>,
    /// A number of every step.
    pub(crate) numbers: Rc<[f64]>,
    /// What the numbers are.
    pub(crate) shown: Shown,
    /// The deepest level whose group holds both a step and the chosen one.
    pub(crate) marks: Rc<[Option<usize>]>,
    /// The deepest level that the chosen step has.
    pub(crate) depth: Option<usize>,
    /// The level that stands out.
    pub(crate) emphasis: Option<usize>,
    /// How the chosen step was compared; none where the row has no part in that.
    pub(crate) explained: Option<Shared<Explained>>,
    /// The chosen step, if it is of this row.
    pub(crate) selected: Option<usize>,
    /// The step that the arrow keys start from, if it is of this row.
    pub(crate) focus: Option<usize>,
}

impl PartialEq for StepRowProps {
    fn eq(&self, other: &Self) -> bool {
        is_same(self, other)
    }
}

/// `G` with the level as its index.
pub(crate) fn group_name(level: usize) -> Html {
    html! { <>{ "G" }<sub>{ level }</sub></> }
}

/// How strongly a level is shaded: from 0 to 1 at the deepest.
pub(crate) fn shade(level: usize, depth: usize) -> String {
    format!("--depth:{:.2}", (level + 1) as f64 / (depth + 1) as f64)
}

/// The class that tells the sign of a number.
pub(crate) fn sign(value: f64) -> &'static str {
    if value > 0.0 {
        "positive"
    } else if value < 0.0 {
        "negative"
    } else {
        "zero"
    }
}

/// How many letters at the end of a name are shown in any case: names often differ only there.
const END: usize = 6;

/// A trajectory: its name and outcome, and a button for every step that is drawn. The name loses letters
/// within where there is no room for all.
#[function_component]
pub(crate) fn StepRow(props: &StepRowProps) -> Html {
    let own = &props.task.rows()[props.row];
    let name = &own.trajectory;
    let end = name.char_indices().rev().nth(END - 1).map_or(0, |(place, _)| place);
    let outcome = own.success.map(|success| {
        let (class, sign, words) = if success {
            ("outcome success", "\u{2713}", text::success())
        } else {
            ("outcome failure", "\u{2717}", text::failure())
        };
        html! { <span {class}><span aria-hidden="true">{ sign }</span>{ words }</span> }
    });
    html! {
        <tr aria-rowindex={(props.row + 2).to_string()}>
            <th scope="row" aria-colindex="1">
                <button type="button" class="name" tabindex="-1" id={focus::row_id(props.row)}
                    title={text::edit_attempt(name)}>
                    <span>{ &name[..end] }</span>
                    <span>{ &name[end..] }</span>
                </button>
                { outcome }
            </th>
            { cells(props) }
        </tr>
    }
}
