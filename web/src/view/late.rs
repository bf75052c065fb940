//! Parts that the module fetched late draws, and what stands in their place until it is there; notices of what could not
//! be opened, and what of the address was left alone.

use super::notice::NoticeProps;
use crate::late::{self, Late};
use crate::model::lesson::own::Fault;
use crate::model::{Action, Ignored, Problem};
use crate::platform::{focus, lessons};
use crate::{import, text};
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

/// Fits a lesson to a room, where the page `presents`.
#[hook]
pub(crate) fn use_fit(presents: bool) {
    let part = use_late("fit", presents);
    use_effect(move || {
        if let Part::Here(late) = part
            && presents
        {
            (late.fit)();
        }
    });
}

/// That a part is on its way.
pub(crate) fn on_its_way() -> Html {
    html! { <p class="hint" role="status">{ text::on_its_way() }</p> }
}

/// What stands in a place of the page whose part could not be loaded. The keyboard goes on from the place when it is
/// tried again.
pub(crate) fn load_failure(place: &'static str, again: impl Fn() + 'static) -> Html {
    let again = Callback::from(move |_: MouseEvent| {
        let place = ["#", place].concat();
        // A menu would close behind a button that goes away with the focus.
        focus::show(&place);
        again();
        spawn_local(async move { focus::show(&place) });
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

/// Says that a link, a lesson or a file could not be opened, and why; what could not be loaded is tried again.
pub(crate) fn not_opened(problem: Option<&Problem>, dispatch: &Callback<Action>) -> Html {
    let (fault, is_not_loaded) = match problem {
        Some(Problem::Link(fault)) => (text::fault(fault), false),
        Some(Problem::Lesson { name, fault: None, .. }) => (text::lesson_missing(name), true),
        Some(Problem::Lesson { name, fault: Some(fault), .. }) => {
            (text::own_lesson(name, fault), *fault == Fault::Missing)
        }
        Some(Problem::NotRead(name)) => (text::file_not_read(name), true),
        Some(Problem::Missing(address)) => (text::file_missing(address), true),
        Some(Problem::Elsewhere(address)) => (text::file_elsewhere(address), false),
        _ => (String::new(), false),
    };
    let (problem, dispatch) = (problem.cloned(), dispatch.clone());
    let again = Callback::from(move |_: MouseEvent| {
        dispatch.emit(Action::Problem(None));
        if let Some(Problem::Lesson { name, step, .. }) = &problem {
            lessons::open(name.clone(), *step, dispatch.clone());
        } else {
            import::retry(&dispatch);
        }
    });
    html! {
        <>
            <p class="problem broken-link" role="alert">{ fault }</p>
            if is_not_loaded {
                <TryAgain id="opening" {again} />
            }
        </>
    }
}

/// What is under way or was not kept, as the module fetched late says it.
#[function_component]
pub(crate) fn Notices(props: &NoticeProps) -> Html {
    match (use_late("notices", props.notice.is_some()), &props.notice) {
        (_, None) => Html::default(),
        (Part::Here(late), _) => (late.notice)(props),
        (Part::Awaited(told) | Part::Missing(told), _) => told,
    }
}

/// Says what of the address is left alone, until the reader has taken note.
pub(crate) fn ignored(ignored: &[Ignored], dispatch: &Callback<Action>) -> Html {
    html! {
        if !ignored.is_empty() {
            <div class="ignored">
                <p role="status">{ text::ignored(ignored) }</p>
                <button type="button" class="button"
                    onclick={dispatch.reform(|_| Action::Noted)}>{ text::close() }</button>
            </div>
        }
    }
}
