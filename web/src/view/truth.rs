//! The estimates of the chosen step beside the truth, where the attempts come from a known process.

use super::element::place;
use crate::{
    model::{Action, Model},
    platform::truth,
};
use yew::prelude::*;

/// The place where a script shows the truth, which it is told of when something changes; nothing unless
/// it `is_open`.
#[hook]
pub(super) fn use_truth(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    let name = model.process().filter(|_| is_open).map(str::to_owned);
    let shown = (model.on_stage().clone(), document.controls.clone(), document.selected);
    let change = use_mut_ref(|| None);
    use_effect_with((name, shown), {
        let dispatch = dispatch.clone();
        move |(name, (task, controls, cell))| {
            if let Some(name) = name {
                *change.borrow_mut() = Some(truth::show((name, task, controls), *cell, dispatch));
            }
        }
    });
    if !is_open {
        return Html::default();
    }
    place("truth", ("aria-live", "polite"))
}
