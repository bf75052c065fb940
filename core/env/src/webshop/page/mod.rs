//! Pages: their texts and what can be clicked on them, as the original's text environment reads them
//! off its HTML: texts between tags, those of buttons, links and options told apart.

mod url;

use std::borrow::Cow;

pub(super) use self::url::{Address, Name, json};

/// How a page is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// Texts, stripped, with ` [SEP] ` between them.
    #[default]
    Text,
    /// Texts as they are, a line each, with marks around what can be clicked.
    TextRich,
    /// In a form of our own, for people and small policies: a line for every product and for every option,
    /// in which what was looked at and what is chosen is marked; buttons are left to the list of actions.
    Lines,
}

/// What can be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
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
pub(super) struct Node<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) kind: NodeKind,
}

impl<'a> Node<'a> {
    /// A text between two tags; none if nothing, or only a new line with spaces, is between them.
    /// Other spaces without anything are one.
    pub(super) fn new(text: impl Into<Cow<'a, str>>, kind: NodeKind) -> Option<Self> {
        let text = text.into();
        if text.chars().all(|mark| matches!(mark, ' ' | '\n' | '\t' | '\x0c' | '\r')) {
            let is_shown = !text.is_empty() && !text.contains('\n');
            return is_shown.then_some(Self { text: Cow::Borrowed(" "), kind });
        }
        Some(Self { text, kind })
    }
}

/// Stripped texts, each between these marks, with ` [SEP] ` between them.
pub(super) fn joined(nodes: &[Node<'_>], quote: &str) -> String {
    let text = |node: &Node<'_>| format!("{quote}{}{quote}", strip(&node.text));
    nodes.iter().map(text).collect::<Vec<_>>().join(" [SEP] ")
}

/// Texts as they are, a line each, with marks around what can be clicked.
pub(super) fn rich(nodes: &[Node<'_>]) -> String {
    let mut told = String::new();
    for node in nodes {
        let text = &*node.text;
        let (before, after) = match node.kind {
            NodeKind::Plain => ("", ""),
            NodeKind::Button => ("[button] ", " [button_]"),
            NodeKind::Product { clicked: false, .. } => ("\n[button] ", " [button_]"),
            NodeKind::Product { clicked: true, .. } => {
                ("\n[clicked button] ", " [clicked button_]")
            }
            NodeKind::Choice { clicked: false, .. } => ("  [button] ", " [button_]"),
            NodeKind::Choice { clicked: true, .. } => {
                told.insert_str(0, &format!("You have clicked {text}.\n"));
                ("  [clicked button] ", " [clicked button_]")
            }
        };
        told.extend([before, text, after, "\n"]);
    }
    told
}

/// A text without white space around it, as Python strips it.
fn strip(text: &str) -> &str {
    text.trim_matches(|mark: char| mark.is_whitespace() || ('\x1c'..='\x1f').contains(&mark))
}
