//! The parts of the page, one a file.

mod arithmetic;
mod chip;
mod comparison;
mod controls;
mod element;
mod export;
mod field;
mod groups;
mod help;
mod lesson;
mod masthead;
mod panel;
mod peek;
mod phases;
mod row;
mod share;
mod sources;
mod stage;

pub(crate) use comparison::Comparison;
pub(crate) use controls::Controls;
pub(crate) use export::{Exported, use_export};
pub(crate) use lesson::use_lessons;
pub(crate) use masthead::{Masthead, note, use_masthead};
pub(crate) use panel::Panel;
pub(crate) use peek::peek;
pub(crate) use share::broken_link;
pub(crate) use sources::{Sources, sources};
pub(crate) use stage::{Stage, use_stage};
