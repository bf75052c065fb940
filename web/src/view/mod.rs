//! Parts of the page that stand around its views, and what views are made of, one a file.

pub(crate) mod glossary;
pub(crate) mod late;
mod masthead;
pub(crate) mod menu;
mod notices;
pub(crate) mod plot;
mod share;
pub(crate) mod slider;
mod train;

pub(crate) use masthead::use_masthead;
pub(crate) use notices::{ignored, not_opened};
pub(crate) use train::use_train;
