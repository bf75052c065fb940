//! Evaluations of a policy, while it is trained and afterwards.

pub mod bias_study;
pub mod evaluation_report;
pub mod held_out;
pub mod records;
