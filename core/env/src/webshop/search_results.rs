//! Search results, page by page.

use std::collections::HashMap;
use std::sync::Arc;

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
pub(super) fn found(shop: &Shop, keywords: &str, chance: &mut Stream) -> Arc<[u32]> {
    let (first, rest) = keywords.split_once(' ').unwrap_or((keywords, ""));
    match first {
        RANDOM => drawn(shop.catalogue().len(), chance).into(),
        "<a>" => Arc::from([]),
        "<c>" => {
            let category = rest.split(' ').next().unwrap_or_default().trim();
            shop.all_such((first, category), |catalogue| catalogue.of_category(category))
        }
        "<q>" => {
            let query = rest.trim();
            shop.all_such((first, query), |catalogue| catalogue.of_query(query))
        }
        _ => shop.search(keywords).into(),
    }
}

/// Places at random, none twice: the first of all in a random order (Fisher-Yates), of which only those
/// that changed are kept.
fn drawn(all: usize, chance: &mut Stream) -> Vec<u32> {
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
        assert!(drawn(0, &mut chance).is_empty());
        let mut counts = [0_u32; 60];
        for _ in 0..6000 {
            let mut places = drawn(60, &mut chance);
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
