//! Values of states: learned by a critic, estimated by restarts, computed from a finite process, or
//! measured for a study of the bias of estimators.

pub mod bias_study;
pub mod critic;
pub mod finite_process;
pub mod restarts;

/// Continuations that run at once: enough to fill every batch, few enough to be held in memory.
pub const CONTINUATIONS: usize = 4096;
