//! The stage: every trajectory of a task as a row of steps.

use super::row::StepRow;
use crate::{
    model::{Action, Advantages, Cell, Marks, Move, Shared, Task},
    platform::focus,
    text,
};
use yew::prelude::*;

/// What the stage needs.
#[derive(Properties, PartialEq)]
pub(crate) struct StageProps {
    /// The task on the stage.
    pub(crate) task: Shared<Task>,
    /// The advantage of every step.
    pub(crate) advantages: Shared<Advantages>,
    /// How deep every step's past agrees with that of the chosen one.
    pub(crate) marks: Shared<Marks>,
    /// The chosen step.
    pub(crate) selected: Cell,
    /// The step that the arrow keys start from.
    pub(crate) focus: Cell,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

fn on_key(task: &Task, from: Cell, dispatch: &Callback<Action>) -> Callback<KeyboardEvent> {
    let lengths = task.lengths();
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(by) = Move::of_key(&event.key()) else {
            return;
        };
        event.prevent_default();
        let to = focus::step_of(&event).unwrap_or(from).moved(by, &lengths);
        focus::focus(to);
        dispatch.emit(Action::Focus(to));
    })
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

/// The table of steps.
#[function_component]
pub(crate) fn Stage(props: &StageProps) -> Html {
    let StageProps { task, advantages, marks, selected, focus, dispatch } = props;
    use_effect_with(task.clone(), {
        let selected = *selected;
        move |_| focus::reveal(selected)
    });
    let width = task.lengths().into_iter().max().unwrap_or(0);
    let own = |place: Cell, row: usize| (place.row == row).then_some(place.step);
    html! {
        <section class="stage" aria-labelledby="stage-title">
            <div class="above">
                <h2 id="stage-title">{ text::stage() }</h2>
                <p class="hint">{ text::stage_hint() }</p>
                { legend(marks.depth) }
            </div>
            <div class="scroll">
                <table role="grid" class={classes!(task.is_brief().then_some("brief"), task.is_large().then_some("large"))} aria-labelledby="stage-title"
                    onclick={on_step(dispatch, |cell| cell.map(Action::Select))}
                    onfocusin={on_step(dispatch, |cell| cell.map(Action::Focus))}
                    onpointerover={on_step(dispatch, |cell| Some(Action::Hover(cell)))}
                    onpointerleave={on_step(dispatch, |_| Some(Action::Hover(None)))}
                    onkeydown={on_key(task, *focus, dispatch)}>
                    <thead>
                        <tr>
                            <th scope="col">{ text::trajectory() }</th>
                            { for (0..width).map(|step| html! { <th scope="col"><i>{ "t" }</i>{ format!(" = {step}") }</th> }) }
                        </tr>
                    </thead>
                    <tbody>
                        { for (0..task.rows().len()).map(|row| html! {
                            <StepRow key={row} task={task.clone()} {row} {width}
                                advantages={advantages.of[row].clone()} peak={advantages.peak}
                                marks={marks.of[row].clone()} depth={marks.depth}
                                selected={own(*selected, row)} focus={own(*focus, row)} />
                        }) }
                    </tbody>
                </table>
            </div>
        </section>
    }
}

/// What colours and marks mean.
fn legend(depth: Option<usize>) -> Html {
    html! {
        <ul class="legend">
            if let Some(depth) = depth {
                <li>{ text::legend_groups() }</li>
                { for (0..=depth).map(|level| html! {
                    <li><span class="mark-of-level" style={super::row::shade(level, depth)}>{ super::row::group_name(level) }</span>
                        { text::legend(level) }</li>
                }) }
            }
            <li class="scale"><span class="advantage negative">{ "\u{2212}" }</span>{ text::legend_advantage() }
                <span class="advantage positive">{ "+" }</span></li>
        </ul>
    }
}
