//! Setting the controls.

use super::{Controls, Document, Key, Model, Problem, Refusal, share};
use hgpo_core::Options;

impl Document {
    /// How the file says that its advantages were estimated, where the controls are set otherwise.
    pub(crate) fn recorded(&self) -> Option<&Options> {
        let said = self.rollouts.made.as_ref()?.said.as_ref().ok()?;
        said.options.as_ref().filter(|options| **options != self.controls.options)
    }
}

impl Model {
    /// Sets an option to what was typed or chosen, or says that it does not admit it.
    pub(super) fn set(&mut self, key: Key, text: &str) {
        match self.document.controls.with(key, text) {
            Some(controls) if controls != self.document.controls => {
                self.record();
                self.document.controls = controls;
            }
            Some(_) => {}
            None => self.problem = Some(Problem::Control(key)),
        }
    }

    /// Sets every option of the chosen estimator and of the returns back.
    pub(super) fn set_back(&mut self) {
        let controls = self.document.controls.set_back();
        if controls != self.document.controls {
            self.record();
            self.document.controls = controls;
        }
    }

    /// Sets the controls as the file says that its advantages were estimated; edits may have brought
    /// steps without the data for that.
    pub(super) fn set_as_recorded(&mut self) {
        let Some(options) = self.document.recorded().cloned() else { return };
        if share::check(&self.document.rollouts, &options).is_ok() {
            self.record();
            self.document.controls = Controls::of(options);
        } else {
            self.problem = Some(Problem::Edit(self.document.selected, Refusal::Estimator));
        }
    }
}
