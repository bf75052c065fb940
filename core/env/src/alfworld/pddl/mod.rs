//! PDDL as Fast Downward's translator reads it: types, quantifiers, conditional effects.
//!
//! Read: `:requirements` (not looked at), `:types`, `:constants`, `:predicates`, `:functions` (not
//! looked at), `:action`; conditions of `and`, `or`, `not`, `imply`, `forall`, `exists`, `=`; effects
//! of `and`, `not`, `when`, `forall`, and `increase` (costs are not looked at). Refused: `:derived`,
//! `either`, anything else. Names are compared in lower case.

mod domain;
mod formula;
mod problem;
mod scope;
mod sexpr;
mod types;

pub(super) use domain::{Action, Domain, Effect};
pub(super) use formula::{EQUAL, Formula, Literal, PredicateId, Term, Variable, VariableId};
pub(super) use problem::Problem;
pub(super) use types::{TypeId, Types};
