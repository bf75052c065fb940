//! Training, in its place beside the page; and what is said where it cannot be had.

use super::load_failure::use_load_failure;
use crate::{
    model::{Action, Chrome, Model, Place, Tab, Trained},
    platform::train,
};
use yew::prelude::*;

/// What the view shows: the reader's own training, or that of a stop.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Own,
    Stop(Place),
}

impl Subject {
    /// What a stop has learn.
    fn taught(self) -> Option<&'static Trained> {
        match self {
            Self::Own => None,
            Self::Stop(place) => place.stop().train.as_ref(),
        }
    }
}

/// Shows training while it is the part of the page that is shown, or what a stop of a lesson speaks about.
/// What is drawn is the view's own, and stays as it is while another part is shown. After a lesson the
/// reader's training is as it was, and rests.
#[hook]
pub(crate) fn use_train(model: &Model, chrome: &Chrome, dispatch: &Callback<Action>) -> Html {
    let failure = use_load_failure(train::PLACE);
    let drawn = use_mut_ref(|| None::<Subject>);
    let answer = use_memo((), |()| train::answer(dispatch.clone(), failure.report()));
    let stop = model.place().filter(|place| place.stop().train.is_some());
    let own = (model.tab == Tab::Train).then_some(Subject::Own);
    let subject = own.or_else(|| stop.map(Subject::Stop));
    let (chrome, setup) = (chrome.clone(), model.setup.clone());
    use_effect_with((subject, failure.is_set()), move |(subject, is_missing)| {
        let is_taught = matches!(subject, Some(Subject::Stop(_)));
        train::turn(subject.is_some() && !*is_missing, is_taught);
        if *is_missing {
            drawn.take();
        } else if subject.is_some() && drawn.replace(*subject) != *subject {
            let own = chrome.trained().map(|parts| parts.join(" "));
            let (setup, parts) = match subject.and_then(Subject::taught) {
                Some(train) => (Some(&train.setup), Some(&train.parts)),
                None => (setup.as_ref(), own.as_ref()),
            };
            train::show(setup, parts, is_taught, &answer);
        }
    });
    if subject.is_none() || !failure.is_set() {
        return Html::default();
    }
    let said = failure.notice();
    if stop.is_some() {
        said
    } else {
        html! { <main>{ said }</main> }
    }
}
