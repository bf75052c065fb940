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
    /// The linked facts of every predicate with an object at a place, by place, then by object.
    holding: Vec<Vec<Vec<FactId>>>,
}

impl Facts {
    /// No facts, of predicates with these numbers of arguments.
    pub(super) fn new(objects: usize, arities: &[usize]) -> Self {
        Self {
            objects,
            predicates: Vec::new(),
            arguments: Lists::default(),
            table: HashTable::new(),
            hasher: RandomState::default(),
            linked: vec![Vec::new(); arities.len()],
            holding: arities.iter().map(|arity| vec![Vec::new(); arity * objects]).collect(),
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
        let predicate = usize::from(self.predicate(fact));
        self.linked[predicate].push(fact);
        for (place, &object) in self.arguments.get(fact as usize).iter().enumerate() {
            self.holding[predicate][place * self.objects + object as usize].push(fact);
        }
    }

    /// The linked facts of a predicate, oldest first: all, or those with an object at a place.
    pub(super) fn of(&self, predicate: PredicateId, held: Option<(usize, ObjectId)>) -> &[FactId] {
        let predicate = usize::from(predicate);
        match held {
            None => &self.linked[predicate],
            Some((place, object)) => {
                &self.holding[predicate][place * self.objects + object as usize]
            }
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
