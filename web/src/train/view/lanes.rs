//! The lanes, one below the other.

use super::{lane::lane, readings::meanings};
use crate::{
    text::train as text,
    train::model::{Action, Model},
};
use yew::prelude::*;

/// All lanes, and what is the same in them.
pub(crate) fn lanes(model: &Model, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            { meanings() }
            { for (0..model.lanes.len()).map(|number| lane(model, number, dispatch)) }
            <p class="hint fair">{ text::fair() }</p>
        </>
    }
}
