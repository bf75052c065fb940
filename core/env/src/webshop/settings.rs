//! Settings of `webshop`.

use serde::{Deserialize, Serialize};

use super::Telling;
use super::goals::Wanted;
use crate::SettingError;
use crate::registry::table::Table;

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

impl WebshopSettings {
    /// Which goals.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        if self.human_goals { Wanted::Human } else { Wanted::Synthetic }
    }
}

impl Table for WebshopSettings {
    const NAME: &str = "webshop";

    fn check(&self) -> Result<(), SettingError> {
        // Files of settings hold whole numbers with a sign.
        if i64::try_from(self.seed).is_err() {
            let reason = format!("must lie between 0 and {}, not {}", i64::MAX, self.seed);
            return Err(SettingError::new("seed", &reason));
        }
        Ok(())
    }
}
