//! Work that comes in whole: from a link, from the last visit, from a lesson; and steps found in an overview.

use super::lesson::own;
use super::share::{self, Work};
use super::{
    Cell, Controls, Document, History, Model, PRESETS, Place, Problem, Rollouts, Shared, Source,
    Tab, file_name,
};
use hgpo_core::Trajectory;

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

    /// Opens rollouts, under the settings as they are where that can be.
    pub(super) fn show(&mut self, source: Source, rollouts: Shared<Rollouts>, selected: Cell) {
        let controls = fitting(self.document.controls.clone(), &rollouts);
        self.open(Document { source, rollouts, controls, task: 0, selected, told: None });
    }

    /// Takes the lesson of a file.
    pub(super) fn course(&mut self, name: String, text: &str) {
        match own::add(&name, text, false) {
            Ok(lesson) => self.go(Tab::Learn(Some(Place::first(lesson)))),
            Err(why) => {
                let fault = Some(own::Fault::Wrong(why));
                self.problem = Some(Problem::Lesson { name, step: None, fault });
            }
        }
    }

    /// Opens a file of rollouts, estimated as it was recorded; one step back are the settings from before. They stay
    /// where the file before was recorded alike, and the reader has set something else since.
    pub(super) fn load(&mut self, name: String, rollouts: Shared<Rollouts>) {
        if !self.tab.is_own() {
            self.go(Tab::Explore);
        }
        let awaited = self.awaited.take().filter(|of| file_name(&of.address) == name);
        let stays = self.document.recorded().is_some_and(|of| rollouts.recorded() == Some(of));
        self.show(Source::File(name), rollouts, Cell::default());
        if !stays && self.can_be_as_recorded() {
            self.set_as_recorded();
        }
        if let Some(awaited) = awaited {
            self.ask(&awaited.asked);
            self.history = History::default();
        }
    }

    /// Takes over the work of a link, or says what is wrong with it.
    pub(super) fn link(&mut self, text: &str) {
        self.close_overview();
        match share::decode(text) {
            Ok(work) => {
                self.go(Tab::Explore);
                self.restore(work);
            }
            Err(fault) => self.problem = Some(Problem::Link(fault)),
        }
    }

    /// Puts other attempts in the place of those on the stage; undo brings these back.
    pub(super) fn redraw(&mut self, attempts: Vec<Trajectory>) {
        // The worker draws what makes a batch.
        let Ok(drawn) = Rollouts::new(None, attempts) else { return };
        self.record();
        let document = self.document.clone();
        let controls = fitting(document.controls.clone(), &drawn);
        let selected = drawn.tasks[0].nearest(document.selected);
        let rollouts = document.rollouts.with(document.task, drawn.tasks[0].clone());
        self.turn_to(Document { rollouts: Shared::new(rollouts), controls, selected, ..document });
    }

    /// Goes to a part of the page. A lesson brings rollouts and settings of its own; whoever leaves it
    /// finds the own work as it was.
    pub(super) fn go(&mut self, tab: Tab) {
        let before = std::mem::replace(&mut self.tab, tab).place();
        self.is_surveyed |= tab == Tab::Overview;
        match tab.place() {
            Some(place) => {
                // A lesson may be opened anew, with other rollouts under the same name.
                let goes_on = before.is_some_and(|before| before.lesson == place.lesson);
                if self.own.is_none() {
                    self.own = Some(Box::new(self.clone()));
                }
                self.learn(place, goes_on);
            }
            None => self.take_up(),
        }
    }

    /// Makes what a lesson shows the reader's own work; undo leads back to what that was before.
    pub(super) fn keep(&mut self) {
        let Some(own) = self.own.take() else { return };
        self.tab = Tab::Explore;
        let shown = std::mem::replace(&mut self.document, own.document);
        self.history = own.history;
        self.record();
        self.document = shown;
    }

    /// Goes back to the rollouts as they were opened.
    pub(super) fn reset(&mut self) {
        if self.is_edited() {
            self.record();
            let rollouts = self.opened.clone();
            let task = self.document.task.min(rollouts.tasks.len() - 1);
            let selected = rollouts.tasks[task].nearest(self.document.selected);
            let controls = fitting(self.document.controls.clone(), &rollouts);
            self.turn_to(Document { rollouts, controls, task, selected, ..self.document.clone() });
        }
    }

    /// Shows a step of a task on the stage.
    pub(super) fn find(&mut self, task: usize, cell: Cell) {
        let task = task.min(self.document.rollouts.tasks.len() - 1);
        let selected = self.document.rollouts.tasks[task].nearest(cell);
        self.turn_to(Document { task, selected, ..self.document.clone() });
        self.close_overview();
    }

    /// Goes back to the stage, if the overview is open.
    pub(super) fn close_overview(&mut self) {
        if self.tab == Tab::Overview {
            self.tab = Tab::Explore;
        }
    }

    /// Goes on with the work that was set aside, if any was.
    fn take_up(&mut self) {
        let Some(own) = self.own.take() else { return };
        self.turn_to(own.document);
        (self.opened, self.history) = (own.opened, own.history);
        (self.level, self.phase) = (own.level, own.phase);
    }

    /// Shows a stop of a lesson, which `goes_on` with what is shown where that is the stop's.
    /// What a reader changes at a stop is undone there, and gone with it.
    fn learn(&mut self, place: Place, goes_on: bool) {
        let (stop, shown) = (place.stop(), &self.document);
        let is_shown = |source: &Source| shown.source == *source && !self.is_edited();
        let brought = match stop.preset {
            Some(index) if is_shown(&Source::Preset(index)) => None,
            Some(index) => {
                let (rollouts, selected) = PRESETS[index].load();
                Some((Source::Preset(index), rollouts, selected))
            }
            None => place.rollouts().and_then(|(name, text)| {
                let source = Source::File(name);
                let read = || Rollouts::read(text).expect("it was read with the lesson");
                (!goes_on || !is_shown(&source)).then(|| (source, read(), Cell::default()))
            }),
        };
        let mut next = Document { task: 0, told: None, ..shown.clone() };
        if let Some((source, rollouts, selected)) = brought {
            next = Document { source, rollouts: Shared::new(rollouts), selected, ..next };
        }
        let nearest = next.rollouts.tasks[0].nearest(next.selected);
        next.selected = stop.select.unwrap_or(nearest);
        if next.controls.options != stop.options {
            next.controls = Controls::of(stop.options.clone());
        }
        if next != self.document {
            self.open(next);
        }
        self.history = History::default();
        (self.level, self.phase) = (stop.level, stop.phase);
    }
}

/// Controls as they are, where rollouts have what they ask for; those to begin with, where not.
fn fitting(controls: Controls, rollouts: &Rollouts) -> Controls {
    if share::check(rollouts, &controls.options).is_ok() { controls } else { Controls::default() }
}

#[cfg(test)]
mod tests {
    use crate::model::{Action, Cell, Model, Problem, Rollouts, Shared, Tab, Theme, update};

    const OVERVIEW: Action = Action::Go(Tab::Overview);

    const TWO: &str = r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":1}]}
{"task":"h","trajectory":"y","steps":[{"state":"a","reward":1},{"state":"b","reward":0}]}"#;

    fn load() -> Action {
        let rollouts = Shared::new(Rollouts::read(TWO).expect("rollouts"));
        Action::Load { name: "two".to_owned(), rollouts }
    }

    fn after(actions: &[Action]) -> Model {
        let model = Model::new(Theme::Auto);
        actions.iter().fold(model, |model, action| update(&model, action.clone()))
    }

    #[test]
    fn a_step_is_found_in_any_task_and_closes_the_overview() {
        let at = Cell { row: 0, step: 1 };
        let found = after(&[load(), OVERVIEW, Action::Find(1, at)]);
        assert_eq!((found.document.task, found.document.selected, found.focus), (1, at, at));
        assert_eq!((found.tab, found.is_surveyed), (Tab::Explore, true));
        let beyond = after(&[load(), Action::Find(9, Cell { row: 9, step: 9 })]);
        assert_eq!(
            (beyond.document.task, beyond.document.selected),
            (1, at),
            "the nearest there is"
        );
        assert!(!beyond.is_surveyed, "it was never there");
    }

    #[test]
    fn a_lesson_is_left_for_the_overview_and_finds_the_work_as_it_was() {
        crate::model::lesson::tests::have_lessons();
        let place = crate::model::Place::find("context", None);
        let learning = after(&[load(), Action::Go(Tab::Learn(place))]);
        let survey = update(&learning, OVERVIEW);
        assert_eq!(survey.document.rollouts.tasks.len(), 2);
        let broken =
            after(&[load(), OVERVIEW, Action::Problem(Some(Problem::NotRead("x".into())))]);
        assert_eq!((broken.tab, broken.problem.is_some()), (Tab::Overview, true));
    }

    #[test]
    fn other_rollouts_stay_in_the_overview_and_examples_leave_it() {
        assert_eq!(after(&[OVERVIEW, load()]).tab, Tab::Overview);
        for leaving in
            [Action::Open(0), Action::Find(0, Cell::default()), Action::Link(String::new())]
        {
            assert_eq!(after(&[load(), OVERVIEW, leaving]).tab, Tab::Explore);
        }
    }
}
