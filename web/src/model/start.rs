//! How the page starts: with what its address names, else with the last work, else with the first
//! example.

use super::{
    Action, Awaited, Chrome, Ignored, Listed, Model, PRESETS, Place, Preset, Problem, Rollouts,
    Shared, Source, Tab, lesson, share, update,
};

impl Model {
    /// The page as an address and the browser's storage ask for it.
    ///
    /// `link` is what follows `#`, `kept` the work of the last visit.
    pub(crate) fn started(self, chrome: &Chrome, link: &str, kept: Option<&str>) -> Self {
        let mut model = if let Some(name) = chrome.lesson.clone() {
            let place = Place::find(&name, chrome.step);
            let missing = || Action::Missing(name, chrome.step);
            let action = place.map_or_else(missing, |place| Action::Go(Tab::Learn(Some(place))));
            update(&self.resumed(kept), action)
        } else if let Some(address) = chrome.file_address().filter(|_| link.is_empty()) {
            let (address, asked) = (address.to_owned(), chrome.asked.clone());
            Self { awaited: Some(Awaited { address, asked }), ..self }
        } else if let Some(name) = chrome.preset.clone() {
            match Preset::position(&name) {
                Some(index) => update(&self, Action::Open(index)),
                None => Self { problem: Some(Problem::Link(share::Fault::Example(name))), ..self },
            }
        } else if link.is_empty() && !chrome.names_work() {
            self.resumed(kept)
        } else {
            self
        };
        model.ignored.clone_from(&chrome.ignored);
        let stops = model.place().map_or(0, |place| place.stops().len());
        if let Some(step) = chrome.step.filter(|step| stops > 0 && !(1..=stops).contains(step)) {
            let known = ["1, \u{2026}, ", &stops.to_string()].concat();
            model.ignored.push(Ignored::new("step", &step.to_string(), known));
        }
        if matches!(chrome.tab(), Tab::Learn(None) | Tab::Train) && model.place().is_none() {
            model.tab = chrome.tab();
        }
        model.setup.clone_from(&chrome.train);
        if !link.is_empty() {
            model = update(&model, Action::Link(link.to_owned()));
        }
        if model.awaited.is_some() {
            // The file is on its way.
        } else if model.tab == Tab::Explore {
            model.ask(&chrome.asked);
        } else {
            // A lesson has settings of its own.
            let pairs = chrome.asked.pairs().into_iter();
            let none = |(key, value): (&str, String)| Ignored::new(key, &value, String::new());
            model.ignored.extend(pairs.map(none));
        }
        if chrome.tab() == Tab::Overview && model.tab == Tab::Explore {
            model.go(Tab::Overview);
        }
        model.history = super::History::default();
        model
    }

    /// Says that a lesson cannot be had, and why, beside those that there are.
    pub(super) fn miss(&mut self, name: String, step: Option<usize>) {
        self.go(Tab::Learn(None));
        self.problem = Some(match (lesson::own::fault(&name), Listed::position(&name)) {
            (None, None) => Problem::Link(share::Fault::Lesson(name)),
            (fault, _) => Problem::Lesson { name, step, fault },
        });
    }

    /// The last work, if there is any that can still be read.
    fn resumed(mut self, kept: Option<&str>) -> Self {
        if let Some(Ok(work)) = kept.map(share::decode) {
            self.restore(work);
        }
        self
    }
}

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
mod inspect_tests {
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

#[cfg(test)]
mod tests {
    use super::{Chrome, Model, Preset, share};
    use crate::model::{
        Action, Cell, Edit, EditKind, PRESETS, Place, Problem, Source, Tab, Theme, update,
    };

    fn fresh() -> Model {
        crate::model::lesson::tests::have_lessons();
        Model::new(Theme::Auto)
    }

    fn started(query: &str, link: &str, kept: Option<&str>) -> Model {
        fresh().started(&Chrome::parse(query), link, kept)
    }

    /// The alone example with an edit, as it is kept.
    fn work() -> String {
        let alone = update(&fresh(), Action::Open(PRESETS.len() - 1));
        let edit = Edit(Cell::default(), EditKind::State("elsewhere".to_owned()));
        share::encode(&update(&alone, Action::Edit(edit)).work())
    }

    fn first_state(model: &Model) -> String {
        model.on_stage().step(Cell::default()).state.clone()
    }

    #[test]
    fn the_last_work_comes_back_unless_the_address_says_otherwise() {
        let kept = work();
        let resumed = started("?hide=panel&lang=ko", "", Some(&kept));
        assert_eq!(first_state(&resumed), "elsewhere");
        assert!(!resumed.history.has_past() && resumed.is_edited(), "reset leads to the example");
        let anew = update(&resumed, Action::Reset);
        assert_ne!(first_state(&anew), "elsewhere");
        let named = started("?preset=overview", "", Some(&kept));
        assert_eq!(named.document, Model { document: named.document.clone(), ..fresh() }.document);
        assert_eq!(named.document.source, Source::Preset(0));
        assert_ne!(first_state(&named), "elsewhere");
        assert_eq!(first_state(&started("", "", Some("1.garbage"))), first_state(&fresh()));
        assert_eq!(started("", "", Some("1.garbage")).problem, None, "nobody asked for it");
    }

    #[test]
    fn a_link_is_opened_and_a_broken_one_is_said() {
        let linked = started("?preset=overview", &work(), None);
        assert_eq!(first_state(&linked), "elsewhere");
        let broken = started("", "1.garbage", Some(&work()));
        assert_eq!(broken.problem, Some(Problem::Link(share::Fault::Damaged)));
        assert_eq!(first_state(&broken), first_state(&fresh()), "the page as it opens");
        let unknown = started("?preset=nonsense", "", None);
        assert!(matches!(unknown.problem, Some(Problem::Link(share::Fault::Example(_)))));
    }

    #[test]
    fn a_lesson_is_opened_at_its_step() {
        let model = started("?lesson=context&step=3", "", Some(&work()));
        assert_eq!(model.place(), Place::find("context", Some(3)));
        assert!(!model.history.has_past());
        let left = update(&model, Action::Go(Tab::Explore));
        assert_eq!(first_state(&left), "elsewhere", "the last work waits");
        let far = started("?lesson=context&step=99", "", None);
        assert_eq!(far.place(), Place::find("context", Some(99)));
        let said: Vec<&str> = far.ignored.iter().map(|one| &*one.said).collect();
        assert_eq!(said, ["step=99"]);
        let unknown = started("?lesson=nonsense", "", None);
        assert_eq!(unknown.tab, Tab::Learn(None));
        assert!(matches!(unknown.problem, Some(Problem::Link(share::Fault::Lesson(_)))));
        assert_eq!(started("?view=learn", "", None).tab, Tab::Learn(None));
    }

    #[test]
    fn training_is_opened_with_what_is_set_and_the_last_work_waits() {
        let model = started("?view=train&train=slip.0.2&method=gigpo", "", Some(&work()));
        assert_eq!((model.tab, model.setup.as_deref()), (Tab::Train, Some("slip.0.2")));
        let said: Vec<&str> = model.ignored.iter().map(|one| &*one.said).collect();
        assert_eq!(said, ["method=gigpo"], "training has lanes");
        let of_last = started("?view=train", "", Some(&work()));
        assert_eq!((of_last.tab, &*first_state(&of_last)), (Tab::Train, "elsewhere"));
        assert_eq!(
            started("?view=train&lesson=context", "", None).place(),
            Place::find("context", None)
        );
        let of_link = started("?view=train", &work(), None);
        assert_eq!((of_link.tab, &*first_state(&of_link)), (Tab::Explore, "elsewhere"));
    }

    #[test]
    fn the_overview_is_of_whatever_the_address_names() {
        let of_last = started("?view=overview", "", Some(&work()));
        assert_eq!((of_last.tab, &*first_state(&of_last)), (Tab::Overview, "elsewhere"));
        assert!(of_last.is_surveyed);
        let of_link = started("?view=overview", &work(), None);
        assert_eq!((of_link.tab, &*first_state(&of_link)), (Tab::Overview, "elsewhere"));
        let of_example = started("?view=overview&preset=loop&method=gigpo", "", Some(&work()));
        assert_eq!(of_example.tab, Tab::Overview);
        assert_eq!(of_example.document.source, Source::Preset(Preset::position("loop").unwrap()));
        assert_eq!(of_example.ignored, [], "settings hold there too");
        let lesson = started("?view=overview&lesson=context", "", None);
        assert_eq!(lesson.place(), Place::find("context", None), "a lesson has no overview");
        assert_eq!(started("?view=overview&lesson=nonsense", "", None).tab, Tab::Learn(None));
    }
}
