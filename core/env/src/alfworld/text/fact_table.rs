//! Fact table of a query, in the order of the original.

use std::collections::HashSet;

use super::super::grounding::{Kinds, ObjectId};
use super::super::lists::Lists;
use super::super::pddl::{PredicateId, TypeId, Types};

/// More combinations of types of one query's arguments are left in the order of the types' numbers.
const MOST_COMBINATIONS: usize = 4096;

/// What a query reads: a predicate (true: that it became false), and the types of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    /// The predicate; none if the domain does not know it, and then nothing is found.
    pub(crate) predicate: Option<(PredicateId, bool)>,
    /// The types.
    pub(crate) kinds: Vec<TypeId>,
}

/// The facts of a predicate that may be true, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    bits: Vec<u32>,
    arguments: Vec<ObjectId>,
    /// For every argument's place: the rows of every object, in order.
    by_place: Vec<Lists<u32>>,
}

impl Table {
    /// From rows of a bit and arguments.
    ///
    /// TextWorld goes through the combinations of subtypes breadth first, and within one through the
    /// facts by the names of their arguments.
    pub(crate) fn new(
        read: &Read,
        rows: impl Iterator<Item = (u32, Vec<ObjectId>)>,
        kinds: &Kinds,
        types: &Types,
    ) -> Self {
        let fits = |(_, arguments): &(u32, Vec<ObjectId>)| {
            arguments.iter().zip(&read.kinds).all(|(&object, &kind)| kinds.is_a(object, kind))
        };
        let mut rows: Vec<(u32, Vec<ObjectId>)> = rows.filter(fits).collect();
        let of = |arguments: &[ObjectId]| -> Vec<TypeId> {
            arguments.iter().map(|&object| kinds.kind(object)).collect()
        };
        let mixed: HashSet<Vec<TypeId>> = rows.iter().map(|(_, arguments)| of(arguments)).collect();
        if mixed.len() > 1 {
            let order = combinations(&read.kinds, types);
            let rank = |kinds: Vec<TypeId>| {
                (order.iter().position(|it| *it == kinds).unwrap_or(order.len()), kinds)
            };
            rows.sort_by_cached_key(|(_, arguments)| (rank(of(arguments)), arguments.clone()));
        } else {
            rows.sort_unstable_by(|left, right| left.1.cmp(&right.1));
        }
        let by_object = |place: usize| {
            let objects = rows.iter().map(|(_, arguments)| arguments[place]);
            let mut numbered: Vec<(ObjectId, u32)> = objects.zip(0..).collect();
            numbered.sort_unstable();
            Lists::grouped(kinds.len(), numbered)
        };
        Self {
            by_place: (0..read.kinds.len()).map(by_object).collect(),
            bits: rows.iter().map(|(bit, _)| *bit).collect(),
            arguments: rows.into_iter().flat_map(|(_, arguments)| arguments).collect(),
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.bits.len()
    }

    /// The bit that says whether a row is true.
    pub(super) fn bit(&self, row: u32) -> u32 {
        self.bits[row as usize]
    }

    /// A row's arguments.
    pub(super) fn arguments(&self, row: u32) -> &[ObjectId] {
        let width = self.by_place.len();
        &self.arguments[row as usize * width..][..width]
    }

    /// The rows with an object at a place, in order.
    pub(super) fn with(&self, place: usize, object: ObjectId) -> &[u32] {
        self.by_place[place].get(object as usize)
    }
}

/// A combination of types and all below it, breadth first, one argument at a time.
fn combinations(kinds: &[TypeId], types: &Types) -> Vec<Vec<TypeId>> {
    let mut found = vec![kinds.to_vec()];
    let mut seen = HashSet::from([kinds.to_vec()]);
    let mut next = 0;
    while let Some(current) = found.get(next).cloned() {
        for place in 0..current.len() {
            for child in types.children(current[place]) {
                let mut below = current.clone();
                below[place] = child;
                if found.len() < MOST_COMBINATIONS && seen.insert(below.clone()) {
                    found.push(below);
                }
            }
        }
        next += 1;
    }
    found
}
