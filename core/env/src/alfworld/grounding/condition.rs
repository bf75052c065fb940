//! Conditions on facts, with everything that cannot change folded away.

use super::super::error::GameError;
use super::super::pddl::{EQUAL, Formula, Literal, TypeId, Variable, VariableId};
use super::facts::{FactId, Facts, ObjectId};
use super::join::{Budget, Join};
use super::patterns::{Kinds, Pattern, Slot, UNBOUND};

/// A condition on facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The fact is true, or (true) is not.
    Fact(FactId, bool),
    /// Every part holds; without parts: true.
    All(Vec<Condition>),
    /// Some part holds; without parts: false.
    Any(Vec<Condition>),
}

impl Condition {
    /// Always holds.
    pub(crate) const TRUE: Self = Self::All(Vec::new());
    /// Never holds.
    pub(crate) const FALSE: Self = Self::Any(Vec::new());

    /// Every part holds.
    pub(crate) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::All(parts) => kept.extend(parts),
                part if part == Self::FALSE => return Self::FALSE,
                part => kept.push(part),
            }
        }
        one_or(kept, Self::All)
    }

    /// Some part holds.
    pub(crate) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Any(parts) => kept.extend(parts),
                part if part == Self::TRUE => return Self::TRUE,
                part => kept.push(part),
            }
        }
        one_or(kept, Self::Any)
    }
}

fn one_or(mut parts: Vec<Condition>, many: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.pop() {
        Some(one) if parts.is_empty() => one,
        Some(last) => {
            parts.push(last);
            many(parts)
        }
        None => many(parts),
    }
}

/// What grounding a condition needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Grounder<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) kinds: &'a Kinds,
    /// Which predicates some action changes.
    pub(crate) changing: &'a [bool],
    /// The types of the variables.
    pub(crate) variables: &'a [Variable],
}

impl Grounder<'_> {
    /// A condition under values for its free variables.
    pub(super) fn condition(
        &self,
        formula: &Formula,
        values: &mut [ObjectId],
        budget: &mut Budget,
    ) -> Result<Condition, GameError> {
        budget.spend(1)?;
        match formula {
            Formula::Literal(literal) => Ok(self.literal(literal, values)),
            Formula::And(parts) => Ok(Condition::all(self.parts(parts, values, budget)?)),
            Formula::Or(parts) => Ok(Condition::any(self.parts(parts, values, budget)?)),
            Formula::Exists(variables, body) => {
                Ok(Condition::any(self.instances(variables, body, body, values, budget)?))
            }
            Formula::Forall(variables, body) => {
                let against = body.negated();
                Ok(Condition::all(self.instances(variables, &against, body, values, budget)?))
            }
        }
    }

    fn parts(
        &self,
        parts: &[Formula],
        values: &mut [ObjectId],
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, GameError> {
        parts.iter().map(|part| self.condition(part, values, budget)).collect()
    }

    /// `body` for all values under which the atoms that `guard` needs can be true.
    fn instances(
        &self,
        variables: &[VariableId],
        guard: &Formula,
        body: &Formula,
        values: &mut [ObjectId],
        budget: &mut Budget,
    ) -> Result<Vec<Condition>, GameError> {
        let mut parts = Vec::new();
        for values in &mut self.solutions(variables, guard, values, budget)? {
            parts.push(self.condition(body, values, budget)?);
        }
        Ok(parts)
    }

    /// Values for `variables` under which the atoms that `guard` needs can be true.
    pub(super) fn solutions(
        &self,
        variables: &[VariableId],
        guard: &Formula,
        values: &mut [ObjectId],
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ObjectId>>, GameError> {
        let mut atoms = Vec::new();
        self.needed(guard, variables, values, &mut atoms);
        let typed: Vec<(VariableId, TypeId)> = variables
            .iter()
            .map(|&variable| (variable, self.variables[usize::from(variable)].kind))
            .collect();
        let join = Join {
            facts: self.facts,
            kinds: self.kinds,
            atoms: &atoms,
            variables: &typed,
            trigger: None,
        };
        let mut solutions = Vec::new();
        join.solve(values, budget, &mut |values| {
            solutions.push(values.to_vec());
            Ok(())
        })?;
        Ok(solutions)
    }

    /// Atoms without which a condition cannot hold, and that say something of `variables` or of what
    /// has a value.
    fn needed(
        &self,
        formula: &Formula,
        variables: &[VariableId],
        values: &[ObjectId],
        atoms: &mut Vec<Pattern>,
    ) {
        match formula {
            Formula::And(parts) => {
                for part in parts {
                    self.needed(part, variables, values, atoms);
                }
            }
            Formula::Literal(literal) if !literal.negated && literal.predicate != EQUAL => {
                let pattern = self.kinds.pattern(literal);
                let known = |slot: &Slot| match *slot {
                    Slot::Object(_) => true,
                    Slot::Variable(variable) => {
                        variables.contains(&variable) || values[usize::from(variable)] != UNBOUND
                    }
                };
                if atoms.len() < 64 && pattern.slots.iter().all(known) {
                    atoms.push(pattern);
                }
            }
            _ => {}
        }
    }

    /// A literal under values for its variables.
    pub(super) fn literal(&self, literal: &Literal, values: &[ObjectId]) -> Condition {
        let pattern = self.kinds.pattern(literal);
        if literal.predicate == EQUAL {
            let equal = pattern.slots[0].value(values) == pattern.slots[1].value(values);
            return if equal == literal.negated { Condition::FALSE } else { Condition::TRUE };
        }
        let mut arguments = Vec::with_capacity(pattern.slots.len());
        pattern.fill(values, &mut arguments);
        self.atom(pattern.predicate, &arguments, literal.negated)
    }

    /// An atom or its negation.
    pub(super) fn atom(&self, predicate: u16, arguments: &[ObjectId], negated: bool) -> Condition {
        match self.facts.find(predicate, arguments) {
            Some(fact) if self.changing[usize::from(predicate)] => Condition::Fact(fact, negated),
            found if found.is_some() == negated => Condition::FALSE,
            _ => Condition::TRUE,
        }
    }
}
