//! Findings of studies: statistics of arms, and the runs that they are of.

mod arm_statistics;
mod overall;
mod part;
mod spread;

pub(crate) use self::arm_statistics::{Band, Finding};
pub(crate) use self::overall::{Method, Overall, overall};
pub(crate) use self::part::{Part, parts};
pub(crate) use self::spread::Spread;
use part::thresholds;
