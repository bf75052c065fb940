//! Work that comes in whole: from a link, from the last visit, from a lesson.

use super::{
    Controls, Document, Model, PRESETS, Place, Problem, Shared, Source,
    share::{self, Work},
};

impl Model {
    /// What is shared and kept.
    pub(crate) fn work(&self) -> Work {
        Work { document: self.document.clone(), level: self.level, phase: self.phase }
    }

    /// Takes work over, with what it is to be gone back to: the example, where it began as one.
    pub(super) fn restore(&mut self, work: Work) {
        let rollouts = work.document.rollouts.clone();
        let example = match work.document.source {
            Source::Preset(index) => Some(PRESETS[index].load().0),
            Source::File(_) => None,
        };
        self.open(work.document);
        if let Some(example) = example.filter(|example| !example.all().eq(rollouts.all())) {
            self.opened = Shared::new(example);
        }
        (self.level, self.phase) = (work.level, work.phase);
    }

    /// Takes over the work of a link, or says what is wrong with it.
    pub(super) fn link(&mut self, text: &str) {
        match share::decode(text) {
            Ok(work) => {
                self.lesson = None;
                self.restore(work);
            }
            Err(fault) => self.problem = Some(Problem::Link(fault)),
        }
    }

    /// Shows a stop of a lesson; leaving keeps what is shown.
    pub(super) fn learn(&mut self, place: Option<Place>) {
        self.lesson = place;
        let Some(stop) = place.map(Place::stop) else { return };
        let Document { source, rollouts, controls, task, selected } = self.document.clone();
        let (source, rollouts, task, selected) = match stop.preset {
            Some(index) if source == Source::Preset(index) && !self.is_edited() => {
                (source, rollouts, 0, selected)
            }
            Some(index) => {
                let (rollouts, selected) = PRESETS[index].load();
                (Source::Preset(index), Shared::new(rollouts), 0, selected)
            }
            None => (source, rollouts, task, selected),
        };
        let named = stop.select.as_deref().and_then(|address| rollouts.tasks[task].find(address));
        let controls = match &stop.options {
            Some(options) if controls.options != *options => Controls::of(options.clone()),
            _ => controls,
        };
        let selected = named.unwrap_or_else(|| rollouts.tasks[task].nearest(selected));
        let document = Document { source, rollouts, controls, task, selected };
        if document != self.document {
            self.open(document);
        }
        (self.level, self.phase) = (stop.level, stop.phase);
    }
}
