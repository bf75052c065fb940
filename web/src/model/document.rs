//! The work of the reader.

use super::{Cell, Controls, PRESETS, Rollouts, Shared, Told};

/// Where the rollouts on the stage come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of [`PRESETS`], by position.
    Preset(usize),
    /// A file, by name.
    File(String),
}

impl Source {
    /// What it is called.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Preset(index) => PRESETS[*index].title.text(),
            Self::File(name) => name,
        }
    }
}

/// What can be undone, shared and kept: everything that belongs to the work of the reader.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    /// Where the rollouts come from.
    pub(crate) source: Source,
    /// The rollouts.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The setting of every control.
    pub(crate) controls: Controls,
    /// The task on the stage.
    pub(crate) task: usize,
    /// The step that the panel explains.
    pub(crate) selected: Cell,
    /// What who shared it tells about it.
    pub(crate) told: Option<Told>,
}
