//! Comparison of estimators, in its place beside the steps.

use crate::compare::CompareProps;
use crate::model::{Action, Model};
use crate::text::compare;
use crate::view::late::{Part, use_late};
use yew::prelude::*;

/// The comparison; nothing unless it `is_open`.
#[hook]
pub(crate) fn use_comparison(model: &Model, is_open: bool, dispatch: &Callback<Action>) -> Html {
    let part = use_late("comparison", is_open);
    if !is_open {
        return Html::default();
    }
    let drawn = match part {
        Part::Here(late) => (late.compare)(CompareProps {
            task: model.on_stage().clone(),
            controls: model.document.controls.clone(),
            selected: model.document.selected,
            hovered: model.hovered,
            dispatch: dispatch.clone(),
        }),
        Part::Awaited(told) => told,
        Part::Missing(said) => return said,
    };
    html! {
        <section key="comparison" id="comparison" class="comparison" aria-label={compare::compare()}>
            { drawn }
        </section>
    }
}
