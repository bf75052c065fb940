//! Load failures: what is said where a part of the page could not be fetched, and another try.

use crate::platform::focus;
use crate::text;
use yew::platform::spawn_local;
use yew::prelude::*;

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
