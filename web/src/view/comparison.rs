//! The task on the stage under several estimators: the overview's module draws them, once it is fetched.

use super::{element::place, load_failure::use_load_failure};
use crate::{
    model::{Action, Model},
    platform::comparison::{Compared, PLACE, answer},
    text::compare,
};
use yew::prelude::*;

/// The place of the comparison, which the module is told of when something changes; nothing unless it
/// `is_open`.
#[hook]
pub(super) fn use_comparison(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let document = &model.document;
    let compared = use_mut_ref(Compared::default);
    let failure = use_load_failure(PLACE);
    let answer = use_memo((), |()| answer(compared.clone(), dispatch.clone(), failure.report()));
    let shown = (model.on_stage().clone(), document.controls.clone());
    let there = is_open && !failure.is_set();
    use_effect_with((there, shown, document.selected, model.hovered), {
        move |(there, shown, selected, hovered)| {
            if *there {
                compared.borrow_mut().turn_to(shown);
                compared.borrow().show(*selected, *hovered, &answer);
            }
        }
    });
    if !is_open {
        Html::default()
    } else if failure.is_set() {
        failure.notice()
    } else {
        place(PLACE, ("aria-label", compare::compare()))
    }
}
