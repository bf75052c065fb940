//! Comparison: the steps that a step is compared with.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::groups::hierarchy::Level;

/// Who a step is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Episodes of the task, or of the agent in it.
    Episode,
    /// Steps with the same context of this length.
    Level(Level),
    /// All steps of the task, or of the agent in it.
    Steps,
}

impl Comparison {
    /// The length of the context, if one is compared.
    #[must_use]
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Episode | Self::Steps => None,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Episode => f.write_str("episode"),
            Self::Level(level) => write!(f, "level {level}"),
            Self::Steps => f.write_str("all steps"),
        }
    }
}

/// Why a group says nothing about a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skipped {
    /// The step has nobody to be compared with.
    Singleton,
    /// The advantage is exactly zero: all members are equal, the step is at the mean, or a gate is
    /// closed.
    Zero,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Singleton => "alone in its group",
            Self::Zero => "advantage 0",
        })
    }
}
