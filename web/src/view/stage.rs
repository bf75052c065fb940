//! The stage: the levels of the chosen step, its editor, and every trajectory as a row of steps.

mod depths;
mod editor;
mod step;
mod table;
mod window;

pub(super) use step::{cells, is_same};

use crate::{
    model::{Action, Advantages, Cell, Edit, Explained, Marks, Press, Problem, Shared, Task},
    platform::{
        focus::{is_narrow, is_typing},
        listen::on_window,
    },
    text,
};
use depths::depths;
use editor::{Editor, editor};
use table::Table;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// What the stage needs.
pub(crate) struct Stage {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The advantage of every step.
    pub(crate) advantages: Shared<Advantages>,
    /// How the chosen step's advantage comes about.
    pub(crate) explained: Shared<Explained>,
    /// How deep every step's past agrees with that of the chosen one.
    pub(crate) marks: Shared<Marks>,
    /// The chosen step.
    pub(crate) selected: Cell,
    /// The step that the arrow keys start from.
    pub(crate) focus: Cell,
    /// The level that the reader chose to look at; none for all.
    pub(crate) level: Option<usize>,
    /// The level that stands out now: the chosen one, or one that is pointed at.
    pub(crate) emphasis: Option<usize>,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// Undo and redo by key, anywhere but in a field that is being typed into.
#[hook]
fn use_history_keys(dispatch: &Callback<Action>, said: &UseStateHandle<String>) {
    let said = said.setter();
    use_effect_with(dispatch.clone(), move |dispatch| {
        let dispatch = dispatch.clone();
        let listener = on_window("keydown", move |event: &Event| {
            let action = event.dyn_ref().and_then(|key| press(key, |press| press.anywhere()));
            if let Some(action) = action.filter(|_| !is_typing(event)) {
                event.prevent_default();
                let undone = action == Action::Undo;
                said.set(if undone { text::undone() } else { text::redone() }.to_owned());
                dispatch.emit(action);
            }
        });
        move || drop(listener)
    });
}

/// What a pressed key means, unless something else has answered to it.
fn press<T>(event: &KeyboardEvent, meaning: impl Fn(&Press<'_>) -> Option<T>) -> Option<T> {
    let (key, code) = (event.key(), event.code());
    let control = event.ctrl_key() || event.meta_key();
    let (alt, shift) = (event.alt_key(), event.shift_key());
    let press = Press { key: &key, code: &code, control, alt, shift };
    if event.default_prevented() { None } else { meaning(&press) }
}

/// The stage.
#[hook]
pub(crate) fn use_stage(props: &Stage) -> Html {
    let Stage { task, explained, marks, selected, problem, dispatch, .. } = props;
    let said = use_state_eq(String::new);
    use_history_keys(dispatch, &said);
    let refused = match problem {
        Some(Problem::Edit(cell, why)) => Some((*cell, *why)),
        _ => None,
    };
    use_effect_with(refused, {
        let said = said.setter();
        move |refused| {
            if refused.is_some() {
                said.set(String::new());
            }
        }
    });
    let act = use_callback(
        (task.clone(), dispatch.clone(), said.setter()),
        |edit: Edit, (task, dispatch, said)| {
            said.set(text::edit_done(task, &edit));
            dispatch.emit(Action::Edit(edit));
        },
    );
    let emphasis = props.emphasis.filter(|level| marks.depth >= Some(*level));
    // Asked once: the answer makes the browser lay the page out.
    let is_open = *use_memo((), |()| !is_narrow());
    html! {
        <section class="stage" aria-labelledby="stage-title">
            <div class="above">
                <h2 id="stage-title">{ text::stage() }</h2>
                <p class="hint">{ text::stage_hint() }</p>
                <p class="scale"><span class="advantage negative">{ "\u{2212}" }</span>{ text::legend_advantage() }
                    <span class="advantage positive">{ "+" }</span></p>
                { depths(props, emphasis) }
            </div>
            { editor(&Editor { task, cell: *selected, is_open, refused, act: &act }) }
            <Table task={task.clone()} advantages={props.advantages.clone()} explained={explained.clone()}
                marks={marks.clone()} selected={*selected} focus={props.focus} {emphasis} {act}
                dispatch={dispatch.clone()} />
            <p class="unseen" role="status">{ (*said).clone() }</p>
        </section>
    }
}
