//! The task on the stage under several estimators: the overview's module draws them, once it is fetched.

use super::element::{missing, place};
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
    let is_missing = use_state_eq(|| false);
    let answer = use_memo((), |()| {
        let miss = is_missing.setter();
        answer(compared.clone(), dispatch.clone(), Callback::from(move |()| miss.set(true)))
    });
    let shown = (model.on_stage().clone(), document.controls.clone());
    let there = is_open && !*is_missing;
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
    } else if *is_missing {
        let again = is_missing.setter();
        missing(Callback::from(move |_| again.set(false)))
    } else {
        place(PLACE, ("aria-label", compare::compare()))
    }
}
