//! Text rendering for a state.

use super::super::bit_set::is_set;
use super::super::grammar::Attribute;
use super::super::grounding::{Kinds, ObjectId};
use super::super::pddl::Types;
use super::{Piece, Query, RuleId, Rules, Table};

/// Steps after which a text is cut: only a grammar made to be slow comes near.
pub(crate) const MOST_STEPS: u32 = 1_000_000;

/// What texts are made of, beside the state.
#[derive(Debug)]
pub(crate) struct Renderer {
    pub(crate) rules: Rules,
    pub(crate) tables: Vec<Table>,
    pub(crate) names: Vec<String>,
    pub(crate) kinds: Kinds,
    pub(crate) types: Types,
}

/// The state, the variables in reach, and the steps left.
struct Run<'a> {
    state: &'a [u64],
    slots: Vec<ObjectId>,
    steps: u32,
}

impl Renderer {
    /// Adds the text of `pieces` in a state to `out`, with `arguments` in reach, in a number of steps; how
    /// many are left. Without any the text may be cut.
    pub(crate) fn write(
        &self,
        steps: u32,
        state: &[u64],
        pieces: &[Piece],
        arguments: &[ObjectId],
        out: &mut String,
    ) -> u32 {
        let mut run = Run { state, slots: Vec::with_capacity(16), steps };
        run.slots.extend_from_slice(arguments);
        self.pieces(pieces, &mut run, out);
        run.steps
    }

    fn pieces(&self, pieces: &[Piece], run: &mut Run<'_>, out: &mut String) {
        for piece in pieces {
            match piece {
                Piece::Text(words) => out.push_str(words),
                Piece::Of(slot, attribute) => {
                    let object = run.slots[*slot];
                    out.push_str(match attribute {
                        Attribute::Name => &self.names[object as usize],
                        Attribute::Id => self.kinds.name(object),
                        Attribute::Type => self.types.name(self.kinds.kind(object)),
                    });
                }
                Piece::Rule(rule) => self.rule(*rule, run, out),
                Piece::Each { query: None, item, .. } => self.pieces(item, run, out),
                Piece::Each { query: Some(query), item, list } => {
                    self.each(query, item, *list, run, out);
                }
            }
        }
    }

    fn rule(&self, rule: RuleId, run: &mut Run<'_>, out: &mut String) {
        for way in &self.rules.rules[rule as usize] {
            let applies = way.condition.as_ref().is_none_or(|query| {
                let mut found = false;
                self.find(query, 0, run, &mut |_| {
                    found = true;
                    false
                });
                found
            });
            if applies {
                return self.pieces(&way.pieces, run, out);
            }
        }
    }

    fn each(
        &self,
        query: &Query,
        item: &[Piece],
        list: Option<[RuleId; 3]>,
        run: &mut Run<'_>,
        out: &mut String,
    ) {
        let width = run.slots.len();
        let mut matches: Vec<ObjectId> = Vec::new();
        let mut count = 0_usize;
        self.find(query, 0, run, &mut |slots| {
            matches.extend_from_slice(&slots[width..]);
            count += 1;
            true
        });
        let added = query.width - width;
        for number in 0..count {
            if let Some([_, between, last]) = list.filter(|_| number > 0) {
                self.rule(if number + 1 == count { last } else { between }, run, out);
            }
            run.slots.extend_from_slice(&matches[number * added..][..added]);
            self.pieces(item, run, out);
            run.slots.truncate(width);
        }
        if let Some([empty, ..]) = list.filter(|_| count == 0) {
            self.rule(empty, run, out);
        }
    }

    /// Calls `found` with the variables of every match until it says no; whether it never did.
    fn find(
        &self,
        query: &Query,
        at: usize,
        run: &mut Run<'_>,
        found: &mut dyn FnMut(&[ObjectId]) -> bool,
    ) -> bool {
        let Some(atom) = query.atoms.get(at) else { return found(&run.slots) };
        let table = &self.tables[atom.table];
        let bound = atom.slots.iter().enumerate().filter(|(_, (_, bound))| *bound);
        let rows =
            |(place, (slot, _)): (usize, &(usize, bool))| table.with(place, run.slots[*slot]);
        let fewest = bound.map(rows).min_by_key(|rows| rows.len());
        let width = run.slots.len();
        let mut try_row = |row: u32, run: &mut Run<'_>| {
            run.steps = run.steps.saturating_sub(1);
            let goes_on = run.steps > 0;
            let matches = is_set(run.state, table.bit(row))
                && atom.slots.iter().zip(table.arguments(row)).all(
                    |(&(slot, _), &object)| match run.slots.get(slot) {
                        Some(&value) => value == object,
                        None if run.slots.contains(&object) => false,
                        None => {
                            run.slots.push(object);
                            true
                        }
                    },
                );
            let goes_on = goes_on && (!matches || self.find(query, at + 1, run, found));
            run.slots.truncate(width);
            goes_on
        };
        match fewest {
            Some(rows) => rows.iter().all(|&row| try_row(row, run)),
            None => (0..table.len() as u32).all(|row| try_row(row, run)),
        }
    }
}
