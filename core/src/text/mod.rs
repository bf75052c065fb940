//! Text: JSON values, numbers, and names of unknown origin in one-line messages.

pub(crate) mod escape;
pub(crate) mod json;
pub(crate) mod number;
