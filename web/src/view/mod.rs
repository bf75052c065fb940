//! The parts of the page, one a file.

mod chip;
mod comparison;
mod controls;
mod export;
mod formulas;
mod groups;
mod levels;
mod masthead;
mod panel;
mod peek;
mod row;
mod sources;
mod stage;

pub(crate) use comparison::Comparison;
pub(crate) use controls::Controls;
pub(crate) use export::{Export, Exported};
pub(crate) use masthead::{Masthead, Note};
pub(crate) use panel::Panel;
pub(crate) use peek::Peek;
pub(crate) use sources::Sources;
pub(crate) use stage::Stage;
