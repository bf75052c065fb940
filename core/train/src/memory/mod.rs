//! Estimates of what a run takes before it runs: memory, and floating-point operations.

mod estimate;
mod operations;
mod policy_size;
pub mod prompt_length;
mod rollout_memory;

pub use self::estimate::{MemoryEstimate, MemoryPart};
pub use self::policy_size::PolicySize;
