//! Training, in its place beside the other parts of the page.

use super::late::{Part, use_fit, use_late};
use crate::model::{Action, Chrome, Model, Place, Tab};
use crate::platform::files;
use crate::text;
use crate::train::TrainProps;
use std::rc::Rc;
use yew::prelude::*;

/// Training while it is the part of the page that is shown, or what a stop of a lesson speaks about. Once the reader's
/// own was shown, it stays as it is while another part is shown. What a lesson teaches stands in its place, until training
/// is shown again: what was looked into of it may be asked for.
#[hook]
pub(crate) fn use_train(
    model: &Model,
    chrome: &Chrome,
    opened: &Callback<files::Opened>,
    dispatch: &Callback<Action>,
) -> Html {
    let taught = use_mut_ref(|| None::<Place>);
    let was_own = use_mut_ref(|| false);
    let is_own = model.tab == Tab::Train;
    use_fit(chrome.present && model.place().is_some());
    let stop = model.place().filter(|place| place.stop().train.is_some());
    let is_shown = is_own || stop.is_some();
    if is_shown {
        taught.replace(stop);
    }
    let was_own = was_own.replace_with(|was| *was || is_own) || is_own;
    let taught = *taught.borrow();
    let drawn = match use_late("train", is_shown) {
        Part::Here(late) => {
            let draw = |setup: Option<&String>, parts: Option<Vec<&'static str>>, is_taught| {
                (late.train)(TrainProps {
                    setup: setup.cloned().unwrap_or_default().into(),
                    parts: parts.map(Rc::new),
                    is_taught,
                    is_aside: !is_taught && taught.is_some(),
                    dispatch: dispatch.clone(),
                })
            };
            let own = was_own.then(|| draw(model.setup.as_ref(), chrome.trained(), false));
            let taught = taught.and_then(|place| {
                let train = place.stop().train.as_ref()?;
                let drawn = draw(Some(&train.setup), Some(train.parts.split(' ').collect()), true);
                Some(html! { <div key={format!("{place:?}")}>{ drawn }</div> })
            });
            html! { <><div key="own">{ own }</div>{ taught }</> }
        }
        Part::Awaited(told) if is_shown => told,
        Part::Missing(said) if is_own => return html! { <main>{ said }</main> },
        Part::Missing(said) if is_shown => return said,
        _ => return Html::default(),
    };
    // A lesson is the main part of the page itself.
    let role = if stop.is_some() { "region" } else { "main" };
    let opened = opened.clone();
    let ondrop = move |event: DragEvent| files::dropped(&event, opened.clone());
    let ondragover = |event: DragEvent| _ = files::welcomes(&event);
    html! {
        <div class="train" id="train" {role} aria-label={text::train()} hidden={!is_shown}
            data-outlined={stop.is_some().then_some("")} {ondragover} {ondrop}>{ drawn }</div>
    }
}
