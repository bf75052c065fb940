//! Policy of a run at its start, here and on workers.

pub(crate) mod language_model;
pub mod learner;
pub mod pretrained;
pub mod remote_worker;
