//! The parts of the page, one a file.

mod arithmetic;
mod chip;
mod comparison;
mod controls;
mod derived;
mod element;
mod explore;
mod export;
mod field;
mod groups;
mod help;
mod learn;
mod lesson;
mod load_failure;
mod masthead;
mod menu;
mod notices;
mod panel;
mod peek;
mod phases;
mod row;
mod share;
mod sources;
mod stage;
mod told;
mod train;
mod truth;

pub(crate) use explore::Explore;
pub(crate) use learn::Learn;
pub(crate) use lesson::choice_of_lessons;
pub(crate) use masthead::{Masthead, use_masthead};
pub(crate) use notices::{ignored, not_opened};
pub(crate) use train::use_train;

use panel::Panel;
