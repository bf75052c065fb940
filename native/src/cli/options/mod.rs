//! Options that several commands share, and how their values are parsed.

pub(super) mod environments;
pub(super) mod estimator;
pub(super) mod estimator_flags;
pub(super) mod language_model;
pub(super) mod numbers;
