//! Training, in its place beside the page; and what is said where it cannot be had.

use super::element::missing;
use crate::{
    model::{Action, Chrome, Model, Tab},
    platform::train,
};
use yew::prelude::*;

/// Shows training while it is the part of the page that is shown. What is drawn is the view's own, and stays
/// as it is while another part is shown.
#[hook]
pub(crate) fn use_train(model: &Model, chrome: &Chrome, dispatch: &Callback<Action>) -> Html {
    let is_missing = use_state_eq(|| false);
    let is_drawn = use_mut_ref(|| false);
    let answer = use_memo((), |()| {
        let miss = is_missing.setter();
        train::answer(dispatch.clone(), Callback::from(move |()| miss.set(true)))
    });
    let is_open = model.tab == Tab::Train;
    let (chrome, setup) = (chrome.clone(), model.setup.clone());
    use_effect_with((is_open, *is_missing), move |(is_open, is_missing)| {
        train::turn(*is_open && !*is_missing);
        if *is_missing {
            *is_drawn.borrow_mut() = false;
        } else if *is_open && !is_drawn.replace(true) {
            train::show(&chrome, setup.as_deref(), &answer);
        }
    });
    if !is_open || !*is_missing {
        return Html::default();
    }
    let again = is_missing.setter();
    html! { <main>{ missing(Callback::from(move |_| again.set(false))) }</main> }
}
