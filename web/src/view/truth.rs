//! The estimates of the chosen step beside the truth, where the attempts come from a known process.

use super::element::place;
use crate::{
    model::{Action, Model, PRESETS, Source},
    platform::truth,
};
use yew::prelude::*;

/// Whether the rollouts come from a known process.
pub(super) fn is_known(source: &Source) -> bool {
    matches!(source, Source::Preset(index) if PRESETS[*index].has_process)
}

/// The place where a script shows the truth, which it is told of when something changes; nothing unless
/// it `is_open`.
#[hook]
pub(super) fn use_truth(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    let shown = (model.on_stage().clone(), document.controls.clone(), document.selected);
    let redraw = use_mut_ref(|| None);
    use_effect_with((is_open, shown), {
        let (source, dispatch) = (document.source.clone(), dispatch.clone());
        move |(is_open, (task, controls, cell))| {
            if let Source::Preset(index) = source
                && *is_open
            {
                let told = (PRESETS[index].name.as_str(), &**task, controls);
                *redraw.borrow_mut() = Some(truth::show(told, *cell, dispatch));
            }
        }
    });
    if !is_open {
        return Html::default();
    }
    place("truth", ("aria-live", "polite"))
}
