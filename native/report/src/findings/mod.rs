//! What studies say: statistics of arms, and which runs they are of.

mod arm;
mod part;
mod spread;

pub(crate) use arm::Finding;
pub(crate) use part::{Part, parts};
pub(crate) use spread::Spread;
