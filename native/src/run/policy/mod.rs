//! The policy that a run begins with, here and on workers.

pub(crate) mod language_model;
pub mod learner;
pub mod pretrained;
pub mod remote_worker;
