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

/// The end of a chain.
const END: u32 = u32::MAX;

/// Every fact that is or can become true.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    objects: usize,
    predicates: Vec<PredicateId>,
    arguments: Lists<ObjectId>,
    table: HashTable<FactId>,
    hasher: RandomState,
    /// Of every predicate: the newest linked fact, and how many there are.
    newest: Vec<(FactId, u32)>,
    older: Vec<FactId>,
    /// Where the arguments of a predicate begin in `holding`, in units of all objects.
    places: Vec<u32>,
    /// Of every place and object: the newest linked fact with it there, and how many there are.
    holding: Vec<(FactId, u32)>,
    /// For every argument of every fact: the next older fact with the same object there.
    chain: Vec<FactId>,
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
            newest: vec![(END, 0); arities.len()],
            older: Vec::new(),
            places,
            holding: vec![(END, 0); all * objects],
            chain: Vec::new(),
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
        let (newest, count) = &mut self.newest[predicate];
        self.older.push(*newest);
        (*newest, *count) = (fact, *count + 1);
        for place in 0..self.arguments(fact).len() {
            let argument = self.arguments(fact)[place];
            let slot = self.slot(predicate as PredicateId, place, argument);
            let (newest, count) = &mut self.holding[slot];
            self.chain.push(*newest);
            (*newest, *count) = (fact, *count + 1);
        }
    }

    fn slot(&self, predicate: PredicateId, place: usize, object: ObjectId) -> usize {
        (self.places[usize::from(predicate)] as usize + place) * self.objects + object as usize
    }

    /// How many linked facts of a predicate there are: all, or those with an object at a place.
    pub(super) fn count(&self, predicate: PredicateId, held: Option<(usize, ObjectId)>) -> u32 {
        self.newest_of(predicate, held).1
    }

    fn newest_of(&self, predicate: PredicateId, held: Option<(usize, ObjectId)>) -> (FactId, u32) {
        match held {
            None => self.newest[usize::from(predicate)],
            Some((place, object)) => self.holding[self.slot(predicate, place, object)],
        }
    }

    /// Those facts, newest first.
    pub(super) fn of(
        &self,
        predicate: PredicateId,
        held: Option<(usize, ObjectId)>,
    ) -> impl Iterator<Item = FactId> {
        let linked = |fact: FactId| Some(fact).filter(|&it| it != END);
        let older = move |&fact: &FactId| {
            linked(match held {
                None => self.older[fact as usize],
                Some((place, _)) => self.chain[self.arguments.range(fact as usize).start + place],
            })
        };
        std::iter::successors(linked(self.newest_of(predicate, held).0), older)
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
