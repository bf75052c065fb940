//! Evaluations of a policy, while it is trained and afterwards.

pub(crate) mod bias_study;
pub(crate) mod evaluation_report;
pub(crate) mod held_out;
pub(crate) mod records;
