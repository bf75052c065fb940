//! Vocabulary of all texts of a generated shop.

use std::collections::BTreeSet;

use super::super::shop::FOUND;
use super::GeneratedShopSettings;
use super::departments::{BRANDS, DEPARTMENTS, PLACES, PRICES};
use super::products::asin;

/// Words of pages, goals and actions that are no names, and the marks that count as words.
const WORDS: &str = ". , : ] < > <your query> (chosen) 00 a and back buy by click[ description dollars \
    features find for lower made me next no nothing now of prev price results reviews search search[ \
    searched seen than the to with";

/// Tens of dollars between a price and its limit, at most.
const ABOVE: usize = 4;

/// Every word that goals, pages and actions can contain, sorted, the numbers of products among them; `search[` and `click[` begin actions, and
/// `]` ends them.
pub(super) fn vocabulary(settings: &GeneratedShopSettings) -> Vec<String> {
    let departments = DEPARTMENTS.iter();
    let names = departments.flat_map(|department| {
        let options = department.options.iter();
        let options = options.flat_map(|(name, values)| values.iter().chain([name]));
        department.kinds.iter().chain(&department.attributes).chain(options).copied()
    });
    let fixed = WORDS.split_whitespace().chain(PLACES).chain(names).map(str::to_owned);
    let brands = BRANDS.iter().map(|brand| brand.to_lowercase());
    let (least, most) = PRICES;
    let prices = (least..=most).map(|price| format!("${price}"));
    let limits = (1..=most / 10 + ABOVE).map(|tens| (10 * tens).to_string());
    let counts = (0..=FOUND).map(|count| count.to_string());
    let numbers = (0..settings.products).map(|number| asin(number).to_lowercase());
    let words = fixed.chain(brands).chain(prices).chain(limits).chain(counts).chain(numbers);
    words.collect::<BTreeSet<_>>().into_iter().collect()
}
