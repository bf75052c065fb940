//! Setting the controls, and what a work says of them.

use super::{Controls, Document, ESTIMATOR, Key, Model, Problem, Refusal, Rollouts, Shared, share};
use hgpo_core::Options;

impl Document {
    /// The same without the other tasks.
    pub(crate) fn of_task(&self) -> Self {
        let tasks = vec![self.rollouts.tasks[self.task].clone()];
        let rollouts = Rollouts { tasks, noticed: String::new(), ..(*self.rollouts).clone() };
        Self { rollouts: Shared::new(rollouts), task: 0, ..self.clone() }
    }

    /// Whether the estimator looks for agents that no step names.
    pub(crate) fn lacks_agents(&self) -> bool {
        let mut steps = self.rollouts.all().flat_map(|own| &own.steps);
        self.controls.options.estimator.reads_agents() && steps.all(|step| step.agent.is_none())
    }

    /// How the file says that its advantages were estimated, where the controls are set otherwise.
    pub(crate) fn recorded(&self) -> Option<&Options> {
        self.rollouts.recorded().filter(|options| **options != self.controls.options)
    }
}

impl Model {
    /// Sets an option to what was typed or chosen, or says why that cannot be.
    pub(super) fn set(&mut self, key: Key, text: &str) {
        match self.document.controls.with(key, text) {
            Some(controls) => self.set_all(key, controls),
            None => self.problem = Some(Problem::Control(key)),
        }
    }

    /// Sets every option of the chosen estimator and of the returns back.
    pub(super) fn set_back(&mut self) {
        self.set_all(ESTIMATOR, self.document.controls.set_back());
    }

    /// Sets the controls, of which one was changed, where the rollouts have what they ask for.
    fn set_all(&mut self, key: Key, controls: Controls) {
        if controls == self.document.controls {
            return;
        }
        match share::check(&self.document.rollouts, &controls.options) {
            Ok(()) => {
                self.record();
                self.document.controls = controls;
            }
            Err(error) => self.problem = Some(Problem::Unfit(key, error.to_string())),
        }
    }

    /// Whether the rollouts have what the settings need that they were recorded with.
    pub(super) fn can_be_as_recorded(&self) -> bool {
        let Document { rollouts, .. } = &self.document;
        rollouts.recorded().is_some_and(|options| share::check(rollouts, options).is_ok())
    }

    /// Whether the last change was that of the settings alone.
    pub(crate) fn has_former_settings(&self) -> bool {
        let former = self.history.last();
        former.is_some_and(|former| {
            former.rollouts == self.document.rollouts && former.controls != self.document.controls
        })
    }

    /// Sets the controls as the file says that its advantages were estimated; edits may have brought
    /// steps without the data for that.
    pub(super) fn set_as_recorded(&mut self) {
        let Some(options) = self.document.recorded().cloned() else { return };
        if self.can_be_as_recorded() {
            self.record();
            self.document.controls = Controls::of(options);
        } else {
            self.problem = Some(Problem::Edit(self.document.selected, Refusal::Estimator));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{
        Action, Cell, ESTIMATOR, Edit, EditKind, Model, Problem, Refusal, Rollouts, Shared, Theme,
        update,
    };
    use hgpo_core::format;

    const SILENT: &str = r#"{"task":"g","trajectory":"x","steps":[{"state":"s","reward":4}]}"#;

    fn after(model: &Model, actions: impl IntoIterator<Item = Action>) -> Model {
        actions.into_iter().fold(model.clone(), |model, action| update(&model, action))
    }

    fn choose(name: &str) -> Action {
        Action::Set(ESTIMATOR, name.to_owned())
    }

    fn load() -> Action {
        let rollouts = Shared::new(Rollouts::read(SILENT).expect("rollouts"));
        Action::Load { name: "f".to_owned(), rollouts }
    }

    #[test]
    fn what_rollouts_lack_is_not_asked_of_them() {
        let silent = after(&Model::new(Theme::Auto), [load()]);
        for name in ["crbc", "adastep", "ecpo"] {
            let refused = after(&silent, [choose(name)]);
            let Some(Problem::Unfit(ESTIMATOR, why)) = &refused.problem else { panic!("{name}") };
            assert!(why.contains("step 0: `action` is missing"), "{why}");
            assert_eq!(refused.document, silent.document);
        }
        let gae = after(&silent, [choose("composed"), Action::Set("credit", "gae".to_owned())]);
        assert_eq!(gae.problem, None);
        let recorded = after(&gae, [Action::Set("state_value", "recorded".to_owned())]);
        assert!(matches!(recorded.problem, Some(Problem::Unfit("state_value", _))));
    }

    #[test]
    fn settings_that_other_rollouts_cannot_have_are_set_back() {
        let spoken = after(&Model::new(Theme::Auto), [choose("crbc")]);
        let opened = after(&spoken, [load()]);
        assert_eq!((opened.document.controls.estimator(), &opened.problem), ("hgpo", &None));
        // What was opened lacks what an edit brought.
        let edit = Edit(Cell::default(), EditKind::Action("go".to_owned()));
        let edited = after(&opened, [Action::Edit(edit), choose("crbc")]);
        assert_eq!(edited.document.controls.estimator(), "crbc");
        let cleared = Edit(Cell::default(), EditKind::Action(String::new()));
        let kept = after(&edited, [Action::Edit(cleared)]);
        assert_eq!(kept.problem, Some(Problem::Edit(Cell::default(), Refusal::Estimator)));
        assert_eq!(after(&edited, [Action::Reset]).document.controls.estimator(), "hgpo");
        let drawn =
            after(&edited, [Action::Redraw(format::read_written(SILENT).expect("rollouts").1)]);
        assert_eq!(drawn.document.controls.estimator(), "hgpo");
        let again = after(&drawn, [Action::Undo]);
        assert_eq!(again.document.controls.estimator(), "crbc");
    }
}
