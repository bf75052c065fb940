//! The steps on which estimators disagree most, as a table.

use super::estimator;
use crate::{
    model::{
        Action, Cell, Comparison, Shared, Task,
        comparison::{Difference, differences},
        number,
    },
    text,
    view::levels::amount,
};
use yew::prelude::*;

/// What the table needs.
#[derive(Properties, PartialEq)]
pub(super) struct DifferencesProps {
    /// The task on the stage.
    pub(super) task: Shared<Task>,
    /// The task under every estimator shown.
    pub(super) compared: Shared<Comparison>,
    /// Where actions go.
    pub(super) dispatch: Callback<Action>,
}

/// The rows that are shown at first, and with each press of the button.
const PAGE: usize = 10;

/// The most rows that a press adds.
const MORE: usize = 50;

/// The table: a step a row, an estimator a column.
#[function_component]
pub(super) fn Differences(props: &DifferencesProps) -> Html {
    let DifferencesProps { task, compared, dispatch } = props;
    let ordered = use_memo(compared.clone(), |compared| differences(compared));
    let shown = use_state_eq(|| PAGE);
    let columns = &compared.columns;
    let more = {
        let (set, next) = (shown.setter(), *shown + MORE);
        Callback::from(move |_| set.set(next))
    };
    html! {
        <section class="differences" aria-labelledby="differences-title">
            <h3 id="differences-title">{ text::disagreement() }</h3>
            <div class="wide">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ text::step() }</th>
                            { for columns.iter().enumerate().map(|(place, column)| html! {
                                <th scope="col" class={(place == compared.chosen).then_some("chosen")}>{ estimator(column.name) }</th>
                            }) }
                        </tr>
                    </thead>
                    <tbody onclick={on_step(ordered.iter().take(*shown), dispatch)}>
                        { for ordered.iter().take(*shown).enumerate().map(|(place, one)| row(task, compared, place, one.cell)) }
                    </tbody>
                </table>
            </div>
            if *shown < ordered.len() {
                <button type="button" class="button more-rows" onclick={more}>{ text::more_rows() }</button>
            }
        </section>
    }
}

/// The steps of the rows, to be chosen by their buttons.
fn on_step<'a>(
    rows: impl Iterator<Item = &'a Difference>,
    dispatch: &Callback<Action>,
) -> Callback<MouseEvent> {
    let (cells, dispatch) = (rows.map(|one| one.cell).collect::<Vec<Cell>>(), dispatch.clone());
    Callback::from(move |event: MouseEvent| {
        let button = event.target_dyn_into::<web_sys::HtmlElement>();
        let place = button.and_then(|button| button.get_attribute("data-place")?.parse().ok());
        if let Some(cell) = place.and_then(|place: usize| cells.get(place)) {
            dispatch.emit(Action::Select(*cell));
        }
    })
}

/// A step: its advantages, and how far the others are from the chosen estimator's.
fn row(task: &Task, compared: &Comparison, place: usize, cell: Cell) -> Html {
    let chosen = compared.of_chosen().at(cell);
    let difference = |other: f64| html! { <small>{ number::signed(other - chosen, 2) }</small> };
    html! {
        <tr key={place}>
            <th scope="row">
                <button type="button" class="member-button" data-place={place.to_string()}>
                    { text::step_name(&task.rows()[cell.row].trajectory, cell.step) }
                </button>
            </th>
            { for compared.columns.iter().enumerate().map(|(place, column)| html! {
                <td class={(place == compared.chosen).then_some("chosen")}>
                    { amount(column.at(cell), 2) }
                    if place != compared.chosen { { difference(column.at(cell)) } }
                </td>
            }) }
        </tr>
    }
}
