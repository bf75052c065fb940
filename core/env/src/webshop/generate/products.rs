//! Product generator: each product is drawn from a stream of its own.

use super::super::catalogue::Product;
use super::departments::{BRANDS, DEPARTMENTS, KINDS, PLACES, PRICES};
use crate::random::{Purpose, Stream};

/// The product of a number under a seed. A larger shop begins with the products of a smaller one.
pub(super) fn product(seed: u64, number: usize) -> Product {
    let mut stream = Stream::new(seed, Purpose::Products, [number as u64, 0]);
    let kind = stream.below(KINDS);
    let department = &DEPARTMENTS[kind / 3];
    let kind = department.kinds[kind % 3];
    let brand = BRANDS[stream.below(BRANDS.len())];
    let mut attributes = department.attributes.map(str::to_owned).to_vec();
    stream.shuffle(&mut attributes);
    attributes.truncate(3);
    let mut wanted = attributes.clone();
    wanted.remove(stream.below(3));
    let place = PLACES[stream.below(PLACES.len())];
    let (least, most) = PRICES;
    let price = least + stream.below(most - least + 1);
    let options = department.options.iter().map(|(name, values)| {
        let mut kept: Vec<usize> = (0..values.len()).collect();
        stream.shuffle(&mut kept);
        kept.truncate(2 + stream.below(2));
        kept.sort_unstable();
        ((*name).to_owned(), kept.into_iter().map(|value| values[value].to_owned()).collect())
    });
    let options = options.collect();
    Product {
        asin: asin(number),
        title: format!("{brand} {} {kind}", attributes[0]),
        description: format!("Made by {brand} for the {place}"),
        bullets: attributes[1..].to_vec(),
        category: department.name.to_owned(),
        query: kind.to_owned(),
        product_category: format!("{} › {kind}", department.name),
        prices: vec![price as f64],
        options,
        instruction: Some(format!("Find me {} {kind}", wanted.join(", "))),
        instruction_attributes: wanted,
        attributes,
        human: Vec::new(),
    }
}

/// A product's number: a letter and at least two digits.
pub(super) fn asin(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    format!("{letter}{:02}", number / 26)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_differ_and_are_short_enough_for_a_catalogue() {
        assert_eq!([0, 27, 2599, 2600].map(asin), ["A00", "B01", "Z99", "A100"]);
        assert!(asin(1_999_999).len() <= 10);
        let numbers: HashSet<String> = (0..300_000).map(asin).collect();
        assert_eq!(numbers.len(), 300_000);
    }
}
