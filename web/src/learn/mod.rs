//! Learn: lessons, whose stops speak about what stands beside them.

pub(crate) mod model;
pub(crate) mod view;

pub(crate) use view::learn::Learn;
pub(crate) use view::lesson::choice_of_lessons;
