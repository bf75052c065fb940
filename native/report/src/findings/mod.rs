//! Findings of studies: statistics of arms, and the runs that they are of.

mod arm_statistics;
mod overall;
mod part;

pub(crate) use self::arm_statistics::{Band, Finding, Spread};
pub(crate) use self::overall::{Method, Overall, overall};
pub(crate) use self::part::{Part, parts};
