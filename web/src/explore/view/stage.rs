//! The stage: the levels of the chosen step, its editor, and every trajectory as a row of steps.

mod agent_choice;
mod editor;
pub(crate) mod extent;
mod table;

pub(crate) use table::TableProps;

use crate::explore::view::derived::Derived;
use crate::explore::view::row::{chip, group_name, shade};
use crate::model::{
    Action, Edit, Group, Model, Origin, Press, Problem, Shown, Split, Task, Visible, splits,
};
use crate::platform::events::on_window;
use crate::platform::focus::{self, is_typing};
use crate::text;
use editor::editor;
use table::{STATE_FIELD, Table};
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// Steps of an attempt that fit a screen as they are; more are offered as compact cells.
const LONG: usize = 6;

/// What the numbers of the steps are, and the colours of their signs.
fn scale(shown: Shown) -> Html {
    match shown {
        Shown::Returns => html! { <p class="scale"><i>{ "R" }</i>{ text::legend_return() }</p> },
        Shown::Withheld => Html::default(),
        Shown::Level(level) => html! {
            <p class="scale of-level">{ text::legend_advantage() }<i>{ "A" }<sub>{ level }</sub></i></p>
        },
        Shown::Advantages => html! {
            <p class="scale">
                <span class="advantage negative">{ "\u{2212}" }</span>
                { text::legend_advantage() }
                <span class="advantage positive">{ "+" }</span>
            </p>
        },
    }
}

/// What takes changes back, and what opens the editor.
fn changes(model: &Model, table: &TableProps) -> Html {
    let change = |class: &'static str, name: &'static str, enabled: bool, action: Action| {
        let onclick = table.dispatch.reform(move |_: MouseEvent| action.clone());
        // A button that becomes disabled would take the focus with it.
        let stays = (!enabled).then_some("true");
        html! { <button type="button" {class} aria-disabled={stays} {onclick}>{ name }</button> }
    };
    // There is nothing to take back before something was changed.
    let has_changed = model.history.has_past() || model.history.has_future() || model.is_edited();
    html! {
        <div class="changes" role="group" aria-label={text::history()}>
            <button type="button" class="button edit" aria-keyshortcuts="e" aria-haspopup="dialog"
                onclick={table.edit.reform(|_: MouseEvent| Some(STATE_FIELD))}>
                { text::edit() }
            </button>
            if has_changed {
                { change("button undo", text::undo(), model.history.has_past(), Action::Undo) }
                { change("button redo", text::redo(), model.history.has_future(), Action::Redo) }
                { change("button reset", text::reset(), model.is_edited(), Action::Reset) }
            }
        </div>
    }
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

/// The stage of a model; `story` is told above the steps.
#[hook]
pub(crate) fn use_stage(
    model: &Model,
    derived: &Derived,
    story: Html,
    dispatch: &Callback<Action>,
) -> Html {
    let (task, selected) = (model.on_stage(), model.document.selected);
    let said = use_state_eq(String::new);
    use_history_keys(dispatch, &said);
    let refused = match &model.problem {
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
    // What the reader points at may be a level that the step does not have.
    let emphasis =
        model.pointed.or(model.level).filter(|level| derived.marks.depth >= Some(*level));
    let shown = match model.shown() {
        Shown::Returns if !derived.explained.asks_returns() => Shown::Advantages,
        shown => shown,
    };
    let editing = use_state_eq(|| None::<&'static str>);
    // Cells of a state and a sign alone, 50 of which fit a screen.
    let compact = use_state_eq(|| false);
    let alone = use_state_eq(|| None::<AttrValue>);
    // Another task may not have the agent.
    let agent = (*alone).clone().filter(|name| task.agents.iter().any(|own| own.name == *name));
    let choose = use_callback(alone.setter(), |agent, alone| alone.set(agent));
    let edit = use_callback(editing.setter(), |field, editing| editing.set(field));
    // A step of another task is not what the editor was opened for.
    use_effect_with((model.opened.clone(), model.document.task), {
        let edit = edit.clone();
        move |_| edit.emit(None)
    });
    use_effect_with((*editing, selected, task.clone()), |(editing, cell, _)| {
        if editing.is_some() {
            focus::place_beside(".editor", *cell);
        }
    });
    use_effect_with(*editing, |editing| {
        if let Some(field) = editing {
            focus::open_field(field);
        }
    });
    // A lesson shows all of its attempts.
    let is_own = model.tab.is_own();
    let visible = if is_own { model.visible() } else { Visible::all(task) };
    let extent = extent::use_extent(model, &visible, dispatch);
    let turn = {
        let (compact, is_compact) = (compact.setter(), *compact);
        move |_: MouseEvent| compact.set(!is_compact)
    };
    let is_long = *compact || task.rows().iter().any(|row| row.steps.len() > LONG);
    let table = TableProps {
        task: task.clone(),
        derived: derived.clone(),
        shown,
        selected,
        focus: model.focus,
        emphasis,
        agent: agent.filter(|_| task.is_team()),
        marked: model.marked.cells.clone(),
        compact: *compact,
        visible: visible.clone(),
        act,
        edit,
        dispatch: dispatch.clone(),
    };
    html! {
        <section class={if *compact { "stage compact" } else { "stage" }} aria-labelledby="stage-title">
            <div class="above">
                <h2 id="stage-title" title={text::stage_hint()}>{ text::stage() }</h2>
                { changes(model, &table) }
                if is_long {
                    <button type="button" class="button of-compact" title={text::compact_hint()}
                        aria-pressed={compact.to_string()} onclick={turn}>
                        { text::compact() }
                    </button>
                }
                { scale(shown) }
                { story }
                <div class="legend">
                    { depths(&table, model.level) }
                    { agent_choice::agent_choice(task, shown == Shown::Withheld, table.agent.as_ref(), &choose) }
                </div>
            </div>
            { editor(&table, refused.map(|(_, why)| why), editing.is_some()) }
            <p class="problem edit-problem" id="edit-problem" role="alert">
                { refused.map(|(place, why)| text::edit_refused(task, place, why)) }
            </p>
            <Table ..table />
            // Behind the steps, so that the way to them stays short.
            if is_own { { extent } }
            <p class="unseen" role="status">{ &*said }</p>
        </section>
    }
}

/// How many origins are shown between two levels; the hint tells them all.
const SHOWN: usize = 3;

/// The most levels that are shown with words.
const WORDED: usize = 5;

/// The choice of a level. It is a part of the stage's own drawing, as it is small.
fn depths(table: &TableProps, level: Option<usize>) -> Html {
    let TableProps { task, derived, emphasis, dispatch, .. } = table;
    let groups = &derived.explained.levels;
    let depth = groups.len().saturating_sub(1);
    // How many there are may be what is asked.
    let withheld = table.shown == Shown::Withheld;
    let parting = splits(task, &derived.explained);
    // A level that this step does not have stays chosen for the next step that has it.
    let chosen = level.filter(|level| groups.iter().any(|group| group.level >= *level));
    let choice = |level: Option<usize>, content: Html| {
        let onchange = dispatch.reform(move |_: Event| Action::Level(level));
        let stands_out = level.is_some() && *emphasis == level;
        html! {
            <label class={if stands_out { "depth out" } else { "depth" }}>
                <input type="radio" name="level" checked={chosen == level} {onchange} />
                <span>{ content }</span>
            </label>
        }
    };
    let level = |(place, group): (usize, &Group)| {
        let before = place.checked_sub(1).map(|before| &parting[before]);
        let content = html! {
            <>
                <span class="mark-of-level" style={shade(group.level, depth)}>
                    { group_name(group.level) }
                </span>
                <b>{ if withheld { "?".to_owned() } else { text::steps(group.members.len()) } }</b>
                if depth < WORDED { <span class="words">{ text::legend(group.level) }</span> }
            </>
        };
        html! {
            <>
                if let Some(split) = before { { leaving(task, split, group.level, withheld) } }
                { choice(Some(group.level), content) }
            </>
        }
    };
    html! {
        if !groups.is_empty() {
            <fieldset class="depths">
                <legend class="unseen">{ text::legend_groups() }</legend>
                { choice(None, text::every_level().into()) }
                { for groups.iter().enumerate().map(level) }
            </fieldset>
        }
    }
}

/// Who leaves on the way to a level; no more than that some may, where their number is `withheld`.
fn leaving(task: &Task, split: &Split, level: usize, withheld: bool) -> Html {
    if withheld {
        return html! { <span class="leaving" aria-hidden="true">{ "\u{2287}" }</span> };
    }
    if split.leaving == 0 {
        return html! { <span class="leaving" aria-hidden="true">{ "=" }</span> };
    }
    let origins: Vec<String> = split
        .origins
        .iter()
        .map(|(origin, count)| format!("{} \u{d7}{count}", text::split_origin(task, *origin)))
        .collect();
    let words = format!("{} {}", text::split_leaving(split.leaving, level - 1), origins.join(", "));
    let origin = |(origin, _): &(Origin, usize)| match *origin {
        Origin::State(cell) => chip(task.state(cell)),
        Origin::Start => html! { <span class="chip none">{ "\u{2205}" }</span> },
        Origin::Summary => html! { <span class="chip none">{ "\u{2026}" }</span> },
    };
    let more = split.origins.len().saturating_sub(SHOWN);
    html! {
        <span class="leaving" title={words.clone()}>
            <span class="unseen">{ words }</span>
            <span aria-hidden="true">
                <b>{ "\u{2212}" }{ split.leaving }</b>
                { for split.origins.iter().take(SHOWN).map(origin) }
                if more > 0 { { "+" }{ more } }
            </span>
        </span>
    }
}
