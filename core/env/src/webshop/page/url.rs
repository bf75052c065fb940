//! Page addresses. They matter: the original looks in them for the kind of page, and for what is
//! chosen, wherever in them it stands.

use std::fmt::Write as _;

/// A kind of page, of those from which a button leads to results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Name {
    Results,
    Item,
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Address(String);

const BASE: &str = "http://127.0.0.1:3000";

impl Address {
    pub(in super::super) fn index(session: usize) -> Self {
        Self(format!("{BASE}/{session}"))
    }

    pub(in super::super) fn results(session: usize, keywords: &str, page: usize) -> Self {
        Self(format!("{BASE}/search_results/{session}/{keywords}/{page}"))
    }

    /// The page of a product, or one about it.
    pub(in super::super) fn item(
        session: usize,
        (asin, keywords, page): (&str, &str, usize),
        part: Option<&str>,
        options: &[(&str, &str)],
    ) -> Self {
        let of = format!("{session}/{asin}/{keywords}/{page}");
        let options = json(options);
        Self(match part {
            None => format!("{BASE}/item_page/{of}/{options}"),
            // The original writes the options as Python does; nobody looks for one there.
            Some(part) => format!("{BASE}/item_sub_page/{of}/{part}/{options}"),
        })
    }

    /// The kind of page, as the original tells it: by the first name that is anywhere in the address.
    pub(in super::super) fn name(&self) -> Option<Name> {
        let names = [("search_results", Name::Results), ("item_page", Name::Item)];
        names.into_iter().find(|(name, _)| self.0.contains(name)).map(|(_, name)| name)
    }

    /// Whether a value is chosen, as the original tells it: in quotes, anywhere in the address.
    pub(in super::super) fn has_chosen(&self, value: &str) -> bool {
        // Most addresses have no quotes, and most values are not chosen.
        self.0.contains('"') && self.0.contains(&format!("\"{value}\""))
    }
}

/// Options as Python's `json.dumps` writes them.
pub(in super::super) fn json(options: &[(&str, &str)]) -> String {
    let pair = |(name, value): &(&str, &str)| format!("{}: {}", quoted(name), quoted(value));
    format!("{{{}}}", options.iter().map(pair).collect::<Vec<_>>().join(", "))
}

/// A text as JSON, in ASCII.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for mark in serde_json::Value::from(text).to_string().chars() {
        if matches!(mark, ' '..='~') {
            quoted.push(mark);
            continue;
        }
        for unit in mark.encode_utf16(&mut [0; 2]) {
            // Writing to a text does not fail.
            let _ = write!(quoted, "\\u{unit:04x}");
        }
    }
    quoted
}
