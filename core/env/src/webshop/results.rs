//! What a search shows.

use super::shop::{FOUND, Shop};
use crate::random::Stream;

/// Whether words find something else every time.
pub(super) fn is_random(keywords: &str) -> bool {
    keywords.split(' ').next() == Some(RANDOM)
}

/// The word that finds products at random.
const RANDOM: &str = "<r>";

/// The places of the products that words find. `<r>` shows some at random, `<c> category` those of a part
/// of the shop, and `<q> question` those that a question found; `<a>` finds nothing (the original fails).
pub(super) fn found(shop: &Shop, keywords: &str, chance: &mut Stream) -> Vec<u32> {
    let (first, rest) = keywords.split_once(' ').unwrap_or((keywords, ""));
    let products = shop.catalogue().products();
    match first {
        RANDOM => {
            let mut places: Vec<u32> = (0..products.len() as u32).collect();
            chance.shuffle(&mut places);
            places.truncate(FOUND);
            places
        }
        "<a>" => Vec::new(),
        "<c>" => {
            let category = rest.split(' ').next().unwrap_or_default().trim();
            let within = (0..).zip(products).filter(|(_, product)| product.category == category);
            within.map(|(place, _)| place).collect()
        }
        "<q>" => {
            let of = (0..).zip(products).filter(|(_, product)| product.query == rest.trim());
            of.map(|(place, _)| place).collect()
        }
        _ => shop.search(keywords),
    }
}
