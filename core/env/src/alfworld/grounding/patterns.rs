//! Literals with numbered objects, and what kind of thing each object is.

use super::super::pddl::{Literal, PredicateId, Problem, Term, TypeId, Types, VariableId};
use super::facts::ObjectId;

/// A variable without a value.
pub(super) const UNBOUND: ObjectId = ObjectId::MAX;

/// A name that is no object of this problem: nothing is true of it.
const NOTHING: ObjectId = ObjectId::MAX - 1;

/// An argument of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The value of a variable.
    Variable(VariableId),
    /// An object.
    Object(ObjectId),
}

impl Slot {
    /// The object under some values.
    pub(super) fn value(self, values: &[ObjectId]) -> ObjectId {
        match self {
            Self::Variable(variable) => values[usize::from(variable)],
            Self::Object(object) => object,
        }
    }
}

/// A predicate with arguments.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// Its arguments.
    pub(super) slots: Vec<Slot>,
}

impl Pattern {
    /// The arguments under values for all variables.
    pub(super) fn fill(&self, values: &[ObjectId], arguments: &mut Vec<ObjectId>) {
        arguments.clear();
        arguments.extend(self.slots.iter().map(|slot| slot.value(values)));
    }
}

/// The objects of a problem and their types.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    /// Names, rising, and types.
    objects: Vec<(String, TypeId)>,
    /// For every type: which objects are of it.
    of: Vec<Vec<bool>>,
}

impl Kinds {
    /// Those of `problem`, all types known.
    pub(crate) fn new(problem: &Problem, types: &Types) -> Self {
        let objects = problem.objects.clone();
        let of = |above: usize| {
            objects.iter().map(|&(_, kind)| types.is_a(kind, above as TypeId)).collect()
        };
        Self { of: (0..types.len()).map(of).collect(), objects }
    }

    /// How many objects there are.
    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// The object of a name.
    pub(crate) fn find(&self, name: &str) -> Option<ObjectId> {
        let found = self.objects.binary_search_by(|(it, _)| it.as_str().cmp(name));
        found.ok().map(|found| found as ObjectId)
    }

    /// An object's name in the problem.
    pub(crate) fn name(&self, object: ObjectId) -> &str {
        &self.objects[object as usize].0
    }

    /// An object's own type.
    pub(crate) fn kind(&self, object: ObjectId) -> TypeId {
        self.objects[object as usize].1
    }

    /// Whether an object is of a type.
    pub(crate) fn is_a(&self, object: ObjectId, kind: TypeId) -> bool {
        self.of[usize::from(kind)].get(object as usize).copied().unwrap_or(false)
    }

    /// The objects of a type.
    pub(super) fn objects_of(&self, kind: TypeId) -> impl Iterator<Item = ObjectId> {
        (0..self.len() as ObjectId).filter(move |&object| self.is_a(object, kind))
    }

    /// An argument with its object's number.
    pub(super) fn slot(&self, term: &Term) -> Slot {
        match term {
            Term::Variable(variable) => Slot::Variable(*variable),
            Term::Object(name) => Slot::Object(self.find(name).unwrap_or(NOTHING)),
        }
    }

    /// A literal's atom with numbered objects.
    pub(super) fn pattern(&self, literal: &Literal) -> Pattern {
        let slots = literal.terms.iter().map(|term| self.slot(term)).collect();
        Pattern { predicate: literal.predicate, slots }
    }
}
