//! The parts of the page, one a file.

mod chip;
mod controls;
mod formulas;
mod groups;
mod lesson;
mod levels;
mod masthead;
mod panel;
mod peek;
mod row;
mod share;
mod sources;
mod stage;

pub(crate) use controls::Controls;
pub(crate) use lesson::Lessons;
pub(crate) use masthead::{Masthead, Note};
pub(crate) use panel::Panel;
pub(crate) use peek::Peek;
pub(crate) use share::broken_link;
pub(crate) use sources::Sources;
pub(crate) use stage::Stage;
