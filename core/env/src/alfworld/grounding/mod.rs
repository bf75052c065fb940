//! Grounding: from schemas to operators on facts.
//!
//! Facts are those that can become true when nothing is ever made false, found by joining
//! preconditions over the facts found so far (as Fast Downward does), so that static facts never
//! multiply. Conditions keep only what can change.

mod condition;
mod facts;
mod join;
mod operators;
mod patterns;
mod reachability;
mod rules;

pub(super) use facts::{FactId, ObjectId};
pub(super) use operators::{GroundOperator, GroundProblem, ground};
pub(super) use patterns::Kinds;
