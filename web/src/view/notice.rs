//! Notices: a file that is being read, and work that is not kept.

use crate::export::save_rollouts;
use crate::import;
use crate::model::{Action, Document, Notice as Told, Unkept, share};
use crate::text::{self, notice as words};
use yew::prelude::*;

/// What a notice needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct NoticeProps {
    /// What there is to say.
    pub(crate) notice: Option<Told>,
    /// The work on the stage.
    pub(crate) document: Document,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The notice.
pub(crate) fn notice(props: &NoticeProps) -> Html {
    let NoticeProps { notice, document, dispatch } = props;
    match notice {
        None => Html::default(),
        Some(Told::Reading { name, percent }) => {
            let percent = percent.to_string();
            let cancel = dispatch.reform(|_: MouseEvent| {
                import::cancel();
                Action::Cancelled
            });
            html! {
                <div class="ignored notice">
                    <p role="status"><bdi>{ words::reading(name) }</bdi></p>
                    <progress max="100" value={percent.clone()} aria-label={words::share_read()}></progress>
                    <span class="hint" aria-hidden="true">{ percent }{ "\u{a0}%" }</span>
                    <button type="button" class="button" id="cancel-reading" onclick={cancel}>{ words::cancel() }</button>
                </div>
            }
        }
        Some(Told::Unkept(unkept)) => {
            let close = dispatch.reform(|_: MouseEvent| Action::Notice(None));
            html! {
                <div class="ignored notice">
                    <p role="status">{ words::unkept(unkept) }</p>
                    { for saves(unkept, document) }
                    <button type="button" class="button" onclick={close}>{ text::close() }</button>
                </div>
            }
        }
    }
}

/// The buttons that save what is not kept as files.
fn saves(unkept: &Unkept, document: &Document) -> Vec<Html> {
    let button = |name: String, document: Document| {
        let onclick = move |_: MouseEvent| save_rollouts(&document);
        html! { <button type="button" class="button" {onclick}>{ name }</button> }
    };
    match unkept {
        Unkept::Apart => Vec::new(),
        Unkept::TooLarge | Unkept::Full => vec![button(words::save().to_owned(), document.clone())],
        Unkept::Dropped(all) => {
            let one = |(title, work): &(String, String)| {
                Some(button(words::save_named(title), share::decode(work).ok()?.document))
            };
            all.iter().filter_map(one).collect()
        }
    }
}
