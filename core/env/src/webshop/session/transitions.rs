//! Session transitions: what an agent does, and the page that it leads to.

use super::super::page::{Address, Name, NodeKind};
use super::super::page_text;
use super::super::shop::is_random;
use super::{Session, View, targets};
use crate::random::Stream;

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// `search[words]`.
    Search(&'a str),
    /// `click[something]`.
    Click(&'a str),
}

impl<'a> Action<'a> {
    /// An action as it is written. Python's `re.match` of `(.+)\[(.+)\]` in the first line: the argument
    /// goes from the last `[` to the last `]` after it, neither empty nor the name before it, and what
    /// comes after does not matter. `None` for what is neither a search nor a click.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let line = text.split('\n').next()?;
        let end = line.rfind(']')?;
        // At least one character before the last `]`, which may be a bracket itself.
        let (before, _) = line[..end].char_indices().next_back()?;
        let open = line[..before].rfind('[')?;
        let argument = &line[open + 1..end];
        match &line[..open] {
            "search" => Some(Self::Search(argument)),
            "click" => Some(Self::Click(argument)),
            _ => None,
        }
    }
}

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
        self.results = self.shop.search_places(&self.keywords, chance);
        self.show_results(1);
    }

    /// The original searches again for every page of results, which finds the same, but at random.
    fn search_again(&mut self, page: usize, chance: &mut Stream) {
        if is_random(&self.keywords) {
            self.results = self.shop.search_places(&self.keywords, chance);
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

    /// The page of the product, or one about it.
    fn show_item(&mut self, part: Option<&'static str>) {
        let Some((_, product)) = self.product() else { return };
        let keywords = self.keywords.replace(' ', "+");
        let of = (&*product.asin, &*keywords, self.page);
        self.address = Address::item(self.number, of, part, &self.chosen());
        self.view = part.map_or(View::Item, View::Part);
    }

    fn click(&mut self, what: &str, chance: &mut Stream) -> bool {
        let target = page_text::read(self, |nodes| targets(nodes).get(what).copied());
        let Some(target) = target.filter(|_| what != "search") else { return false };
        let part = page_text::PARTS.into_iter().find(|part| part.to_lowercase() == what);
        // What a text says counts for more than what it is on: a value of an option may be called so.
        match (what, self.address.name(), part) {
            ("buy now", ..) => self.buy(),
            ("back to search", ..) => self.show_index(),
            ("next >", Some(Name::Results), _) => self.search_again(self.page + 1, chance),
            ("< prev", Some(Name::Results), _) => {
                self.search_again(self.page.saturating_sub(1).max(1), chance);
            }
            ("< prev", Some(Name::Item), _) => self.search_again(self.page, chance),
            (.., Some(_)) => self.show_item(part),
            _ => {
                self.choose(what, target);
                self.show_item(None);
            }
        }
        true
    }

    /// Looks at a product, or chooses a value.
    fn choose(&mut self, what: &str, target: NodeKind) {
        match target {
            NodeKind::Plain | NodeKind::Button => {}
            NodeKind::Product { place, .. } => {
                self.product = Some(place);
                self.visited.insert(place);
            }
            NodeKind::Choice { option, .. } => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_python_reads_them() {
        assert_eq!(Action::parse("search[red shoe]"), Some(Action::Search("red shoe")));
        assert_eq!(Action::parse("click[< Prev] now"), Some(Action::Click("< Prev")));
        assert_eq!(Action::parse("click[a] b]"), Some(Action::Click("a] b")));
        assert_eq!(Action::parse("search[a]]"), Some(Action::Search("a]")));
        // re.match(r'(.+)\[(.+)\]', 'search[[]').groups() == ('search', '[')
        assert_eq!(Action::parse("search[[]"), Some(Action::Search("[")));
        // ... 'search[a[b]' gives ('search[a', 'b').
        for text in
            ["search[a[b]", "search[]", "search", "buy now", "think[hmm]", "[x]", "click[a\n]", ""]
        {
            assert_eq!(Action::parse(text), None, "{text}");
        }
        assert_eq!(Action::parse("click[é]"), Some(Action::Click("é")));
    }
}
