//! What studies say: statistics of arms, and which runs they are of.

mod arm;
mod overall;
mod part;
mod spread;

pub(crate) use arm::Finding;
pub(crate) use overall::{Method, Overall, overall};
use part::thresholds;
pub(crate) use part::{Part, parts};
pub(crate) use spread::Spread;
