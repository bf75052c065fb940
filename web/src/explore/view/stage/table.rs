//! The table of steps. Of a long one, only the rows and columns around the view are drawn.

use super::press;
use crate::explore::view::derived::Derived;
use crate::explore::view::row::{StepRow, StepRowProps};
use crate::model::{
    Action, Cell, Edit, KeyAction, Piece, Shared, Shown, Task, View, Visible, Window, pieces,
};
use crate::platform::events::on_window;
use crate::platform::{focus, scroll};
use crate::text;
use std::rc::Rc;
use yew::prelude::*;

/// What the table needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct TableProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// What core makes of it.
    pub(crate) derived: Derived,
    /// What the numbers of the steps are.
    pub(crate) shown: Shown,
    /// The chosen step.
    pub(crate) selected: Cell,
    /// The step that the arrow keys start from.
    pub(crate) focus: Cell,
    /// The level that stands out; one that the chosen step has.
    pub(crate) emphasis: Option<usize>,
    /// The agent whose steps alone are looked at, by its name.
    pub(crate) agent: Option<AttrValue>,
    /// The steps that are marked, in order.
    pub(crate) marked: Rc<[Cell]>,
    /// Whether cells show no more than a state and the sign of its advantage.
    pub(crate) compact: bool,
    /// Which attempts and steps are drawn at all.
    pub(crate) visible: Visible,
    /// Where changes go.
    pub(crate) act: Callback<Edit>,
    /// Opens the editor at a field, or closes it.
    pub(crate) edit: Callback<Option<&'static str>>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The identity of the field for a step's state and for a trajectory's name.
pub(super) const STATE_FIELD: &str = "edit-state";
pub(super) const NAME_FIELD: &str = "edit-name";

/// Follows the model: the focus goes to its step, and the chosen one is scrolled to where it has moved.
#[hook]
fn use_follow(props: &TableProps, measure: &Callback<()>) {
    let measure = measure.clone();
    let last = use_mut_ref(|| None::<(Shared<Task>, Cell)>);
    let place = props.visible.place(props.selected);
    use_effect_with((props.task.clone(), props.selected), move |(task, selected)| {
        let before = last.replace(Some((task.clone(), *selected)));
        // Scrolling makes the browser lay the table out: not where all steps stay in their places.
        let stays = before.is_some_and(|(before, cell)| {
            before == *task || (before.lengths() == task.lengths() && cell == *selected)
        });
        if !stays {
            place.into_iter().for_each(scroll::reveal);
            measure.emit(());
        }
    });
    // Asked before the table is drawn, and kept until it is: a step that vanishes takes the focus
    // with it, and the table may be drawn again before there is time to follow.
    let was_here = use_mut_ref(|| false);
    *was_here.borrow_mut() |= focus::is_on_step();
    use_effect_with((props.focus, props.task.clone()), {
        let was_here = was_here.clone();
        move |(cell, _)| {
            if *was_here.borrow() {
                focus::follow(*cell);
            }
        }
    });
    use_effect(move || {
        was_here.replace(false);
    });
}

/// The table of steps.
#[function_component]
pub(super) fn Table(props: &TableProps) -> Html {
    let TableProps { task, derived, emphasis, visible, dispatch, .. } = props;
    let all = Visible::all(task).steps.end;
    let (width, first) = (visible.steps.len(), visible.steps.start);
    let (window, measure) = use_window(visible.count(), width, (task.is_brief(), props.compact));
    use_follow(props, &measure);
    // The focus is always among what is drawn.
    let focus = visible.place(props.focus).unwrap_or_default();
    let mut columns = pieces(&window.columns, focus.step, width);
    for Piece { range, .. } in &mut columns {
        *range = range.start + first..range.end + first;
    }
    let columns = Rc::new(columns);
    let peak = if derived.advantages.peak > 0.0 { derived.advantages.peak } else { 1.0 };
    let look = classes!(
        task.is_brief().then_some("brief"),
        task.is_team().then_some("team"),
        emphasis.map(|_| "emphasised")
    );
    let page = window.rows.len().saturating_sub(6).max(1);
    // Chooses a step and goes to a field of the editor, which may be open already.
    let open = {
        let (dispatch, edit) = (dispatch.clone(), props.edit.clone());
        Callback::from(move |(cell, field): (Option<Cell>, &'static str)| {
            let Some(cell) = cell else { return };
            dispatch.emit(Action::Select(cell));
            edit.emit(Some(field));
            focus::open_field(field);
        })
    };
    let onclick = {
        let (dispatch, open) = (dispatch.clone(), open.clone());
        move |event: MouseEvent| {
            if let Some(cell) = focus::step_of(&event) {
                dispatch.emit(Action::Select(cell));
            } else {
                let first = |row| Cell { row, step: 0 };
                open.emit((focus::row_of(&event).map(first), NAME_FIELD));
            }
        }
    };
    let onfocusin = {
        let dispatch = dispatch.clone();
        move |event: FocusEvent| {
            if let Some(cell) = focus::step_of(&event) {
                dispatch.emit(Action::Focus(cell));
            }
        }
    };
    let onkeydown = {
        let (props, open) = (props.clone(), open.clone());
        move |event: KeyboardEvent| {
            let Some(from) = focus::step_of(&event) else { return };
            let action =
                press(&event, |press| props.visible.pressed(press, (from, page), &props.task));
            let Some(action) = action else { return };
            event.prevent_default();
            match action {
                KeyAction::Focus(to) => props.dispatch.emit(Action::Focus(to)),
                KeyAction::Edit(edit) => props.act.emit(edit),
                KeyAction::Open => open.emit((Some(from), STATE_FIELD)),
            }
        }
    };
    html! {
        <div class="scroll" onscroll={move |_: Event| measure.emit(())}>
            <table role="grid" class={look} style={format!("--columns:{width};--rows:{};--peak:{peak}", visible.count())}
                aria-labelledby="stage-title" aria-rowcount={(task.rows().len() + 1).to_string()}
                aria-colcount={(all + 1).to_string()} {onclick} {onkeydown} {onfocusin}
                ondblclick={open.reform(|event: MouseEvent| (focus::step_of(&event), STATE_FIELD))}
                onpointerover={dispatch.reform(|event: PointerEvent| Action::Hover(focus::step_of(&event)))}
                onpointerleave={dispatch.reform(|_: PointerEvent| Action::Hover(None))}>
                <thead>
                    <tr aria-rowindex="1">
                        <th scope="col" aria-colindex="1">{ text::trajectory() }</th>
                        { for columns.iter().map(times) }
                    </tr>
                </thead>
                { body(props, (&window, focus.row), &columns) }
            </table>
        </div>
    }
}

/// The times of some columns.
fn times(columns: &Piece) -> Html {
    if !columns.drawn {
        return html! { <td class="gap" aria-hidden="true" style={span(columns)}></td> };
    }
    let time = |step: usize| {
        html! {
            <th scope="col" data-at={step.to_string()} aria-colindex={(step + 2).to_string()}>
                <i title={text::meaning("t")}>{ "t" }</i>{ " = " }{ step }
            </th>
        }
    };
    columns.range.clone().map(time).collect()
}

/// How many rows or columns a gap stands for.
fn span(gap: &Piece) -> String {
    format!("--span:{}", gap.range.len())
}

fn body(props: &TableProps, (window, focus): (&Window, usize), columns: &Rc<Vec<Piece>>) -> Html {
    let rows = pieces(&window.rows, focus, props.visible.count());
    html! {
        <tbody>
            { for rows.iter().enumerate().flat_map(|(place, piece)| {
                let drawn = if piece.drawn { piece.range.clone() } else { 0..0 };
                let gap = (!piece.drawn).then(|| html! {
                    <tr class="gap" key={format!("gap{place}")} aria-hidden="true" style={span(piece)}>
                        <td colspan={(columns.len() + 1).to_string()}></td>
                    </tr>
                });
                gap.into_iter().chain(drawn.map(|place| {
                    let row = props.visible.row(place);
                    html! { <StepRow key={row} ..StepRowProps::new(row, columns, props) /> }
                }))
            }) }
        </tbody>
    }
}

/// The window of a table of so many rows and columns, and what to call when the table was scrolled.
/// `look` is whatever else changes the size of a cell.
#[hook]
fn use_window(rows: usize, columns: usize, look: (bool, bool)) -> (Window, Callback<()>) {
    let view = use_mut_ref(View::default);
    // Drawing anew is worth it only when the window is another one, not at every pixel.
    let drawn = use_state_eq(|| Window::new(&View::default(), rows, columns));
    let measure = {
        let (view, drawn) = (view.clone(), drawn.setter());
        use_callback((rows, columns), move |(), (rows, columns)| {
            if let Some(seen) = scroll::view() {
                *view.borrow_mut() = seen;
                drawn.set(Window::new(&seen, *rows, *columns));
            }
        })
    };
    use_effect_with((measure.clone(), look), |(measure, _)| {
        measure.emit(());
        let measure = measure.clone();
        let listener = on_window("resize", move |_| measure.emit(()));
        move || drop(listener)
    });
    let window = Window::new(&view.borrow(), rows, columns);
    (window, measure)
}
