//! The menu of what a reader takes away of a work; what is in it is drawn late.

use crate::export::{ExportsProps, Outcome};
use crate::model::Model;
use crate::text::export as words;
use crate::view::late::{Part, use_late};
use crate::view::menu::menu;
use yew::prelude::*;

/// The menu, and what became of the last file.
#[hook]
pub(crate) fn use_export(model: &Model) -> Html {
    let is_open = use_state_eq(|| false);
    let outcome = use_state_eq(Outcome::default);
    let part = use_late("export", *is_open);
    let set = outcome.setter();
    let contents = match part {
        _ if !*is_open => Html::default(),
        Part::Here(late) => {
            let say = Callback::from(move |new| set.set(new));
            let (document, visible) = (model.document.clone(), model.visible());
            (late.exports)(ExportsProps { document, visible, say })
        }
        Part::Awaited(told) | Part::Missing(told) => told,
    };
    let Outcome { done, problem } = (*outcome).clone();
    // What is done is seen at the button, and said in full.
    let mark = if done.is_empty() { "" } else { " \u{2713}" };
    let name = html! { <>{ words::export() }<span class="done">{ mark }</span></> };
    let onclick = move |_: MouseEvent| is_open.set(true);
    html! {
        <>
            <div class="opens" {onclick}>{ menu("export", name, vec![html! { <div id="export">{ contents }</div> }]) }</div>
            <p class="unseen said" role="status">{ done }</p>
            <p class="problem" role="alert">{ problem }</p>
        </>
    }
}
