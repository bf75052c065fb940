//! A shop that is open: what all its episodes share.

use std::sync::Arc;

use super::ShopError;
use super::catalogue::Catalogue;
use super::goals::{Goal, Goals, Wanted};
use super::reward::{Nouns, Reward};
use super::search::Index;

/// Products, their index, goals, prices and nouns.
#[derive(Clone, Debug)]
pub struct Shop {
    catalogue: Arc<Catalogue>,
    index: Arc<Index>,
    nouns: Nouns,
    goals: Goals,
    prices: Vec<f64>,
    /// Products on a page of results.
    pub(super) on_a_page: usize,
}

/// Products that a search shows, at most.
pub(super) const FOUND: usize = 50;

/// Products on a page of results, in the original.
const ON_A_PAGE: usize = 10;

impl Shop {
    /// Opens a shop with the goals of a seed.
    ///
    /// # Errors
    /// Where there is no goal, or there are more than can be counted.
    pub fn new(
        catalogue: Arc<Catalogue>,
        nouns: Nouns,
        wanted: Wanted,
        seed: u64,
    ) -> Result<Self, ShopError> {
        let (goals, prices) = Goals::draw(&catalogue, wanted, seed)?;
        let products = catalogue.products().iter();
        let index = Arc::new(Index::build(products.map(|it| (&*it.asin, it.searched_text()))));
        Ok(Self { catalogue, index, nouns, goals, prices, on_a_page: ON_A_PAGE })
    }

    /// The shop with another number of products on a page of results than the original's ten: at least
    /// one.
    #[must_use]
    pub fn showing(self, on_a_page: usize) -> Self {
        Self { on_a_page: on_a_page.max(1), ..self }
    }

    /// The products.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The goals.
    #[must_use]
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// A goal, written out.
    #[must_use]
    pub fn goal(&self, number: usize) -> Option<Goal> {
        self.goals.get(&self.catalogue, number)
    }

    /// The places of the products that a text finds.
    #[must_use]
    pub fn search(&self, text: &str) -> Vec<u32> {
        self.index.search(text, FOUND).into_iter().map(|hit| hit.document).collect()
    }

    /// What it earns to buy a product with these values, where a goal was asked for.
    #[must_use]
    pub fn reward(&self, place: u32, chosen: &[&str], goal: &Goal) -> Option<Reward> {
        let product = |place: u32| self.catalogue.products().get(place as usize);
        let (bought, wanted) = (product(place)?, product(goal.product)?);
        let price = *self.prices.get(place as usize)?;
        Some(Reward::of((bought, price, chosen), (goal, wanted), &self.nouns))
    }
}
