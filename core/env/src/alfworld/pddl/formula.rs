//! PDDL conditions, with negation pushed to the literals.

use super::types::TypeId;

/// A predicate by its number.
pub(crate) type PredicateId = u16;

/// A variable by its number within an action or a goal.
pub(crate) type VariableId = u16;

/// The number of `=`.
pub(crate) const EQUAL: PredicateId = 0;

/// A variable of an action or a goal; each quantifier has variables of its own.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its name, without the question mark.
    pub(crate) name: String,
    /// What it ranges over.
    pub(crate) kind: TypeId,
}

/// What a predicate is said of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A variable.
    Variable(VariableId),
    /// An object by name.
    Object(String),
}

/// An atom or its negation.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    /// The predicate.
    pub(crate) predicate: PredicateId,
    /// Whether the atom must be false.
    pub(crate) negated: bool,
    /// Its arguments, as many as the predicate has.
    pub(crate) terms: Vec<Term>,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    /// Every part holds; without parts: true.
    And(Vec<Formula>),
    /// Some part holds; without parts: false.
    Or(Vec<Formula>),
    /// Holds for all values of the variables.
    Forall(Vec<VariableId>, Box<Formula>),
    /// Holds for some values of the variables.
    Exists(Vec<VariableId>, Box<Formula>),
    /// A literal.
    Literal(Literal),
}

impl Formula {
    /// The condition that always holds.
    pub(crate) fn truth() -> Self {
        Self::And(Vec::new())
    }

    /// Calls `visit` with every literal.
    pub(crate) fn literals<'a>(&'a self, visit: &mut impl FnMut(&'a Literal)) {
        match self {
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.literals(visit);
                }
            }
            Self::Forall(_, body) | Self::Exists(_, body) => body.literals(visit),
            Self::Literal(literal) => visit(literal),
        }
    }
}
