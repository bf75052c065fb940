//! Game texts: the grammar with every name resolved, ready to be rendered for a state.

mod compile;
mod fact_table;
mod render;

pub(super) use compile::Compiler;
pub(super) use fact_table::{Read, Table};
pub(super) use render::{MOST_STEPS, Renderer};

use std::collections::BTreeSet;

use super::grammar::Attribute;

/// A compiled symbol by its number.
pub(crate) type RuleId = u32;

/// A variable's place among those in reach.
pub(crate) type SlotId = usize;

/// A part of a text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Words as they are.
    Text(String),
    /// What is said of a variable.
    Of(SlotId, Attribute),
    /// What a symbol gives.
    Rule(RuleId),
    /// The item for every match.
    Each {
        /// What is looked for; without it there is one match.
        query: Option<Query>,
        /// What is written for a match.
        item: Vec<Piece>,
        /// For a list: the symbols for no match, between matches, before the last one.
        list: Option<[RuleId; 3]>,
    },
}

/// A conjunction of facts to find.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    /// What is to be found, in the order of the text.
    pub(crate) atoms: Vec<Atom>,
    /// How many variables are in reach within it.
    pub(crate) width: usize,
}

impl Query {
    fn slots(&self) -> impl Iterator<Item = SlotId> {
        self.atoms.iter().flat_map(|atom| &atom.slots).map(|(slot, _)| *slot)
    }
}

/// A fact to find.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    /// Among which facts.
    pub(crate) table: usize,
    /// For every argument: the variable, and whether it has a value already.
    pub(crate) slots: Vec<(SlotId, bool)>,
}

/// One way to write a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Production {
    /// When it may be used.
    pub(crate) condition: Option<Query>,
    /// What is written.
    pub(crate) pieces: Vec<Piece>,
}

/// The compiled symbols of a game, with what their queries read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The ways of every symbol; the first that may be used is.
    pub(crate) rules: Vec<Vec<Production>>,
    /// The facts that queries read.
    pub(crate) reads: Vec<Read>,
}

/// Adds the words of a text, whatever the state, to `out`.
pub(super) fn plain_words(pieces: &[Piece], out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Text(words) => {
                out.push(' ');
                out.push_str(words);
            }
            Piece::Each { item, .. } => plain_words(item, out),
            Piece::Of(..) | Piece::Rule(_) => {}
        }
    }
}

impl Rules {
    /// The variables that a text depends on, rising.
    pub(crate) fn slots(&self, pieces: &[Piece]) -> BTreeSet<SlotId> {
        let mut slots = BTreeSet::new();
        self.collect(pieces, &mut slots);
        slots
    }

    fn collect(&self, pieces: &[Piece], slots: &mut BTreeSet<SlotId>) {
        for piece in pieces {
            match piece {
                Piece::Text(_) => {}
                Piece::Of(slot, _) => slots.extend([*slot]),
                Piece::Rule(rule) => self.collect_rule(*rule, slots),
                Piece::Each { query, item, list } => {
                    slots.extend(query.iter().flat_map(Query::slots));
                    self.collect(item, slots);
                    list.iter().flatten().for_each(|&rule| self.collect_rule(rule, slots));
                }
            }
        }
    }

    fn collect_rule(&self, rule: RuleId, slots: &mut BTreeSet<SlotId>) {
        for way in &self.rules[rule as usize] {
            slots.extend(way.condition.iter().flat_map(Query::slots));
            self.collect(&way.pieces, slots);
        }
    }
}
