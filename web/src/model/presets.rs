//! The worked examples: rollouts files of `assets/presets/`, which `hgpo advantages` reads as well.

use super::{Cell, Rollouts};
use crate::text;

/// A worked example.
#[derive(Debug)]
pub(crate) struct Preset {
    /// What the list of examples calls it.
    pub(crate) title: &'static str,
    /// What there is to see.
    pub(crate) note: &'static str,
    /// The step that it opens with.
    selected: Cell,
    /// The rollouts file.
    jsonl: &'static str,
}

/// The worked examples, in the order of the list.
pub(crate) static PRESETS: [Preset; 4] = [
    Preset {
        title: text::OVERVIEW,
        note: text::OVERVIEW_NOTE,
        selected: Cell { row: 0, step: 2 },
        jsonl: include_str!("../../../assets/presets/overview.rollouts.jsonl"),
    },
    Preset {
        title: text::ERRAND,
        note: text::ERRAND_NOTE,
        selected: Cell { row: 0, step: 3 },
        jsonl: include_str!("../../../assets/presets/errand.rollouts.jsonl"),
    },
    Preset {
        title: text::ALIKE,
        note: text::ALIKE_NOTE,
        selected: Cell { row: 0, step: 1 },
        jsonl: include_str!("../../../assets/presets/alike.rollouts.jsonl"),
    },
    Preset {
        title: text::ALONE,
        note: text::ALONE_NOTE,
        selected: Cell { row: 0, step: 1 },
        jsonl: include_str!("../../../assets/presets/alone.rollouts.jsonl"),
    },
];

impl Preset {
    /// The example's rollouts, and the step that it opens with.
    pub(crate) fn load(&self) -> (Rollouts, Cell) {
        let rollouts = Rollouts::read(self.jsonl).expect("the tests read every example");
        (rollouts, self.selected)
    }
}
