//! What core makes of the model; each part is computed anew only when what it depends on changes.

use crate::model::{Advantages, Cell, Explained, Marks, Model, Shared, Shown};
use yew::prelude::*;

/// What core makes of the model.
#[derive(Clone, PartialEq)]
pub(crate) struct Derived {
    pub(crate) advantages: Shared<Advantages>,
    pub(crate) explained: Shared<Explained>,
    pub(crate) marks: Shared<Marks>,
}

#[hook]
pub(crate) fn use_derived(model: &Model) -> Derived {
    let inputs = (model.on_stage().clone(), model.document.controls.clone());
    let advantages =
        use_memo((inputs.clone(), model.shown()), |((task, controls), shown)| match shown {
            Shown::Level(level) => Advantages::of_level(task, controls, *level),
            Shown::Advantages | Shown::Returns | Shown::Withheld => Advantages::new(task, controls),
        });
    let explained = use_memo((inputs, model.document.selected), |((task, controls), cell)| {
        Explained::new(task, *cell, controls)
    });
    let explained = Shared::from(explained);
    let marks = use_memo((model.on_stage().clone(), explained.clone()), |(task, explained)| {
        Marks::new(task, &explained.levels)
    });
    Derived { advantages: advantages.into(), explained, marks: marks.into() }
}

impl Derived {
    /// The step that the pointer or the focus is on, if the explanation speaks of it.
    pub(crate) fn pointed(&self, model: &Model) -> Option<Cell> {
        let pointed = model.looked_at();
        let looked_at = model.hovered.is_some() || pointed != model.document.selected;
        Some(pointed).filter(|cell| looked_at && self.explained.speaks_of(*cell))
    }
}
