//! The page's state and the one function that changes it. Nothing here touches a browser.

mod agents;
mod asked;
mod awaited;
mod cell;
mod chrome;
pub(crate) mod controls;
mod derived;
mod document;
mod edit;
mod elision;
pub(crate) mod explained;
mod extent;
mod history;
mod kept;
mod keys;
mod language;
mod named;
mod notice;
pub(crate) mod number;
mod open;
mod presets;
mod problem;
mod rollouts;
mod set;
pub(crate) mod share;
mod shared;
mod splits;
mod start;
mod window;

pub(crate) use crate::learn::model as lesson;
pub(crate) use agents::agent_of;
pub(crate) use asked::{Asked, Ignored, listed};
pub(crate) use awaited::{Awaited, file_name};
pub(crate) use cell::{Cell, Marked};
use chrome::decoded;
pub(crate) use chrome::{Chrome, Tab};
pub(crate) use controls::{Controls, ESTIMATOR, INSIDE, Key, estimators, key_of, kind};
pub(crate) use derived::{Advantages, Marks, Shown};
pub(crate) use document::{Document, Source, Told};
pub(crate) use edit::{Edit, EditKind, Refusal};
pub(crate) use elision::elided;
pub(crate) use explained::{Contrast, Explained, Group, letter};
pub(crate) use extent::{Extent, Visible};
pub(crate) use history::History;
pub(crate) use kept::{Kept, Shelf, Slots};
pub(crate) use keys::{KeyAction, Press};
#[cfg(test)]
pub(crate) use language::speak;
pub(crate) use language::{Bilingual, Language, list, spoken};
pub(crate) use lesson::disclosure::Disclosure;
pub(crate) use lesson::progress::{Posed, Progress, Reply, Verdict};
pub(crate) use lesson::{LESSONS, Listed, Place, Question, number_of};
pub(crate) use named::{Part, Phase, Theme, named};
pub(crate) use notice::{Notice, Unkept};
pub(crate) use number::Figure;
pub(crate) use presets::{PRESETS, Preset, RECORDED, RECORDED_ADDRESS, recorded};
pub(crate) use problem::Problem;
pub(crate) use rollouts::{Made, Rollouts, State, Task};
pub(crate) use shared::Shared;
pub(crate) use splits::{Origin, Split, Track, splits, tracks};
pub(crate) use window::{Piece, View, Window, pieces};

use hgpo_core::Trajectory;

/// Everything that the page shows is a function of this.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    /// The work of the reader.
    pub(crate) document: Document,
    /// The rollouts as they were opened, to go back to.
    pub(crate) opened: Shared<Rollouts>,
    /// Which attempts and steps are shown and exported.
    pub(crate) extent: Extent,
    /// Undo and redo.
    pub(crate) history: History<Document>,
    /// The step that the arrow keys start from.
    pub(crate) focus: Cell,
    /// The step under the pointer.
    pub(crate) hovered: Option<Cell>,
    /// The steps that are marked: those of an arrow or of a state that is pointed at.
    pub(crate) marked: Marked,
    /// The level that the reader looks at; none for all together.
    pub(crate) level: Option<usize>,
    /// The level whose term the pointer or the focus is on.
    pub(crate) pointed: Option<usize>,
    /// The part of the arithmetic that is shown last; none for the whole.
    pub(crate) phase: Option<Phase>,
    /// The part of the page that is shown.
    pub(crate) tab: Tab,
    /// The page as it was with the reader's own work, while a lesson is on the stage.
    pub(crate) own: Option<Box<Self>>,
    /// What was answered to the questions.
    pub(crate) progress: Progress,
    /// Whether the overview was there already.
    pub(crate) is_surveyed: bool,
    /// The file that the address names, until it is there or the reader does something else.
    pub(crate) awaited: Option<Awaited>,
    /// What is set of the training, as its view writes it.
    pub(crate) setup: Option<String>,
    /// What was opened from the training last.
    pub(crate) inspected: Option<Shared<Rollouts>>,
    /// What was set of the reader's training that this was played in.
    pub(crate) inspected_setup: Option<String>,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// What is under way, or was not kept.
    pub(crate) notice: Option<Notice>,
    /// What of the address is left alone, until the reader has taken note.
    pub(crate) ignored: Vec<Ignored>,
    /// Light or dark.
    pub(crate) theme: Theme,
}

/// What a reader can do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Show a worked example.
    Open(usize),
    /// Show a file of rollouts: its name, and the rollouts.
    Load { name: String, rollouts: Shared<Rollouts> },
    /// Look into an iteration of the training: what it is called, and the rollouts as the trainer writes them.
    Inspect { name: String, text: String },
    /// Go on with what is set of the training now.
    Setup(String),
    /// Take the lesson of a file: its name, and what it holds.
    Course { name: String, text: String },
    /// Say what went wrong; with none, say it no more, as it is tried again.
    Problem(Option<Problem>),
    /// Say what is under way or was not kept; with none, say it no more.
    Notice(Option<Notice>),
    /// Say no more what was under way, as it was cancelled.
    Cancelled,
    /// Show the work that a link holds.
    Link(String),
    /// Go to a part of the page.
    Go(Tab),
    /// Make what a lesson shows the own work.
    Keep,
    /// Answer the question that is asked, or have its answer shown: the reply, and the day.
    Reply(Reply, String),
    /// Forget every answer.
    Forget,
    /// Say that a lesson cannot be had at a step: its name, and the step.
    Missing(String, Option<usize>),
    /// Show a step of any task of the rollouts.
    Find(usize, Cell),
    /// Show some attempts and steps, where that can be understood.
    Extent(Extent),
    /// Explain a step.
    Select(Cell),
    /// Let the arrow keys start from a step.
    Focus(Cell),
    /// Point at a step, or at none.
    Hover(Option<Cell>),
    /// Mark some steps.
    Mark(Marked),
    /// Look at a level, or at all.
    Level(Option<usize>),
    /// Point at the term of a level, or at none.
    Point(Option<usize>),
    /// Show the arithmetic up to a part, or the whole.
    Phase(Option<Phase>),
    /// Set a control to what was typed or chosen.
    Set(Key, String),
    /// Set every option of the chosen estimator and of the returns back.
    Defaults,
    /// Set the controls as the file says that its advantages were estimated.
    Recorded,
    /// Change the rollouts.
    Edit(Edit),
    /// Put attempts in the place of those on the stage.
    Redraw(Vec<Trajectory>),
    /// Take the last change back.
    Undo,
    /// Make the change again that was taken back.
    Redo,
    /// Go back to the rollouts as they were opened.
    Reset,
    /// Say no more what of the address is left alone.
    Noted,
    /// Choose light or dark.
    Theme(Theme),
}

/// The most changes that can be undone.
const CHANGES: usize = 200;

/// The most steps that all kept changes together hold.
const KEPT_STEPS: usize = 400_000;

impl Model {
    /// The page as it opens: the first worked example.
    pub(crate) fn new(theme: Theme) -> Self {
        let (rollouts, selected) = PRESETS[0].load();
        let opened = Shared::new(rollouts);
        let document = Document { rollouts: opened.clone(), selected, ..Document::default() };
        Self { document, opened, focus: selected, theme, ..Self::default() }
    }

    /// The task on the stage.
    pub(crate) fn on_stage(&self) -> &Shared<Task> {
        &self.document.rollouts.tasks[self.document.task]
    }

    /// The stop of the lesson that is taken, if one is.
    pub(crate) fn place(&self) -> Option<Place> {
        self.tab.place()
    }

    /// The step that the pointer is on, or else the arrow keys.
    pub(crate) fn looked_at(&self) -> Cell {
        self.hovered.unwrap_or(self.focus)
    }

    /// Whether the rollouts are not as they were opened.
    pub(crate) fn is_edited(&self) -> bool {
        self.document.rollouts != self.opened
    }

    /// What the reader's own work was opened as: another whenever work is opened.
    pub(crate) fn origin(&self) -> &Shared<Rollouts> {
        self.own.as_ref().map_or(&self.opened, |own| &own.opened)
    }

    /// Keeps the work as it is now, before it is changed.
    fn record(&mut self) {
        let steps = self.document.rollouts.steps().max(1);
        let limit = (KEPT_STEPS / steps).clamp(4, CHANGES);
        self.history.record(self.document.clone(), limit);
    }

    /// What of the task on the stage is shown.
    pub(crate) fn visible(&self) -> Visible {
        let task = self.on_stage();
        self.extent.of(task).unwrap_or_else(|| Visible::all(task))
    }

    /// Shows some attempts and steps; the focus goes to one of them.
    fn choose_extent(&mut self, extent: Extent) {
        let Some(visible) = extent.of(self.on_stage()) else { return };
        self.extent = extent;
        if visible.place(self.focus).is_none() {
            self.focus = visible.cell(Cell::default());
        }
    }

    /// Shows all again where the reader has gone to what is not shown.
    fn show_focus(&mut self) {
        if !self.extent.is_all() && self.visible().place(self.focus).is_none() {
            self.extent = Extent::default();
        }
    }

    /// Takes work over that was opened, shared or kept.
    fn open(&mut self, document: Document) {
        self.extent = Extent::default();
        self.record();
        self.opened = document.rollouts.clone();
        self.turn_to(document);
        self.phase = None;
    }

    /// Goes on with another state of the work.
    fn turn_to(&mut self, document: Document) {
        self.focus = document.selected;
        self.hovered = None;
        self.pointed = None;
        self.marked = Marked::default();
        self.document = document;
    }

    fn edit(&mut self, edit: &Edit) {
        let task = self.document.task;
        let edited = self.document.rollouts.edited(task, edit).and_then(|(rollouts, selected)| {
            let taken = self.document.controls.options.check(&rollouts.tasks[task].batch);
            taken.map(|()| (rollouts, selected)).map_err(|_| Refusal::Estimator)
        });
        match edited {
            Ok((rollouts, selected)) => {
                self.record();
                self.document.rollouts = Shared::new(rollouts);
                self.document.selected = selected;
                self.focus = selected;
                self.hovered = None;
                self.marked = Marked::default();
            }
            Err(refusal) => self.problem = Some(Problem::Edit(edit.0, refusal)),
        }
    }
}

/// Whether an action only looks at what is there.
fn is_looking(action: &Action) -> bool {
    use Action::{Focus, Hover, Level, Mark, Notice, Phase, Point, Setup, Theme};
    matches!(
        action,
        Focus(_)
            | Hover(_)
            | Mark(_)
            | Point(_)
            | Level(_)
            | Phase(_)
            | Theme(_)
            | Setup(_)
            | Notice(_)
    )
}

/// The model after an action. A problem is said until the next action that could have caused one.
pub(crate) fn update(model: &Model, action: Action) -> Model {
    let mut next = model.clone();
    if !is_looking(&action) {
        next.problem = None;
        // Whoever does anything else goes on with what is there.
        if !matches!(action, Action::Load { .. } | Action::Problem(_)) {
            next.awaited = None;
        }
    }
    match action {
        Action::Open(index) => {
            let (rollouts, selected) = PRESETS[index].load();
            next.go(Tab::Explore);
            next.show(Source::Preset(index), Shared::new(rollouts), selected);
        }
        Action::Load { name, rollouts } => next.load(name, rollouts),
        Action::Inspect { name, text } => next.inspect(name, &text),
        // What a lesson sets is none of the reader's.
        Action::Setup(setup) if next.tab == Tab::Train => next.setup = Some(setup),
        Action::Setup(_) => {}
        Action::Course { name, text } => next.course(name, &text),
        Action::Problem(problem) => next.problem = problem,
        Action::Notice(notice) => next.notice = notice,
        Action::Cancelled => next.notice = None,
        Action::Link(text) => next.link(&text),
        Action::Go(tab) => next.go(tab),
        Action::Keep if model.withholds() => {}
        Action::Keep => next.keep(),
        Action::Reply(reply, date) => {
            if let Some(posed) = model.posed() {
                next.progress.reply(&posed, reply, date);
            }
        }
        Action::Forget => next.progress = Progress::default(),
        Action::Missing(lesson, step) => next.miss(lesson, step),
        Action::Find(task, cell) => next.find(task, cell),
        Action::Select(cell) => {
            next.document.selected = cell;
            next.focus = cell;
        }
        Action::Extent(extent) => next.choose_extent(extent),
        Action::Focus(cell) => next.focus = cell,
        Action::Hover(cell) => next.hovered = cell,
        Action::Mark(marked) => next.marked = marked,
        Action::Level(level) => next.level = level,
        Action::Point(level) => next.pointed = level,
        Action::Phase(phase) => next.phase = phase,
        Action::Set(key, text) => next.set(key, &text),
        Action::Defaults => next.set_back(),
        Action::Recorded => next.set_as_recorded(),
        Action::Edit(edit) => next.edit(&edit),
        Action::Redraw(attempts) => next.redraw(attempts),
        Action::Undo | Action::Redo => {
            let is_undo = action == Action::Undo;
            if let Some(other) = next.history.turn(is_undo, model.document.clone()) {
                next.turn_to(other);
            }
        }
        Action::Reset => next.reset(),
        Action::Noted => next.ignored.clear(),
        Action::Theme(theme) => next.theme = theme,
    }
    next.show_focus();
    next
}

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) mod witnesses;
