//! Notes on lines: what is odd in them, and, if that is asked for, where each says its steps.

use std::collections::VecDeque;
use std::rc::Rc;

use super::warnings::RolloutWarnings;

/// The object of a step in its line: by the lists that it is in, with its place in each. The line itself is in none.
pub(super) type StepPlace = Vec<(Rc<str>, usize)>;

/// What is noted while lines are read.
#[derive(Default)]
pub(super) struct LineNotes {
    pub(super) warnings: RolloutWarnings,
    /// The objects of the steps of the line that was read last, in their order, if somebody asks for them.
    pub(super) places: Option<VecDeque<StepPlace>>,
}

impl LineNotes {
    /// Notes where the next step stands.
    pub(super) fn push_place(&mut self, place: impl FnOnce() -> StepPlace) {
        if let Some(places) = &mut self.places {
            places.push_back(place());
        }
    }
}
