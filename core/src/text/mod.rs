//! Text: JSON values, numbers, and names of unknown origin in one-line messages.

pub(crate) mod json;
pub(crate) mod decimal;
pub(crate) mod number;
pub(crate) mod escape;

