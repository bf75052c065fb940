//! Notices above whatever part of the page is shown: what could not be opened, and what was left alone.

use super::{
    element::{button, element, fixed, word, written},
    load_failure::TryAgain,
};
use crate::{
    import,
    model::{Action, Ignored, Problem, lesson::own::Fault},
    platform::lessons,
    text,
};
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
    let attributes = [("class", "problem broken-link"), ("role", "alert")];
    let said = fixed("p", &attributes, vec![written(fault)]);
    let Some(problem) = problem.filter(|_| is_not_loaded).cloned() else { return said };
    let dispatch = dispatch.clone();
    let again = Callback::from(move |_: MouseEvent| {
        dispatch.emit(Action::Retry);
        if let Problem::Lesson { name, step, .. } = &problem {
            lessons::open(name.clone(), *step, dispatch.clone());
        } else {
            import::retry(&dispatch);
        }
    });
    html! { <>{ said }<TryAgain id="opening" {again} /></> }
}

/// Says what of the address is left alone, until the reader has taken note.
pub(crate) fn ignored(ignored: &[Ignored], dispatch: &Callback<Action>) -> Html {
    if ignored.is_empty() {
        return Html::default();
    }
    let noted = dispatch.reform(|_: MouseEvent| Action::Noted);
    let parts = vec![
        fixed("p", &[("role", "status")], vec![written(text::ignored(ignored))]),
        button(&[("class", "button")], Vec::new(), noted, vec![word(text::close())]),
    ];
    element("div", "ignored", parts)
}
