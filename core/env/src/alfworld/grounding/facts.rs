//! Facts by number, found by content or by argument.

use std::hash::{BuildHasher as _, Hasher as _};

use hashbrown::HashTable;

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
    starts: Vec<u32>,
    arguments: Vec<ObjectId>,
    table: HashTable<FactId>,
    hasher: rapidhash::fast::RandomState,
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
            starts: vec![0],
            arguments: Vec::new(),
            table: HashTable::new(),
            hasher: rapidhash::fast::RandomState::default(),
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
        let [from, to] = [0, 1].map(|step| self.starts[fact as usize + step] as usize);
        &self.arguments[from..to]
    }

    fn hash(&self, predicate: PredicateId, arguments: &[ObjectId]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write_u16(predicate);
        for &argument in arguments {
            hasher.write_u32(argument);
        }
        hasher.finish()
    }

    /// The number of a fact.
    pub(crate) fn find(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<FactId> {
        let same =
            |&fact: &FactId| self.predicate(fact) == predicate && self.arguments(fact) == arguments;
        self.table.find(self.hash(predicate, arguments), same).copied()
    }

    /// Adds a fact that is not there yet; it is not linked.
    pub(super) fn insert(&mut self, predicate: PredicateId, arguments: &[ObjectId]) {
        if self.find(predicate, arguments).is_some() {
            return;
        }
        let fact = self.len() as FactId;
        self.predicates.push(predicate);
        self.arguments.extend_from_slice(arguments);
        self.starts.push(self.arguments.len() as u32);
        let hash = self.hash(predicate, arguments);
        let Self { table, predicates, starts, arguments, hasher, .. } = self;
        table.insert_unique(hash, fact, |&other| {
            let at = other as usize;
            let mut state = hasher.build_hasher();
            state.write_u16(predicates[at]);
            let arguments = &arguments[starts[at] as usize..starts[at + 1] as usize];
            for &argument in arguments {
                state.write_u32(argument);
            }
            state.finish()
        });
    }

    /// Lets joins find a fact; facts are linked in the order of their numbers.
    pub(super) fn link(&mut self, fact: FactId) {
        let predicate = usize::from(self.predicate(fact));
        let (newest, count) = &mut self.newest[predicate];
        self.older.push(*newest);
        (*newest, *count) = (fact, *count + 1);
        let from = self.starts[fact as usize] as usize;
        for place in 0..self.arguments(fact).len() {
            let argument = self.arguments[from + place];
            let slot = self.slot(predicate as PredicateId, place, argument);
            let (newest, count) = &mut self.holding[slot];
            self.chain.push(*newest);
            (*newest, *count) = (fact, *count + 1);
        }
    }

    fn slot(&self, predicate: PredicateId, place: usize, object: ObjectId) -> usize {
        (self.places[usize::from(predicate)] as usize + place) * self.objects + object as usize
    }

    /// How many linked facts of a predicate there are.
    pub(super) fn count(&self, predicate: PredicateId) -> u32 {
        self.newest[usize::from(predicate)].1
    }

    /// How many linked facts have an object at a place.
    pub(super) fn count_with(&self, predicate: PredicateId, place: usize, object: ObjectId) -> u32 {
        self.holding[self.slot(predicate, place, object)].1
    }

    /// Linked facts of a predicate, newest first.
    pub(super) fn of(&self, predicate: PredicateId) -> impl Iterator<Item = FactId> {
        let first = self.newest[usize::from(predicate)].0;
        let older = |&fact: &FactId| Some(self.older[fact as usize]).filter(|&it| it != END);
        std::iter::successors(Some(first).filter(|&it| it != END), older)
    }

    /// Linked facts with an object at a place, newest first.
    pub(super) fn with(
        &self,
        predicate: PredicateId,
        place: usize,
        object: ObjectId,
    ) -> impl Iterator<Item = FactId> {
        let first = self.holding[self.slot(predicate, place, object)].0;
        let older = move |&fact: &FactId| {
            Some(self.chain[self.starts[fact as usize] as usize + place]).filter(|&it| it != END)
        };
        std::iter::successors(Some(first).filter(|&it| it != END), older)
    }
}
