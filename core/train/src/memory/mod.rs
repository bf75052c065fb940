//! Estimates of what a run takes before it runs: memory, and floating-point operations.

mod estimate;
mod operations;
mod policy_size;
mod rollout_memory;

pub use self::estimate::{MemoryEstimate, MemoryPart};
pub use self::policy_size::PolicySize;
pub use self::rollout_memory::longest_prompt;
