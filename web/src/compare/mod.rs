//! Comparison of estimators: the task on the stage under several of them at once.

mod exhibit;
mod model;
mod view;

pub(crate) use model::{Bar, Detail, Silence};
pub(crate) use view::{Compare, CompareProps};
