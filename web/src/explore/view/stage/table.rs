//! The table of steps. Of a long one, only the rows and columns around the view are drawn.

use super::{press, window::use_window};
use crate::{
    explore::view::row::StepRow,
    model::{
        Action, Advantages, Cell, Edit, Explained, KeyAction, Marks, Piece, Shared, Shown, Task,
        Window, pieces,
    },
    platform::{focus, scroll},
    text,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the table needs.
#[derive(Properties, PartialEq)]
pub(super) struct TableProps {
    pub(super) task: Shared<Task>,
    pub(super) advantages: Shared<Advantages>,
    /// What the numbers of the steps are.
    pub(super) shown: Shown,
    pub(super) explained: Shared<Explained>,
    pub(super) marks: Shared<Marks>,
    pub(super) selected: Cell,
    pub(super) focus: Cell,
    /// The level that stands out; one that the chosen step has.
    pub(super) emphasis: Option<usize>,
    /// Whether cells show no more than a state and the sign of its advantage.
    pub(super) compact: bool,
    /// Where changes go.
    pub(super) act: Callback<Edit>,
    /// Opens the editor at a field, or closes it.
    pub(super) edit: Callback<Option<&'static str>>,
    pub(super) dispatch: Callback<Action>,
}

/// The identity of the field for a step's state and for a trajectory's name.
pub(super) const STATE_FIELD: &str = "edit-state";
pub(super) const NAME_FIELD: &str = "edit-name";

impl TableProps {
    /// What the keys do on a step; a page has so many rows.
    fn on_key(&self, page: usize) -> impl Fn(KeyboardEvent) + use<> {
        let (task, act, dispatch, open) =
            (self.task.clone(), self.act.clone(), self.dispatch.clone(), self.open());
        move |event: KeyboardEvent| {
            let Some(from) = focus::step_of(&event) else { return };
            let Some(action) = press(&event, |press| press.on_step(from)) else { return };
            event.prevent_default();
            match action {
                KeyAction::Move(by) => {
                    dispatch.emit(Action::Focus(from.moved(by, &task.lengths(), page)));
                }
                KeyAction::Edit(edit) => act.emit(edit),
                KeyAction::Open => open(from, STATE_FIELD),
            }
        }
    }

    /// Chooses a step, or opens the name of an attempt.
    fn on_click(&self) -> impl Fn(MouseEvent) + use<> {
        let (dispatch, open) = (self.dispatch.clone(), self.open());
        move |event: MouseEvent| {
            if let Some(cell) = focus::step_of(&event) {
                dispatch.emit(Action::Select(cell));
            } else if let Some(row) = focus::row_of(&event) {
                open(Cell { row, step: 0 }, NAME_FIELD);
            }
        }
    }

    /// Opens a step.
    fn on_double_click(&self) -> impl Fn(MouseEvent) + use<> {
        let open = self.open();
        move |event: MouseEvent| {
            if let Some(cell) = focus::step_of(&event) {
                open(cell, STATE_FIELD);
            }
        }
    }

    /// What chooses a step and goes to a field of the editor.
    fn open(&self) -> impl Fn(Cell, &'static str) + use<> {
        let (dispatch, edit) = (self.dispatch.clone(), self.edit.clone());
        move |cell, field| {
            dispatch.emit(Action::Select(cell));
            edit.emit(Some(field));
            // It may be open already.
            focus::open_field(field);
        }
    }
}

/// An action on the step that an event happened on.
fn on_step<E: AsRef<Event> + 'static>(
    dispatch: &Callback<Action>,
    action: fn(Option<Cell>) -> Option<Action>,
) -> Callback<E> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: E| {
        if let Some(action) = action(focus::step_of(event.as_ref())) {
            dispatch.emit(action);
        }
    })
}

/// Follows the model: the focus goes to its step, and the chosen one is scrolled to where it has moved.
#[hook]
fn use_follow(props: &TableProps, measure: &Callback<()>) {
    let measure = measure.clone();
    let last = use_mut_ref(|| None::<(Shared<Task>, Cell)>);
    use_effect_with((props.task.clone(), props.selected), move |(task, selected)| {
        let before = last.replace(Some((task.clone(), *selected)));
        // Scrolling makes the browser lay the table out: not where all steps stay in their places.
        let stays = before.is_some_and(|(before, cell)| {
            before == *task || (before.lengths() == task.lengths() && cell == *selected)
        });
        if !stays {
            scroll::reveal(*selected);
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
    let TableProps { task, advantages, focus, emphasis, dispatch, .. } = props;
    let width = task.lengths().into_iter().max().unwrap_or(0);
    let (window, measure) = use_window(task.rows().len(), width, (task.is_brief(), props.compact));
    use_follow(props, &measure);
    let columns = Rc::new(pieces(&window.columns, focus.step, width));
    let peak = if advantages.peak > 0.0 { advantages.peak } else { 1.0 };
    let style = format!("--columns:{width};--peak:{peak}");
    let look = classes!(task.is_brief().then_some("brief"), emphasis.map(|_| "emphasised"));
    let page = window.rows.len().saturating_sub(6).max(1);
    html! {
        <div class="scroll" onscroll={Callback::from(move |_| measure.emit(()))}>
            <table role="grid" class={look} {style} aria-labelledby="stage-title"
                aria-rowcount={(task.rows().len() + 1).to_string()} aria-colcount={(width + 1).to_string()}
                onclick={props.on_click()} ondblclick={props.on_double_click()}
                onfocusin={on_step(dispatch, |cell| cell.map(Action::Focus))}
                onpointerover={on_step(dispatch, |cell| Some(Action::Hover(cell)))}
                onpointerleave={on_step(dispatch, |_| Some(Action::Hover(None)))}
                onkeydown={props.on_key(page)}>
                { head(&columns) }
                { body(props, &window, &columns) }
            </table>
        </div>
    }
}

/// The times of the columns.
fn head(columns: &[Piece]) -> Html {
    html! {
        <thead>
            <tr aria-rowindex="1">
                <th scope="col" aria-colindex="1">{ text::trajectory() }</th>
                { for columns.iter().map(|piece| {
                    if !piece.drawn {
                        return html! { <td class="gap" aria-hidden="true" style={span(piece)}></td> };
                    }
                    piece.range.clone().map(|step| html! {
                        <th scope="col" data-at={step.to_string()} aria-colindex={(step + 2).to_string()}><i title={text::meaning("t")}>{ "t" }</i>{ " = " }{ step }</th>
                    }).collect()
                }) }
            </tr>
        </thead>
    }
}

/// How many rows or columns a gap stands for.
fn span(gap: &Piece) -> String {
    format!("--span:{}", gap.range.len())
}

fn body(props: &TableProps, window: &Window, columns: &Rc<Vec<Piece>>) -> Html {
    let rows = pieces(&window.rows, props.focus.row, props.task.rows().len());
    html! {
        <tbody>
            { for rows.iter().enumerate().flat_map(|(place, piece)| {
                let drawn = if piece.drawn { piece.range.clone() } else { 0..0 };
                let gap = (!piece.drawn).then(|| html! {
                    <tr class="gap" key={format!("gap{place}")} aria-hidden="true" style={span(piece)}>
                        <td colspan={(columns.len() + 1).to_string()}></td>
                    </tr>
                });
                gap.into_iter().chain(drawn.map(|row| step_row(props, row, columns)))
            }) }
        </tbody>
    }
}

fn step_row(props: &TableProps, row: usize, columns: &Rc<Vec<Piece>>) -> Html {
    let marks = props.marks.of[row].clone();
    let Advantages { of, returns, .. } = &*props.advantages;
    let numbers = if props.shown == Shown::Returns { returns } else { of };
    let own = |place: Cell| (place.row == row).then_some(place.step);
    // Rows without members look the same at every level.
    let is_marked = marks.iter().any(Option::is_some);
    html! {
        <StepRow key={row} task={props.task.clone()} {row} columns={columns.clone()}
            numbers={numbers[row].clone()} shown={props.shown}
            depth={props.marks.depth.filter(|_| is_marked)} emphasis={props.emphasis.filter(|_| is_marked)}
            explained={is_marked.then(|| props.explained.clone())} {marks}
            selected={own(props.selected)} focus={own(props.focus)} />
    }
}
