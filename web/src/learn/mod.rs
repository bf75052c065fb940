//! Learn: lessons, whose stops speak about what stands beside them.

pub(crate) mod model;
pub(crate) mod view;

pub(crate) use view::{Learn, choice_of_lessons};
