//! Setting the controls, and what a work says of them.

use super::{Controls, Document, Key, Model, Problem, Refusal, Rollouts, Shared, share};
use hgpo_core::Options;

impl Document {
    /// The same without the other tasks.
    pub(crate) fn of_task(&self) -> Self {
        let Rollouts { tasks, made, padding, is_edited } = &*self.rollouts;
        let tasks = vec![tasks[self.task].clone()];
        let (made, padding, is_edited) = (made.clone(), *padding, *is_edited);
        let rollouts = Rollouts { tasks, made, padding, is_edited };
        Self { rollouts: Shared::new(rollouts), task: 0, ..self.clone() }
    }

    /// Whether the estimator looks for agents that no step names.
    pub(crate) fn lacks_agents(&self) -> bool {
        self.controls.reads_agents() && !self.rollouts.name_agents()
    }

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
