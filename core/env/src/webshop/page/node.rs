//! Page node: a text of a page.

use std::borrow::Cow;

/// What can be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Nothing.
    Plain,
    /// It is a button.
    Button,
    /// It leads to a product.
    Product {
        /// Which: its place.
        place: u32,
        /// Whether it was there before.
        clicked: bool,
    },
    /// It is a value of an option.
    Choice {
        /// Which option: its place among the product's.
        option: usize,
        /// Whether it is chosen.
        clicked: bool,
    },
}

/// A text between two tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    text: Cow<'a, str>,
    kind: NodeKind,
}

impl<'a> Node<'a> {
    /// A text between two tags; none if nothing, or only a new line with spaces, is between them.
    /// Other spaces without anything are one.
    pub(crate) fn new(text: impl Into<Cow<'a, str>>, kind: NodeKind) -> Option<Self> {
        let text = text.into();
        if text.chars().all(|mark| matches!(mark, ' ' | '\n' | '\t' | '\x0c' | '\r')) {
            let is_shown = !text.is_empty() && !text.contains('\n');
            return is_shown.then_some(Self { text: Cow::Borrowed(" "), kind });
        }
        Some(Self { text, kind })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What can be done with it.
    #[must_use]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }
}
