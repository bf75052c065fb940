//! Settings of `webshop-generated`.

use serde::{Deserialize, Serialize};

use super::super::settings::SEEDS;
use super::super::shop::FOUND;
use crate::SettingError;
use crate::registry::table::Table;

/// Size of the shop, and what is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeneratedShopSettings {
    /// Products: 16 to 2,000,000. The more there are, the more fit a goal in part.
    pub products: usize,
    /// Products on a page of results: 1 to 50. Fewer make prompts shorter.
    pub results_per_page: usize,
    /// Seed of products, price limits and the order of goals: 0 to 2^63 - 1.
    pub seed: u64,
}

impl Default for GeneratedShopSettings {
    fn default() -> Self {
        Self { products: 200, results_per_page: 5, seed: 0 }
    }
}

impl Table for GeneratedShopSettings {
    const NAME: &str = "generated_shop";

    fn check(&self) -> Result<(), SettingError> {
        // With fewer some split could be without goals.
        SettingError::within("products", self.products, &(16..=2_000_000))?;
        SettingError::within("results_per_page", self.results_per_page, &(1..=FOUND))?;
        SettingError::within("seed", self.seed, &SEEDS)
    }
}
