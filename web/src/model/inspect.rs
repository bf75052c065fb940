//! Looking into an iteration of the training.

use super::{Model, PRESETS, Problem, Rollouts, Shared, Source, Tab};

impl Model {
    /// Opens what a lane of the training has played, with its estimator and settings.
    pub(super) fn inspect(&mut self, name: String, text: &str) {
        // That of a lesson is none of the reader's.
        let setup = self.setup.clone().filter(|_| self.tab == Tab::Train);
        self.go(Tab::Explore);
        match Rollouts::read(text) {
            Ok(rollouts) => {
                self.load(name, Shared::new(rollouts));
                self.set_as_recorded();
                (self.inspected, self.inspected_setup) = (Some(self.opened.clone()), setup);
            }
            Err(error) => {
                self.problem = Some(Problem::File { name, message: error.to_string() });
            }
        }
    }

    /// Knows an iteration again that was open at the last visit, by the training that the address names and by what
    /// such an iteration is called.
    pub(crate) fn know_inspected(&mut self, name: String) {
        if self.setup.is_some() && self.document.source == Source::File(name) {
            self.inspected = Some(self.opened.clone());
            self.inspected_setup.clone_from(&self.setup);
        }
    }

    /// What is set of the training, where that or an iteration of it is shown.
    pub(crate) fn shown_setup(&self) -> Option<&String> {
        match self.tab {
            Tab::Train => self.setup.as_ref(),
            Tab::Explore | Tab::Overview if self.is_inspected() => self.inspected_setup.as_ref(),
            _ => None,
        }
    }

    /// Whether what is open was opened from the training.
    pub(crate) fn is_inspected(&self) -> bool {
        self.inspected.as_ref() == Some(self.origin())
    }

    /// The name of the process that the attempts on the stage come from: that of an example, or none of a
    /// task of the training that was looked into last; nothing where it is not known.
    pub(crate) fn process(&self) -> Option<&str> {
        match &self.document.source {
            Source::Preset(index) => {
                Some(&*PRESETS[*index].name).filter(|_| PRESETS[*index].has_process)
            }
            Source::File(_) => {
                // An edit changes nothing about how the rest was made.
                let made = self.document.rollouts.made.as_ref()?;
                (self.inspected.as_ref()?.made.as_ref() == Some(made)).then_some("")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{
        Action, Cell, Chrome, Edit, EditKind, Model, Problem, Rollouts, Shared, Tab, Theme, share,
        update,
    };
    use hgpo_core::{Step, Trajectory};

    const TRACE: &str = r#"{"environment":"gridworld","seed":3,"iteration":40,"discount":0.5,"estimator":{"name":"gigpo","scale":"mean"}}
{"task":"g00","trajectory":"x","steps":[{"state":"open: up","action":"up","reward":4}]}
{"task":"g00","trajectory":"y","steps":[{"state":"open: up","action":"left","reward":0}]}"#;

    fn inspect(text: &str) -> Action {
        Action::Inspect { name: "training, iteration 40".to_owned(), text: text.to_owned() }
    }

    fn after(model: &Model, actions: impl IntoIterator<Item = Action>) -> Model {
        actions.into_iter().fold(model.clone(), |model, action| update(&model, action))
    }

    #[test]
    fn an_iteration_is_opened_with_the_settings_of_its_lane() {
        let training = after(&Model::new(Theme::Auto), [Action::Go(Tab::Train)]);
        let model = after(&training, [inspect(TRACE)]);
        assert_eq!((model.tab, &model.problem, model.is_inspected()), (Tab::Explore, &None, true));
        assert_eq!(model.document.source.title(), "training, iteration 40");
        let value = |key| model.document.controls.value(key).unwrap_or_default();
        assert_eq!(["estimator", "scale", "discount"].map(value), ["gigpo", "mean", "0.5"]);
        assert_eq!(model.document.recorded(), None);
        let edit = Action::Edit(Edit(Cell::default(), EditKind::Reward("7".to_owned())));
        let later = after(&model, [edit, Action::Go(Tab::Train), Action::Go(Tab::Explore)]);
        assert!(later.is_inspected(), "an edit changes nothing about where it is from");
        assert!(!after(&later, [Action::Open(0)]).is_inspected());
        assert!(!training.is_inspected());
    }

    #[test]
    fn the_setup_is_told_while_an_iteration_of_it_is_open() {
        let set = Action::Setup("slip.0.2".to_owned());
        let training = after(&Model::new(Theme::Auto), [Action::Go(Tab::Train), set]);
        let open = after(&training, [inspect(TRACE)]);
        assert_eq!(open.shown_setup().map(|setup| &**setup), Some("slip.0.2"));
        assert_eq!(after(&open, [Action::Open(0)]).shown_setup(), None);
        let of_lesson = after(&training, [Action::Go(Tab::Explore), inspect(TRACE)]);
        assert_eq!(of_lesson.shown_setup(), None, "what a lesson sets is not the reader's");
        // After a reload the address and what was kept say that it is from there.
        let kept = share::encode(&open.work());
        let started = |query: &str, kept: &str| {
            let mut model = Model::new(Theme::Auto).started(&Chrome::parse(query), "", Some(kept));
            model.know_inspected("training, iteration 40".to_owned());
            model
        };
        let again = started("?train=slip.0.2", &kept);
        assert!(again.is_inspected() && again.shown_setup() == open.shown_setup());
        assert!(!started("", &kept).is_inspected());
        let other = share::encode(&after(&open, [Action::Open(0)]).work());
        assert!(!started("?train=slip.0.2", &other).is_inspected());
    }

    #[test]
    fn the_process_is_known_as_long_as_its_attempts_are_on_the_stage() {
        let load = || Action::Load {
            name: "a".to_owned(),
            rollouts: Shared::new(Rollouts::read(TRACE).expect("rollouts")),
        };
        let redraw = || {
            let steps = vec![Step::new("s", 0.0)];
            Action::Redraw(vec![Trajectory::new("g00", "t1", steps)])
        };
        let edit = || Action::Edit(Edit(Cell::default(), EditKind::Reward("7".to_owned())));
        let model = after(&Model::new(Theme::Auto), [Action::Open(0)]);
        assert_eq!(model.process(), Some("overview"));
        let model = after(&model, [inspect(TRACE)]);
        assert_eq!(model.process(), Some(""));
        for known in [
            vec![edit()],
            vec![edit(), Action::Undo],
            vec![edit(), Action::Reset],
            vec![redraw()],
            vec![redraw(), Action::Undo],
            vec![load(), Action::Undo],
            vec![Action::Go(Tab::Train), Action::Go(Tab::Explore)],
        ] {
            assert_eq!(after(&model, known.clone()).process(), Some(""), "{known:?}");
        }
        // The same bytes again are not known to be of this training.
        assert_eq!(after(&model, [load()]).process(), None);
        // Settings and rollouts are two changes.
        let back = || [Action::Undo, Action::Undo];
        assert_eq!(after(&model, back()).process(), Some("overview"));
        let again = after(&after(&model, [inspect(TRACE)]), back());
        assert_eq!((again.is_edited(), again.process()), (true, None), "it is not the last one");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let model = after(&Model::new(Theme::Auto), [inspect("{")]);
        assert!(matches!(model.problem, Some(Problem::File { .. })) && !model.is_inspected());
    }
}
