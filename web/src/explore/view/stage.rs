//! The stage: the levels of the chosen step, its editor, and every trajectory as a row of steps.

mod depths;
mod editor;
mod step;
mod table;
mod window;

pub(crate) use step::{cells, is_same};

use crate::{
    explore::view::derived::Derived,
    model::{
        Action, Advantages, Cell, Edit, Explained, Marks, Model, Press, Problem, Rollouts, Shared,
        Shown, Task,
    },
    platform::{
        focus::{self, is_typing},
        listen::on_window,
    },
    text,
    view::element::{button, element, fixed, plain, word, written},
};
use depths::depths;
use editor::{Editor, editor};
use table::{STATE_FIELD, Table};
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// What the stage needs.
pub(crate) struct Stage {
    /// What was opened, and which of its tasks is shown.
    pub(crate) opened: (Shared<Rollouts>, usize),
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
    /// What the numbers of the steps are.
    pub(crate) shown: Shown,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// Whether there is something to undo, to redo, and to go back to.
    pub(crate) changes: [bool; 3],
    /// What is told of the rollouts above their steps.
    pub(crate) story: Html,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

impl Stage {
    /// The stage of a model; `story` is told above the steps.
    pub(crate) fn new(
        model: &Model,
        derived: &Derived,
        story: Html,
        dispatch: Callback<Action>,
    ) -> Self {
        Self {
            opened: (model.opened.clone(), model.document.task),
            task: model.on_stage().clone(),
            advantages: derived.advantages.clone(),
            explained: derived.explained.clone(),
            marks: derived.marks.clone(),
            selected: model.document.selected,
            focus: model.focus,
            level: model.level,
            emphasis: model.emphasis(),
            shown: match model.shown() {
                Shown::Returns if !derived.explained.asks_returns() => Shown::Advantages,
                shown => shown,
            },
            problem: model.problem.clone(),
            changes: [model.history.has_past(), model.history.has_future(), model.is_edited()],
            story,
            dispatch,
        }
    }
}

/// The button between cells with everything and cells of a state and a sign, 50 of which fit a screen.
fn compact_button(compact: &UseStateHandle<bool>) -> Html {
    let (is_compact, set) = (**compact, compact.setter());
    let turn = Callback::from(move |_: MouseEvent| set.set(!is_compact));
    let pressed = vec![("aria-pressed", Some(is_compact.to_string()))];
    let known = [("class", "button of-compact"), ("title", text::compact_hint())];
    button(&known, pressed, turn, vec![word(text::compact())])
}

/// What the numbers of the steps are, and the colours of their signs.
fn scale(shown: Shown) -> Vec<Html> {
    if shown == Shown::Returns {
        return vec![plain("i", vec![word("R")]), word(text::legend_return())];
    }
    if let Shown::Level(level) = shown {
        let index = plain("sub", vec![written(level.to_string())]);
        return vec![word(text::legend_advantage()), plain("i", vec![word("A"), index])];
    }
    vec![
        element("span", "advantage negative", vec![word("\u{2212}")]),
        word(text::legend_advantage()),
        element("span", "advantage positive", vec![word("+")]),
    ]
}

/// What takes changes back, and what opens the editor.
fn changes(props: &Stage, edit: &Callback<Option<&'static str>>) -> Html {
    let change = |class: &'static str, name: &'static str, enabled: bool, action: Action| {
        let dispatch = props.dispatch.clone();
        let onclick = Callback::from(move |_| dispatch.emit(action.clone()));
        // A button that becomes disabled would take the focus with it.
        let stays = vec![("aria-disabled", (!enabled).then(|| "true".to_owned()))];
        button(&[("class", class)], stays, onclick, vec![word(name)])
    };
    let [past, future, edited] = props.changes;
    let open = edit.reform(|_: MouseEvent| Some(STATE_FIELD));
    let known = [("class", "button edit"), ("aria-keyshortcuts", "e"), ("aria-haspopup", "dialog")];
    let parts = vec![
        button(&known, Vec::new(), open, vec![word(text::edit())]),
        change("button undo", text::undo(), past, Action::Undo),
        change("button redo", text::redo(), future, Action::Redo),
        change("button reset", text::reset(), edited, Action::Reset),
    ];
    fixed("div", &[("class", "changes"), ("role", "group"), ("aria-label", text::history())], parts)
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
    let editing = use_state_eq(|| None::<&'static str>);
    let compact = use_state_eq(|| false);
    let edit = {
        let editing = editing.setter();
        use_callback((), move |field: Option<&'static str>, ()| editing.set(field))
    };
    // A step of another task is not what the editor was opened for.
    use_effect_with(props.opened.clone(), {
        let edit = edit.clone();
        move |_| edit.emit(None)
    });
    use_effect_with((*editing, *selected, task.clone()), |(editing, cell, _)| {
        if editing.is_some() {
            focus::place_beside(".editor", *cell);
        }
    });
    use_effect_with(*editing, |editing| {
        if let Some(field) = editing {
            focus::open_field(field);
        }
    });
    html! {
        <section class={if *compact { "stage compact" } else { "stage" }} aria-labelledby="stage-title">
            <div class="above">
                <h2 id="stage-title" title={text::stage_hint()}>{ text::stage() }</h2>
                { changes(props, &edit) }
                { compact_button(&compact) }
                { element("p", if matches!(props.shown, Shown::Level(_)) { "scale of-level" } else { "scale" }, scale(props.shown)) }
                { props.story.clone() }
                { depths(props, emphasis) }
            </div>
            { editor(&Editor { task, cell: *selected, is_open: editing.is_some(), refused, act: &act, edit: &edit }) }
            <p class="problem edit-problem" id="edit-problem" role="alert">
                { refused.map(|(place, why)| text::edit_refused(task, place, why)) }</p>
            <Table {edit} shown={props.shown} task={task.clone()} advantages={props.advantages.clone()} explained={explained.clone()}
                marks={marks.clone()} selected={*selected} focus={props.focus} {emphasis} {act}
                compact={*compact} dispatch={dispatch.clone()} />
            <p class="unseen" role="status">{ (*said).clone() }</p>
        </section>
    }
}
