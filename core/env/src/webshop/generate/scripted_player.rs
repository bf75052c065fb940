//! Scripted player of the shop: it sees what an agent sees, searches and reads.

use super::observation_parser::{Offer, ParsedObservation, Shown};
use crate::holdout_hash::content_digest;
use crate::{Observation, Player};

/// What the instruction asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    kind: String,
    attributes: Vec<String>,
    /// Names and values.
    options: Vec<(String, String)>,
    /// What it may cost, in dollars.
    limit: f64,
}

impl Wish {
    /// Reads `Find me dimmable, cordless lamp with colour: red, and size: small, and price lower than 40.00
    /// dollars`. What is left out does not matter.
    pub(super) fn read(instruction: &str) -> Self {
        let (text, price) =
            instruction.split_once(", and price lower than ").unwrap_or((instruction, ""));
        let limit = price.trim_end_matches(" dollars").parse().unwrap_or(f64::INFINITY);
        let (text, options) = text.split_once(" with ").unwrap_or((text, ""));
        let pair = |option: &str| {
            option.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        let text = text.strip_prefix("Find me ").unwrap_or(text);
        let (attributes, kind) = text.rsplit_once(' ').unwrap_or(("", text));
        let attributes = attributes.split(", ").filter(|it| !it.is_empty()).map(str::to_owned);
        Self {
            kind: kind.to_owned(),
            attributes: attributes.collect(),
            options: options.split(", and ").filter_map(pair).collect(),
            limit,
        }
    }

    /// Whether it is held out from training, whatever the limit of the price and the order of its attributes: one
    /// wish in four is, by its digest.
    pub(super) fn is_held_out(&self) -> bool {
        let Self { kind, attributes, options, limit: _ } = self;
        let mut attributes = attributes.clone();
        attributes.sort_unstable();
        let wish = format!("{kind} {attributes:?} {options:?}");
        (content_digest(wish.as_bytes()) >> 40).is_multiple_of(4)
    }

    /// The words to search for.
    fn words(&self) -> String {
        let values = self.options.iter().map(|(_, value)| value);
        let words: Vec<&str> =
            self.attributes.iter().chain([&self.kind]).chain(values).map(String::as_str).collect();
        words.join(" ")
    }

    /// Whether a product may be what is wanted, as far as its line tells.
    fn may_be(&self, offer: &Offer) -> bool {
        offer.price <= self.limit && offer.title.contains(&self.kind)
    }

    /// The wanted attributes that a title does not tell.
    fn left_open<'a>(&'a self, offer: &'a Offer) -> impl Iterator<Item = &'a String> {
        self.attributes.iter().filter(|it| !offer.title.contains(it))
    }
}

/// A player without hidden knowledge: it searches in the words of the instruction, looks at the products of
/// the right kind and price in their order, goes back when an option is missing, reads the features when
/// the title leaves an attribute open, chooses what is asked for, and buys.
///
/// It goes by what the page and the one before it say, so that an agent that remembers one page can imitate
/// it, and can take over at any time. If an option is chosen already, it takes the features as read.
#[derive(Clone, Debug)]
pub struct ScriptedShopper {
    wish: Wish,
    /// The product whose features the page before showed, and they.
    read: Option<(String, Vec<String>)>,
}

impl ScriptedShopper {
    /// A player of one episode.
    #[must_use]
    pub fn new(instruction: &str) -> Self {
        Self { wish: Wish::read(instruction), read: None }
    }

    /// The first product that is worth a look, sooner one whose title has something that is wanted; else
    /// the next page, or a new search if there is none.
    fn look(&self, offers: &[Offer]) -> String {
        let worth = || offers.iter().filter(|offer| !offer.seen && self.wish.may_be(offer));
        let promising =
            worth().find(|offer| self.wish.left_open(offer).count() < self.wish.attributes.len());
        match promising.or_else(|| worth().next()) {
            Some(offer) => click(&offer.asin),
            None if offers.is_empty() => click("back to search"),
            None => click("next >"),
        }
    }

    /// On the page of a product.
    fn consider(&self, offer: &Offer, options: &[(String, Vec<(String, bool)>)]) -> String {
        let wish = &self.wish;
        let state = |(name, value): &(String, String)| {
            let (_, values) = options.iter().find(|(known, _)| known == name)?;
            values.iter().find(|(known, _)| known == value).map(|&(_, chosen)| chosen)
        };
        let states: Vec<Option<bool>> = wish.options.iter().map(state).collect();
        if states.contains(&None) || !wish.may_be(offer) {
            return click("< prev");
        }
        // Nobody chooses before the features are known.
        if !states.contains(&Some(true)) {
            let mut open = wish.left_open(offer).peekable();
            match &self.read {
                _ if open.peek().is_none() => {}
                Some((asin, features)) if *asin == offer.asin => {
                    if !open.all(|it| features.contains(it)) {
                        return click("< prev");
                    }
                }
                _ => return click("features"),
            }
        }
        let next = wish.options.iter().zip(&states).find(|(_, state)| **state == Some(false));
        next.map_or_else(|| click("buy now"), |((_, value), _)| click(value))
    }
}

fn click(what: &str) -> String {
    format!("click[{what}]")
}

impl Player for ScriptedShopper {
    fn act(&mut self, now: &Observation) -> Option<String> {
        if now.actions.is_empty() {
            return None;
        }
        let sight = ParsedObservation::read(&now.text);
        let action = match &sight {
            ParsedObservation::Search => format!("search[{}]", self.wish.words()),
            ParsedObservation::Results(offers) => self.look(offers),
            ParsedObservation::Product(offer, Shown::Options(options)) => {
                self.consider(offer, options)
            }
            ParsedObservation::Product(..) => click("< prev"),
        };
        self.read = match sight {
            ParsedObservation::Product(offer, Shown::Features(features)) => {
                Some((offer.asin, features))
            }
            _ => None,
        };
        Some(action)
    }
}

#[cfg(test)]
mod tests {
    use super::super::departments::DEPARTMENTS;
    use super::super::products::product;
    use super::*;

    #[test]
    fn instructions_are_read() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let wish = Wish::read(
            "Find me dimmable, cordless lamp with colour: red, and size: small, and price lower than \
             40.00 dollars",
        );
        let expected = Wish {
            kind: "lamp".into(),
            attributes: vec!["dimmable".into(), "cordless".into()],
            options: vec![pair("colour", "red"), pair("size", "small")],
            limit: 40.0,
        };
        assert_eq!(wish, expected);
        assert_eq!(wish.words(), "dimmable cordless lamp red small");
        for number in 0..100 {
            let instruction = product(0, number).instruction.unwrap();
            let wish = Wish::read(&instruction);
            let is_kind = DEPARTMENTS.iter().any(|it| it.kinds.contains(&&*wish.kind));
            assert!(is_kind && wish.attributes.len() == 2, "{instruction}");
            assert!(wish.limit == f64::INFINITY && wish.options.is_empty());
        }
    }
}
