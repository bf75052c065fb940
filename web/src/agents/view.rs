//! Table of a team's agents under one normalisation for all and under one for each.

use super::model::{Normalisations, Turns};
use crate::learn::view::typeset;
use crate::model::{Shared, Task, number};
use crate::text::{self, agents as words};
use hgpo_core::Options;
use yew::prelude::*;

/// What the table needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct AgentsProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// How advantages are estimated.
    pub(crate) options: Options,
}

/// The table, and what it means.
#[function_component]
pub(crate) fn Agents(props: &AgentsProps) -> Html {
    let of = (props.task.clone(), props.options.clone());
    let found = use_memo(of, |(task, options)| Normalisations::new(task, options));
    let Some(found) = &*found else { return Html::default() };
    let of_agent = |(name, turns): &(AttrValue, Turns)| row(text::agent_name(name), turns);
    html! {
        <>
            <h2>{ words::agents() }</h2>
            <p>{ typeset(words::meaning()) }</p>
            <div class="wide"><table class="levels">
                <thead><tr>{ for words::heads().map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for found.agents.iter().map(of_agent) }</tbody>
                <tfoot>{ row(words::together(), &found.all) }</tfoot>
            </table></div>
            if found.more > 0 { <p class="hint">{ text::and_more(found.more) }</p> }
            if found.has_idle() { <p class="hint">{ words::idle() }</p> }
        </>
    }
}

fn row(name: &str, turns: &Turns) -> Html {
    let Turns { scores, moments } = turns;
    let figure = |value: f64| {
        html! { <td><data value={number::exact(value)}>{ number::short(value, 3) }</data></td> }
    };
    html! {
        <tr key={name}>
            <th scope="row"><bdi>{ name }</bdi></th>
            <td>{ scores.size }</td>
            { for [scores.mean, scores.std, moments[0], moments[1]].map(figure) }
        </tr>
    }
}
