//! How the page starts: with what its address names, else with the last work, else with the first
//! example.

use super::{
    Action, Chrome, Ignored, Listed, Model, Place, Preset, Problem, Tab, lesson, share, update,
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
        if model.tab == Tab::Explore {
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
