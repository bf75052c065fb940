//! Options of estimators: each is declared once, with its kind, range, default, meaning and source.

pub(crate) mod choice;
pub(crate) mod declaration;
pub(crate) mod fields;
