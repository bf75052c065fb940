//! Settings of `webshop`.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::Telling;
use crate::SettingError;
use crate::registry::table::Table;

/// Files of settings hold whole numbers with a sign.
pub(super) const SEEDS: RangeInclusive<u64> = 0..=i64::MAX as u64;

/// How pages are told, and what is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebshopSettings {
    /// `text`, `text_rich` or `lines`.
    pub observation: Telling,
    /// Whether goals are those that people wrote, in place of one for every combination of options.
    pub human_goals: bool,
    /// Seed of prices, price limits and the order of goals: 0 to 2^63 - 1.
    pub seed: u64,
}

impl Table for WebshopSettings {
    const NAME: &str = "webshop";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("seed", self.seed, &SEEDS)
    }
}
