//! What is true of the steps of a known process, attempts drawn anew, and studies of estimators against the truth.
//!
//! | request | answer |
//! |---|---|
//! | `{"study": {"process", "options", "attempts", "samples", "seed"}}` | `{"study": …}`, a [`SimulationReport`](hgpo_core::process::simulation::SimulationReport) |
//! | `{"draw": {"process", "task", "attempts", "seed"}}` | `{"draw": […]}`, [trajectories](hgpo_core::Trajectory) |
//! | `{"truth": {"process", "discount", "attempt", "step", "situation"}}` | `{"truth": …}`, a [`Truth`](message::Truth) |
//! | anything else | `{"error": "…"}`, one line that says what, where, and what to do |
//!
//! A process is written in the format of [`hgpo_core::process`], options as in traces. The same
//! request has the same answer, byte for byte, on every machine. Without the feature `process` there are messages
//! alone.

pub mod message;

#[cfg(feature = "process")]
mod answer;

#[cfg(feature = "process")]
pub use answer::answer;
