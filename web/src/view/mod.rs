//! Parts of the page that stand around its views, and what views are made of.

pub(crate) mod keys;
pub(crate) mod late;
mod masthead;
pub(crate) mod menu;
pub(crate) mod notice;
pub(crate) mod plot;
pub(crate) mod share;
mod train;

pub(crate) use late::{Notices, ignored, not_opened, on_its_way};
pub(crate) use masthead::use_masthead;
pub(crate) use train::use_train;
