//! Facts by number, found by content or by argument.

use std::hash::{BuildHasher as _, Hasher as _};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rapidhash::fast::RandomState;

use super::super::lists::Lists;
use super::super::pddl::PredicateId;

/// An object by its number: the rank of its name.
pub(crate) type ObjectId = u32;

/// A fact by its number.
pub(crate) type FactId = u32;

/// Every fact that is or can become true.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    objects: usize,
    predicates: Vec<PredicateId>,
    arguments: Lists<ObjectId>,
    table: HashTable<FactId>,
    hasher: RandomState,
    /// The linked facts of every predicate.
    linked: Vec<Vec<FactId>>,
    /// Where the arguments of a predicate begin in `holding`, in units of all objects.
    places: Vec<u32>,
    /// The linked facts of every place and object: those with it there.
    holding: Vec<Vec<FactId>>,
}

impl Facts {
    /// No facts, of predicates with these numbers of arguments.
    pub(super) fn new(objects: usize, arities: &[usize]) -> Self {
        let place = |total: &mut u32, &arity: &usize| {
            *total += arity as u32;
            Some(*total - arity as u32)
        };
        let places: Vec<u32> = arities.iter().scan(0, place).collect();
        let all: usize = arities.iter().sum();
        Self {
            objects,
            predicates: Vec::new(),
            arguments: Lists::default(),
            table: HashTable::new(),
            hasher: RandomState::default(),
            linked: vec![Vec::new(); arities.len()],
            places,
            holding: vec![Vec::new(); all * objects],
        }
    }

    /// How many facts there are.
    pub(crate) fn len(&self) -> usize {
        self.predicates.len()
    }

    /// A fact's predicate.
    pub(crate) fn predicate(&self, fact: FactId) -> PredicateId {
        self.predicates[fact as usize]
    }

    /// A fact's arguments.
    pub(crate) fn arguments(&self, fact: FactId) -> &[ObjectId] {
        self.arguments.get(fact as usize)
    }

    /// The number of a fact.
    pub(crate) fn find(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<FactId> {
        let same =
            |&fact: &FactId| self.predicate(fact) == predicate && self.arguments(fact) == arguments;
        self.table.find(hash(self.hasher, predicate, arguments), same).copied()
    }

    /// Adds a fact that is not there yet; it is not linked.
    pub(super) fn insert(&mut self, predicate: PredicateId, arguments: &[ObjectId]) {
        let fact = self.len() as FactId;
        let Self { table, predicates, arguments: known, hasher, .. } = self;
        let at = |fact: FactId| (predicates[fact as usize], known.get(fact as usize));
        let same = |&fact: &FactId| at(fact) == (predicate, arguments);
        let rehash = |&fact: &FactId| hash(*hasher, at(fact).0, at(fact).1);
        let entry = table.entry(hash(*hasher, predicate, arguments), same, rehash);
        if let Entry::Vacant(place) = entry {
            place.insert(fact);
            predicates.push(predicate);
            known.push(arguments.iter().copied());
        }
    }

    /// Lets joins find a fact; facts are linked in the order of their numbers.
    pub(super) fn link(&mut self, fact: FactId) {
        let predicate = self.predicate(fact);
        self.linked[usize::from(predicate)].push(fact);
        for place in 0..self.arguments(fact).len() {
            let slot = self.slot(predicate, place, self.arguments(fact)[place]);
            self.holding[slot].push(fact);
        }
    }

    fn slot(&self, predicate: PredicateId, place: usize, object: ObjectId) -> usize {
        (self.places[usize::from(predicate)] as usize + place) * self.objects + object as usize
    }

    /// The linked facts of a predicate, oldest first: all, or those with an object at a place.
    pub(super) fn of(&self, predicate: PredicateId, held: Option<(usize, ObjectId)>) -> &[FactId] {
        match held {
            None => &self.linked[usize::from(predicate)],
            Some((place, object)) => &self.holding[self.slot(predicate, place, object)],
        }
    }
}

fn hash(hasher: RandomState, predicate: PredicateId, arguments: &[ObjectId]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write_u16(predicate);
    for &argument in arguments {
        state.write_u32(argument);
    }
    state.finish()
}
