//! What went wrong, in one sentence.

use crate::{text::train as text, train::model::Model};
use yew::prelude::*;

/// What went wrong; always there, so that it is heard when it comes.
pub(crate) fn problem(model: &Model) -> Html {
    let told = model.problem.as_ref().map(text::problem).unwrap_or_default();
    html! { <p class="problem" role="alert">{ told }</p> }
}
