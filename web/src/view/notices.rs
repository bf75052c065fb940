//! Notices above whatever part of the page is shown: what could not be opened, and what was left alone.

use super::late::TryAgain;
use crate::model::lesson::own::Fault;
use crate::model::{Action, Ignored, Problem};
use crate::platform::lessons;
use crate::{import, text};
use yew::prelude::*;

/// Says that a link, a lesson or a file could not be opened, and why; what could not be loaded is tried again.
pub(crate) fn not_opened(problem: Option<&Problem>, dispatch: &Callback<Action>) -> Html {
    let (fault, is_not_loaded) = match problem {
        Some(Problem::Link(fault)) => (text::fault(fault), false),
        Some(Problem::Lesson { name, fault: None, .. }) => (text::lesson_missing(name), true),
        Some(Problem::Lesson { name, fault: Some(fault), .. }) => {
            (text::own_lesson(name, fault), *fault == Fault::Missing)
        }
        Some(Problem::NotRead(name)) => (text::file_not_read(name), true),
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
