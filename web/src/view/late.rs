//! Parts that the module fetched late draws, and what stands in their place until it is there.

use crate::late::{self, Late};
use crate::platform::focus;
use crate::text;
use yew::platform::spawn_local;
use yew::prelude::*;

/// What is drawn in the place of a part.
pub(crate) enum Part {
    /// What the module draws.
    Here(&'static Late),
    /// That it is on its way.
    Awaited(Html),
    /// That it could not be loaded, and a button that tries again.
    Missing(Html),
}

/// The module for the part that is drawn in a place, fetched when the part is first open.
#[hook]
pub(crate) fn use_late(place: &'static str, is_open: bool) -> Part {
    let is_missing = use_state_eq(|| false);
    let update = use_force_update();
    let (is_wanted, set) = (is_open && !*is_missing, is_missing.setter());
    use_effect_with(is_wanted, move |is_wanted| {
        if *is_wanted && late::get().is_none() {
            spawn_local(async move {
                match late::fetch().await {
                    Some(_) => update.force_update(),
                    None => set.set(true),
                }
            });
        }
    });
    let again = is_missing.setter();
    match late::get() {
        Some(late) => Part::Here(late),
        None if *is_missing => Part::Missing(load_failure(place, move || again.set(false))),
        None => Part::Awaited(on_its_way()),
    }
}

/// That a part is on its way.
pub(crate) fn on_its_way() -> Html {
    html! { <p class="hint" role="status">{ text::on_its_way() }</p> }
}

/// What stands in a place of the page whose part could not be loaded. The keyboard goes on from the place when it is
/// tried again.
pub(crate) fn load_failure(place: &'static str, again: impl Fn() + 'static) -> Html {
    let again = Callback::from(move |_: MouseEvent| {
        again();
        spawn_local(async move { focus::show(&["#", place].concat()) });
    });
    html! {
        <section class="missing">
            <p class="problem" role="alert">{ text::not_loaded() }</p>
            <TryAgain id={place} {again} />
        </section>
    }
}

/// What the button needs.
#[derive(Properties, PartialEq)]
pub(crate) struct TryAgainProps {
    /// What is tried again, by a name that no other button has.
    pub(crate) id: &'static str,
    /// Tries again.
    pub(crate) again: Callback<MouseEvent>,
}

/// The button that tries again. It takes the focus that the one before it had, when that try has failed too.
#[function_component]
pub(crate) fn TryAgain(props: &TryAgainProps) -> Html {
    let id = ["again-", props.id].concat();
    use_effect_with((id.clone(), props.id), |(id, place)| focus::recover(id, place));
    html! { <button type="button" class="button" {id} onclick={&props.again}>{ text::try_again() }</button> }
}
