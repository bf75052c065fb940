//! Binary record of a product.
//!
//! # Format
//! Numbers are those of [`put_number`]. Texts are their length in bytes, then UTF-8; lists are their length, then what is in them.

use super::product::Product;
use crate::search::index_file::{put_number, take_number};

/// Writes texts.
pub(super) fn text(text: &str, to: &mut Vec<u8>) {
    put_number(text.len() as u64, to);
    to.extend_from_slice(text.as_bytes());
}

pub(super) fn texts(texts: &[String], to: &mut Vec<u8>) {
    put_number(texts.len() as u64, to);
    for it in texts {
        text(it, to);
    }
}

/// A product, without what is wanted of it, its prices, and what it has in common with many.
pub(super) fn product(product: &Product, to: &mut Vec<u8>) {
    text(&product.asin, to);
    text(&product.title, to);
    text(&product.description, to);
    text(&product.product_category, to);
    texts(&product.bullets, to);
    put_number(product.options.len() as u64, to);
    for (name, values) in &product.options {
        text(name, to);
        texts(values, to);
    }
}

/// What is wanted of it, and the attributes that no page shows.
pub(super) fn instruction(product: &Product, to: &mut Vec<u8>) {
    texts(&product.attributes, to);
    texts(&product.instruction_attributes, to);
    put_number(u64::from(product.instruction.is_some()), to);
    text(product.instruction.as_deref().unwrap_or_default(), to);
}

/// Reads numbers and texts; beyond the end of the bytes all are 0 and empty.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> u64 {
        take_number(&mut self.0)
    }

    pub(super) fn text(&mut self) -> &'a str {
        let length = usize::try_from(self.number()).unwrap_or(usize::MAX).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        str::from_utf8(text).unwrap_or_default()
    }

    /// What a list holds, each of which takes at least a byte.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.number();
        let left = self.0.len() as u64;
        (0..count.min(left)).map(|_| one(self)).collect()
    }

    pub(super) fn texts(&mut self) -> Vec<String> {
        self.list(|from| from.text().to_owned())
    }

    pub(super) fn product(&mut self) -> Product {
        let mut text = || self.text().to_owned();
        Product {
            asin: text(),
            title: text(),
            description: text(),
            product_category: text(),
            bullets: self.texts(),
            options: self.list(|from| (from.text().to_owned(), from.texts())),
            ..Product::default()
        }
    }

    pub(super) fn instruct(&mut self, product: &mut Product) {
        product.attributes = self.texts();
        product.instruction_attributes = self.texts();
        let is_there = self.number() == 1;
        let text = self.text();
        product.instruction = is_there.then(|| text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_read_as_they_were_written() {
        let texts = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let mut lamp = Product {
            asin: "A1".into(),
            title: "é".repeat(300),
            bullets: texts(&["", "two"]),
            options: vec![("size".into(), texts(&["big"])), (String::new(), vec![])],
            ..Product::default()
        };
        let mut bytes = Vec::new();
        product(&lamp, &mut bytes);
        assert_eq!(Reader(&bytes).product(), lamp);
        for end in 0..bytes.len() {
            // Cut short, something else, but no panic.
            let _ = Reader(&bytes[..end]).product();
        }
        for wanted in [None, Some(String::new()), Some("Find".to_owned())] {
            lamp.instruction = wanted;
            lamp.attributes = texts(&["bright"]);
            let mut bytes = Vec::new();
            instruction(&lamp, &mut bytes);
            let mut read = Product { attributes: Vec::new(), ..lamp.clone() };
            Reader(&bytes).instruct(&mut read);
            assert_eq!(read, lamp);
        }
        // 2^63 texts in a byte, and a number of more bits than there are.
        assert!(Reader(&[0xff; 9]).texts().is_empty());
        assert_eq!(Reader(&[0xff; 20]).number(), u64::MAX);
    }
}
