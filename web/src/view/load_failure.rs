//! Load failures: what is said where a part of the page could not be fetched, and another try.

use crate::platform::focus;
use crate::text;
use yew::platform::spawn_local;
use yew::prelude::*;

/// Whether a part of the page could not be loaded.
pub(crate) struct LoadFailure {
    /// The name of the place that the part is drawn in.
    place: &'static str,
    is_set: UseStateHandle<bool>,
}

/// The failure of the part that is drawn in a place.
#[hook]
pub(crate) fn use_load_failure(place: &'static str) -> LoadFailure {
    LoadFailure { place, is_set: use_state_eq(|| false) }
}

impl LoadFailure {
    /// Whether the part could not be loaded.
    pub(crate) fn is_set(&self) -> bool {
        *self.is_set
    }

    /// What hears that the part could not be loaded.
    pub(crate) fn report(&self) -> Callback<()> {
        let set = self.is_set.setter();
        Callback::from(move |()| set.set(true))
    }

    /// What stands in the place of the part. The keyboard goes on from the place when it is tried again.
    pub(crate) fn notice(&self) -> Html {
        let (place, set) = (self.place, self.is_set.setter());
        let again = Callback::from(move |_: MouseEvent| {
            set.set(false);
            spawn_local(async move { focus::show(&["#", place].concat()) });
        });
        html! {
            <section class="missing">
                <p class="problem" role="alert">{ text::not_loaded() }</p>
                <TryAgain id={place} {again} />
            </section>
        }
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
