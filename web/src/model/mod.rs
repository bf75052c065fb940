//! The page's state and the one function that changes it. Nothing here touches a browser.

mod cell;
mod controls;
mod derived;
pub(crate) mod number;
mod presets;
mod rollouts;
mod shared;

pub(crate) use cell::{Cell, Move};
pub(crate) use controls::{Controls, DEEPEST, Field, Kind, STEEPEST};
pub(crate) use derived::{Advantages, Explained, Group, Marks};
pub(crate) use presets::PRESETS;
pub(crate) use rollouts::{Rollouts, State, Task};
pub(crate) use shared::Shared;

use hgpo_core::{Scale, Weights};

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// What the system says.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Where the rollouts on the stage come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of [`PRESETS`], by position.
    Preset(usize),
    /// A file, by name.
    File(String),
}

/// What went wrong, and beside which control to say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A file could not be taken over.
    File {
        /// The file's name.
        name: String,
        /// What is wrong with it, where, and what to do.
        message: String,
    },
    /// A typed number is not admitted.
    Field(Field),
}

/// Everything that the page shows is a function of this.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    /// Where the rollouts come from.
    pub(crate) source: Source,
    /// The rollouts.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The task on the stage.
    pub(crate) task: usize,
    /// The step that the panel explains.
    pub(crate) selected: Cell,
    /// The step that the arrow keys start from.
    pub(crate) focus: Cell,
    /// The step under the pointer.
    pub(crate) hovered: Option<Cell>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// Light or dark.
    pub(crate) theme: Theme,
}

/// What a reader can do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Show a worked example.
    Open(usize),
    /// Show a file that was read.
    Load {
        /// The file's name.
        name: String,
        /// What it holds.
        text: String,
    },
    /// Say that a file could not be read.
    Refuse {
        /// The file's name.
        name: String,
        /// Why not.
        message: String,
    },
    /// Show another task of the rollouts.
    Task(usize),
    /// Explain a step.
    Select(Cell),
    /// Let the arrow keys start from a step.
    Focus(Cell),
    /// Point at a step, or at none.
    Hover(Option<Cell>),
    /// Choose an estimator.
    Estimator(Kind),
    /// Choose a scale.
    Scale(Scale),
    /// Choose a formula of weights.
    Weights(Weights),
    /// Take over a typed number.
    Type(Field, String),
    /// Choose light or dark.
    Theme(Theme),
}

impl Model {
    /// The page as it opens: the first worked example.
    pub(crate) fn new(theme: Theme) -> Self {
        let (rollouts, selected) = PRESETS[0].load();
        Self {
            source: Source::Preset(0),
            rollouts: Shared::new(rollouts),
            task: 0,
            selected,
            focus: selected,
            hovered: None,
            controls: Controls::default(),
            problem: None,
            theme,
        }
    }

    /// The task on the stage.
    pub(crate) fn on_stage(&self) -> &Shared<Task> {
        &self.rollouts.tasks[self.task]
    }

    fn show(&mut self, source: Source, rollouts: Rollouts, selected: Cell) {
        self.source = source;
        self.rollouts = Shared::new(rollouts);
        self.turn_to(0, selected);
    }

    fn turn_to(&mut self, task: usize, selected: Cell) {
        self.task = task;
        self.selected = selected;
        self.focus = selected;
        self.hovered = None;
    }

    fn load(&mut self, name: String, text: &str) {
        match Rollouts::read(text) {
            Ok(rollouts) => self.show(Source::File(name), rollouts, Cell::default()),
            Err(error) => {
                self.problem = Some(Problem::File { name, message: error.to_string() });
            }
        }
    }

    fn type_number(&mut self, field: Field, text: &str) {
        match self.controls.with(field, text) {
            Some(controls) => self.controls = controls,
            None => self.problem = Some(Problem::Field(field)),
        }
    }
}

/// The model after an action. A problem is said until the next action that could have caused one.
pub(crate) fn update(model: &Model, action: Action) -> Model {
    let mut next = model.clone();
    if !matches!(action, Action::Focus(_) | Action::Hover(_) | Action::Theme(_)) {
        next.problem = None;
    }
    match action {
        Action::Open(index) => {
            let (rollouts, selected) = PRESETS[index].load();
            next.show(Source::Preset(index), rollouts, selected);
        }
        Action::Load { name, text } => next.load(name, &text),
        Action::Refuse { name, message } => next.problem = Some(Problem::File { name, message }),
        Action::Task(task) => next.turn_to(task, Cell::default()),
        Action::Select(cell) => {
            next.selected = cell;
            next.focus = cell;
        }
        Action::Focus(cell) => next.focus = cell,
        Action::Hover(cell) => next.hovered = cell,
        Action::Estimator(kind) => next.controls.kind = kind,
        Action::Scale(scale) => next.controls.scale = scale,
        Action::Weights(weights) => next.controls.weights = weights,
        Action::Type(field, text) => next.type_number(field, &text),
        Action::Theme(theme) => next.theme = theme,
    }
    next
}

#[cfg(test)]
mod tests;
