//! Session transitions: the page that an action leads to.

use super::super::action::Action;
use super::super::page::{Address, Name};
use super::super::page_text;
use super::super::search_results::{found, is_random};
use super::{Session, Target, View, targets};
use crate::random::Stream;

impl Session {
    /// Carries out an action; whether it was possible. Otherwise it changes nothing.
    pub fn act(&mut self, action: &str, chance: &mut Stream) -> bool {
        match Action::parse(action) {
            Some(Action::Search(text)) if !matches!(self.view, View::Done(_)) => {
                self.search(&text.to_lowercase(), chance);
                true
            }
            Some(Action::Click(what)) => self.click(&what.to_lowercase(), chance),
            _ => false,
        }
    }

    fn search(&mut self, text: &str, chance: &mut Stream) {
        text.clone_into(&mut self.keywords);
        self.results = found(&self.shop, &self.keywords, chance);
        self.show_results(1);
    }

    /// The original searches again for every page of results, which finds the same, but at random.
    fn search_again(&mut self, page: usize, chance: &mut Stream) {
        if is_random(&self.keywords) {
            self.results = found(&self.shop, &self.keywords, chance);
        }
        self.show_results(page);
    }

    fn show_results(&mut self, page: usize) {
        self.page = page;
        (self.product, self.view) = (None, View::Results);
        self.chosen.clear();
        let keywords = self.keywords.replace(' ', "+");
        self.address = Address::results(self.number, &keywords, page);
    }

    fn show_index(&mut self) {
        (self.product, self.view) = (None, View::Index);
        self.address = Address::index(self.number);
        self.chosen.clear();
        self.visited.clear();
        self.keywords.clear();
    }

    fn show_item(&mut self) {
        let Some((_, product)) = self.product() else { return };
        let keywords = self.keywords.replace(' ', "+");
        let address =
            Address::item(self.number, (&product.asin, &keywords, self.page), &self.chosen());
        (self.view, self.address) = (View::Item, address);
    }

    fn show_part(&mut self, part: &'static str) {
        let Some((_, product)) = self.product() else { return };
        let keywords = self.keywords.replace(' ', "+");
        let of = (&*product.asin, &*keywords, self.page);
        let address = Address::part(self.number, of, part, &self.chosen());
        (self.view, self.address) = (View::Part(part), address);
    }

    fn click(&mut self, what: &str, chance: &mut Stream) -> bool {
        let products = page_text::products(self);
        let nodes = page_text::nodes(self, &products);
        let mut targets = targets(&nodes).into_iter();
        let target = targets.find(|(text, _)| *text == what && what != "search");
        let Some((_, target)) = target else { return false };
        let part = page_text::PARTS.into_iter().find(|part| part.to_lowercase() == what);
        // What a text says counts for more than what it is on: a value of an option may be called so.
        match (what, self.address.name(), part) {
            ("buy now", ..) => self.buy(),
            ("back to search", ..) => self.show_index(),
            ("next >", Name::Results, _) => self.search_again(self.page + 1, chance),
            ("< prev", Name::Results, _) => {
                self.search_again(self.page.saturating_sub(1).max(1), chance);
            }
            ("< prev", Name::Item, _) => self.search_again(self.page, chance),
            (.., Some(part)) => self.show_part(part),
            _ => {
                self.choose(what, target);
                self.show_item();
            }
        }
        true
    }

    /// Looks at a product, or chooses a value.
    fn choose(&mut self, what: &str, target: Target) {
        match target {
            Target::Button => {}
            Target::Product(place) => {
                self.product = Some(place);
                self.visited.insert(place);
            }
            Target::Choice(option) => {
                let product = self.product();
                let named = product.as_ref().and_then(|(_, product)| product.options.get(option));
                let Some((name, _)) = named.cloned() else { return };
                match self.chosen.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, value)) => what.clone_into(value),
                    None => self.chosen.push((name, what.to_owned())),
                }
            }
        }
    }

    fn buy(&mut self) {
        let chosen: Vec<&str> = self.chosen.iter().map(|(_, value)| &**value).collect();
        let bought = self.product.and_then(|place| self.shop.reward(place, &chosen, &self.goal));
        if let Some(reward) = bought {
            self.view = View::Done(reward);
        }
    }
}
