//! The estimates of the chosen step beside the truth, where the attempts come from a known process.

use crate::model::{Action, Model};
use crate::platform::truth::{self, PLACE};
use crate::view::load_failure::use_load_failure;
use yew::prelude::*;

/// The place where a script shows the truth, which it is told of when something changes; nothing unless
/// it `is_open`.
#[hook]
pub(crate) fn use_truth(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    let failure = use_load_failure(PLACE);
    let is_there = is_open && !failure.is_set();
    let name = model.process().filter(|_| is_there).map(str::to_owned);
    let shown = (model.on_stage().clone(), document.controls.clone(), document.selected);
    let change = use_memo((), |()| truth::change(dispatch.clone(), failure.report()));
    use_effect_with((name, shown), move |(name, (task, controls, cell))| {
        if let Some(name) = name {
            truth::show((name, task, controls), *cell, &change);
        }
    });
    if !is_open {
        Html::default()
    } else if failure.is_set() {
        failure.notice()
    } else {
        // A script draws in it.
        html! { <section key={PLACE} id={PLACE} class={PLACE} aria-live="polite" /> }
    }
}
