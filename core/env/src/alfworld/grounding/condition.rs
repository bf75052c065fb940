//! Conditions on facts, with everything that cannot change folded away.

use super::super::bit_set::Condition;
use super::super::error::GameError;
use super::super::pddl::{EQUAL, Formula, Literal, TypeId, Variable, VariableId};
use super::facts::{Facts, ObjectId};
use super::join::{Budget, Join};
use super::patterns::{Kinds, Pattern, Slot, UNBOUND};

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
        let parts = match formula {
            Formula::Literal(literal) => return Ok(self.literal(literal, values)),
            Formula::And(parts) | Formula::Or(parts) => parts
                .iter()
                .map(|part| self.condition(part, values, budget))
                .collect::<Result<_, _>>()?,
            Formula::Exists(variables, body) | Formula::Forall(variables, body) => {
                let guard = (&**body, matches!(formula, Formula::Forall(..)));
                self.solutions(variables, guard, values, budget)?
                    .iter_mut()
                    .map(|values| self.condition(body, values, budget))
                    .collect::<Result<_, _>>()?
            }
        };
        Ok(Condition::of(parts, matches!(formula, Formula::And(_) | Formula::Forall(..))))
    }

    /// Values for `variables` under which the atoms that `guard` needs can be true: a condition, or
    /// (true) its opposite.
    pub(super) fn solutions(
        &self,
        variables: &[VariableId],
        guard: (&Formula, bool),
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

    /// Atoms without which a condition, or (true) its opposite, cannot hold, and that say something of
    /// `variables` or of what has a value.
    fn needed(
        &self,
        (formula, negated): (&Formula, bool),
        variables: &[VariableId],
        values: &[ObjectId],
        atoms: &mut Vec<Pattern>,
    ) {
        match formula {
            Formula::And(parts) | Formula::Or(parts)
                if matches!(formula, Formula::Or(_)) == negated =>
            {
                for part in parts {
                    self.needed((part, negated), variables, values, atoms);
                }
            }
            Formula::Literal(literal)
                if literal.negated == negated && literal.predicate != EQUAL =>
            {
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
            Some(fact) if self.changing[usize::from(predicate)] => Condition::Has(fact, negated),
            found if found.is_some() == negated => Condition::FALSE,
            _ => Condition::TRUE,
        }
    }
}
