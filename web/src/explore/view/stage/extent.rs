//! Choice of the attempts and steps that are shown; the fields are drawn late.

use crate::explore::view::field::Field;
use crate::model::{Action, Extent, Model, Shared, Task, Visible};
use crate::text;
use crate::view::late::{Part, use_late};
use yew::prelude::*;

/// The choice, under what is shown where that is not all.
#[hook]
pub(super) fn use_extent(model: &Model, visible: &Visible, dispatch: &Callback<Action>) -> Html {
    let is_open = use_state_eq(|| false);
    let (task, extent) = (model.on_stage(), &model.extent);
    let contents = match use_late("extent", *is_open) {
        _ if !*is_open => Html::default(),
        Part::Here(late) => (late.extent)(&ExtentProps {
            task: task.clone(),
            extent: extent.clone(),
            dispatch: dispatch.clone(),
        }),
        Part::Awaited(told) | Part::Missing(told) => told,
    };
    let steps = [visible.steps.start, visible.steps.end.saturating_sub(1)];
    let shown = text::shown_of([visible.count(), task.rows().len()], steps);
    html! {
        <details class="extent">
            <summary onclick={move |_: MouseEvent| is_open.set(true)}>
                { text::extent() }
                if !extent.is_all() { { ": " }<b>{ shown }</b> }
            </summary>
            <div id="extent">{ contents }</div>
        </details>
    }
}

/// What the fields need.
pub(crate) struct ExtentProps {
    /// The task on the stage.
    task: Shared<Task>,
    /// What of it is chosen.
    extent: Extent,
    /// Where actions go.
    dispatch: Callback<Action>,
}

/// The fields.
pub(crate) fn fields(props: &ExtentProps) -> Html {
    let ExtentProps { task, extent, dispatch } = props;
    let (rows, last) = (task.rows().len(), Visible::all(task).steps.end.saturating_sub(1));
    let problem = text::extent_hint(rows, last);
    let field = |place: usize, id: &'static str, label: &'static str| {
        let admits = Callback::from({
            let (task, extent) = (task.clone(), extent.clone());
            move |word: String| extent.with(place, word).of(&task).is_some()
        });
        let own = extent.clone();
        let keep = dispatch.reform(move |word: String| Action::Extent(own.with(place, word)));
        html! {
            <Field {id} {label} value={extent.word(place).to_owned()} {admits} problem={problem.clone()} {keep} />
        }
    };
    html! {
        <div class="fields">
            { field(0, "extent-attempts", text::extent_attempts()) }
            { field(1, "extent-steps", text::step_count()) }
            <button type="button" class="button" aria-disabled={extent.is_all().then_some("true")}
                onclick={dispatch.reform(|_: MouseEvent| Action::Extent(Extent::default()))}>
                { text::every_level() }
            </button>
        </div>
    }
}
