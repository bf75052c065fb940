//! Glossary: what names mean, folded under a title.

use yew::prelude::*;

/// Names with what they mean.
pub(crate) fn glossary(
    class: &'static str,
    title: &'static str,
    names: impl IntoIterator<Item = (impl Into<Html>, impl Into<Html>)>,
) -> Html {
    let names = names.into_iter().map(|(name, meaning)| {
        let (name, meaning): (Html, Html) = (name.into(), meaning.into());
        html! { <><dt>{ name }</dt><dd>{ meaning }</dd></> }
    });
    html! { <details {class}><summary>{ title }</summary><dl class="facts">{ for names }</dl></details> }
}
