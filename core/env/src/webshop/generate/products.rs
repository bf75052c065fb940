//! Products, each drawn from a stream of its own.

use std::fmt::Write as _;

use super::super::catalogue::Product;
use super::stock::{BRANDS, DEPARTMENTS, KINDS, PLACES, PRICES};
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

/// A product's number: a letter, then pairs of digits, the last pair first.
fn asin(number: usize) -> String {
    let letter = b'A' + (number % 26) as u8;
    let mut asin = String::from(char::from(letter));
    let mut rest = number / 26;
    loop {
        // Writing to a text does not fail.
        let _ = write!(asin, " {:02}", rest % 100);
        rest /= 100;
        if rest == 0 {
            return asin;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_differ_and_are_short_enough_for_a_catalogue() {
        assert_eq!([0, 27, 2599].map(asin), ["A 00", "B 01", "Z 99"]);
        assert_eq!([2600, 2626].map(asin), ["A 00 01", "A 01 01"]);
        // 26 letters times 100³.
        assert_eq!(asin(25_999_999), "Z 99 99 99");
        let numbers: HashSet<String> = (0..300_000).map(asin).collect();
        assert_eq!(numbers.len(), 300_000);
    }
}
