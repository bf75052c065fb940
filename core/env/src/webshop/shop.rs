//! Shop: what all its episodes share, and what searches find in it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::ShopError;
use super::catalogue::Catalogue;
use super::goals::{Goal, Goals, Wanted};
use super::reward::{Nouns, Reward};
use crate::random::Stream;
use crate::search::Index;

/// Products, their index, goals, prices and nouns.
#[derive(Debug)]
pub struct Shop {
    catalogue: Arc<Catalogue>,
    index: Index,
    nouns: Nouns,
    goals: Goals,
    prices: Vec<f64>,
    /// Products on a page of results.
    pub(super) on_a_page: usize,
    /// What searches found that find any number of products, by their kind and words.
    found: Mutex<HashMap<Words, Arc<[u32]>>>,
}

/// The kind of a search, and its words.
type Words = (String, String);

/// Products that a search shows, at most.
pub(super) const FOUND: usize = 50;

/// The word that finds products at random.
const RANDOM: &str = "<r>";

/// Products on a page of results, in the original.
const ON_A_PAGE: usize = 10;

impl Shop {
    /// Opens a shop with the goals of a seed.
    ///
    /// # Errors
    /// If there is no goal, or there are more, or more terms, than can be counted.
    pub fn new(
        catalogue: Arc<Catalogue>,
        nouns: Nouns,
        wanted: Wanted,
        seed: u64,
    ) -> Result<Self, ShopError> {
        let (goals, prices) = Goals::draw(&catalogue, wanted, seed)?;
        let index = catalogue.index().map_err(ShopError::Terms)?;
        let found = Mutex::default();
        Ok(Self { catalogue, index, nouns, goals, prices, on_a_page: ON_A_PAGE, found })
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

    /// The product that a goal is made from, and its number among those of this product, as `ASIN/NUMBER`:
    /// the same under every seed.
    #[must_use]
    pub fn goal_id(&self, number: usize) -> Option<String> {
        let product = self.catalogue.product(self.goals.product(number)?)?;
        Some(format!("{}/{}", product.asin, self.goals.variant(number)?))
    }

    /// A goal's product and instruction.
    pub(super) fn goal_content(&self, number: usize) -> Option<String> {
        let goal = self.goal(number)?;
        Some(format!("{}\n{}", self.catalogue.product(goal.product)?.asin, goal.instruction))
    }

    /// The places of the products that a text finds.
    #[must_use]
    pub fn search(&self, text: &str) -> Vec<u32> {
        self.index.search(text, FOUND).into_iter().map(|hit| hit.document).collect()
    }

    /// The places of the products that words find. `<r>` shows some at random, `<c> category` those of a part
    /// of the shop, and `<q> question` those that a question found; `<a>` finds nothing (the original fails).
    pub(super) fn search_places(&self, keywords: &str, chance: &mut Stream) -> Arc<[u32]> {
        let (first, rest) = keywords.split_once(' ').unwrap_or((keywords, ""));
        match first {
            RANDOM => sample_places(self.catalogue.len(), chance).into(),
            "<a>" => Arc::from([]),
            "<c>" => {
                let category = rest.split(' ').next().unwrap_or_default().trim();
                self.all_such((first, category), |catalogue| catalogue.of_category(category))
            }
            "<q>" => {
                let query = rest.trim();
                self.all_such((first, query), |catalogue| catalogue.of_query(query))
            }
            _ => self.search(keywords).into(),
        }
    }

    /// What a search finds that finds all products of a kind, which all episodes share.
    fn all_such(
        &self,
        (kind, words): (&str, &str),
        find: impl FnOnce(&Catalogue) -> Vec<u32>,
    ) -> Arc<[u32]> {
        let key = (kind.to_owned(), words.to_owned());
        let mut known = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&key) {
            return found.clone();
        }
        let found: Arc<[u32]> = find(&self.catalogue).into();
        // Of words that find nothing there is no end.
        if !found.is_empty() {
            known.insert(key, found.clone());
        }
        found
    }

    /// What it earns to buy a product with these values, when a goal was asked for.
    #[must_use]
    pub fn reward(&self, place: u32, chosen: &[&str], goal: &Goal) -> Option<Reward> {
        let product = |place: u32| self.catalogue.product(place);
        let (bought, wanted) = (product(place)?, product(goal.product)?);
        let price = *self.prices.get(place as usize)?;
        Some(Reward::of((&bought, price, chosen), (goal, &wanted), &self.nouns))
    }
}

/// Whether words find something else every time.
pub(super) fn is_random(keywords: &str) -> bool {
    keywords.split(' ').next() == Some(RANDOM)
}

/// Places at random, none twice: the first of all in a random order (Fisher-Yates), of which only those
/// that changed are kept.
fn sample_places(all: usize, chance: &mut Stream) -> Vec<u32> {
    let mut moved: HashMap<usize, usize> = HashMap::new();
    let draw = |place: usize| {
        let other = place + chance.below(all - place);
        let drawn = moved.get(&other).copied().unwrap_or(other);
        let here = moved.get(&place).copied().unwrap_or(place);
        moved.insert(other, here);
        drawn as u32
    };
    (0..all.min(FOUND)).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn places_are_drawn_alike_and_none_twice() {
        let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
        assert!(sample_places(0, &mut chance).is_empty());
        let mut counts = [0_u32; 60];
        for _ in 0..6000 {
            let mut places = sample_places(60, &mut chance);
            assert_eq!(places.len(), 50);
            for &place in &places {
                counts[place as usize] += 1;
            }
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
        }
        // 6000 times 50 of 60: 5000 each, with a standard deviation of 29.
        assert!(counts.iter().all(|count| count.abs_diff(5000) < 150), "{counts:?}");
    }
}
