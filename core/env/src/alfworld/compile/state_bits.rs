//! State bits: which facts are kept in the state, and at which bit.

use std::collections::HashMap;

use super::super::bit_set::{ALWAYS, put, words};
use super::super::grounding::{FactId, GroundProblem, ObjectId};
use super::super::pddl::{Domain, PredicateId};
use super::super::text::Read;

/// A fact without a bit: nothing asks for it.
pub(super) const NONE: u32 = u32::MAX;

/// Which bit says what.
pub(super) struct StateBits {
    /// Of every fact.
    pub(super) fact: Vec<u32>,
    /// Of every fact's having become false, if texts ask for that.
    pub(super) gone: HashMap<FactId, u32>,
    pub(super) count: usize,
}

impl StateBits {
    /// Bits for what conditions, goal and texts ask for.
    pub(super) fn new(domain: &Domain, ground: &GroundProblem, reads: &[Read]) -> Self {
        let asked = predicates_read(domain, ground, reads);
        let mut count = ALWAYS + 1;
        let mut next = || {
            count += 1;
            count - 1
        };
        let facts = 0..ground.facts.len() as FactId;
        let fact = facts
            .clone()
            .map(|fact| {
                let predicate = usize::from(ground.facts.predicate(fact));
                match (ground.changing[predicate], asked[predicate]) {
                    (false, _) => ALWAYS,
                    (true, true) => next(),
                    (true, false) => NONE,
                }
            })
            .collect();
        let negative = |fact: FactId| {
            let predicate = ground.facts.predicate(fact);
            reads.iter().any(|read| read.predicate == Some((predicate, true)))
        };
        let gone = facts
            .filter(|&fact| ground.changing[usize::from(ground.facts.predicate(fact))])
            .filter(|&fact| negative(fact))
            .map(|fact| (fact, next()))
            .collect();
        Self { fact, gone, count: count as usize }
    }

    /// The state at the start.
    pub(super) fn initial(&self, ground: &GroundProblem) -> Box<[u64]> {
        let mut state = vec![0; words(self.count)].into_boxed_slice();
        put(&mut state, ALWAYS, true);
        for &bit in self.fact[..ground.initial].iter().filter(|&&bit| bit != NONE) {
            put(&mut state, bit, true);
        }
        state
    }

    /// What a text reads: bits with arguments.
    pub(super) fn rows<'a>(
        &'a self,
        read: &Read,
        ground: &'a GroundProblem,
    ) -> impl Iterator<Item = (u32, Vec<ObjectId>)> + use<'a> {
        let wanted = read.predicate;
        let facts = 0..ground.facts.len() as FactId;
        let is = move |fact: &FactId| Some(ground.facts.predicate(*fact)) == wanted.map(|it| it.0);
        let row = move |fact: FactId| {
            let gone = wanted.is_some_and(|(_, gone)| gone);
            let bit =
                if gone { self.gone.get(&fact).copied() } else { Some(self.fact[fact as usize]) };
            bit.map(|bit| (bit, ground.facts.arguments(fact).to_vec()))
        };
        facts.filter(is).filter_map(row)
    }
}

/// Which predicates something asks for: ways, the goal, texts, and conditions of changes to those.
fn predicates_read(domain: &Domain, ground: &GroundProblem, reads: &[Read]) -> Vec<bool> {
    let mut asked = vec![false; ground.changing.len()];
    let mut ask = |predicate: PredicateId| asked[usize::from(predicate)] = true;
    reads.iter().filter_map(|read| read.predicate).for_each(|(predicate, gone)| {
        if !gone {
            ask(predicate);
        }
    });
    for action in &domain.actions {
        action.precondition.literals(&mut |literal| ask(literal.predicate));
    }
    ground.goal.visit(&mut |fact, _| ask(ground.facts.predicate(fact)));
    loop {
        let before = asked.clone();
        let effects = domain.actions.iter().flat_map(|action| &action.effects);
        for effect in effects.filter(|effect| before[usize::from(effect.literal.predicate)]) {
            effect.condition.literals(&mut |literal| asked[usize::from(literal.predicate)] = true);
        }
        if asked == before {
            return asked;
        }
    }
}
