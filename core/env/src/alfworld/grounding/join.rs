//! Join: all values of variables under which given atoms are facts.

use super::super::error::{GameError, Part};
use super::super::pddl::{TypeId, VariableId};
use super::facts::{FactId, Facts, ObjectId};
use super::patterns::{Kinds, Pattern, Slot, UNBOUND};

/// Steps of all joins of one game beyond this are refused.
const MOST_STEPS: u64 = 4_000_000;

/// How much joining a game may still take.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new() -> Self {
        Self(MOST_STEPS)
    }

    /// Takes some steps.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), GameError> {
        self.0 = self.0.checked_sub(steps).ok_or_else(|| {
            let problem = "grounding takes too long: its conditions match too many combinations";
            GameError::new(Part::Problem, problem)
        })?;
        Ok(())
    }
}

/// A conjunction of atoms, and variables with their types.
#[derive(Clone, Copy)]
pub(super) struct Join<'a> {
    pub(super) facts: &'a Facts,
    pub(super) kinds: &'a Kinds,
    pub(super) atoms: &'a [Pattern],
    /// Variables that need a value.
    pub(super) variables: &'a [(VariableId, TypeId)],
    /// Atoms before this one must be older than the fact, later ones no newer.
    pub(super) trigger: Option<(usize, FactId)>,
}

/// Called with the values of every solution.
pub(super) type Found<'f> = dyn FnMut(&[ObjectId]) -> Result<(), GameError> + 'f;

impl Join<'_> {
    /// Gives `found` every solution that extends `values`, each once.
    pub(super) fn solve(
        &self,
        values: &mut [ObjectId],
        budget: &mut Budget,
        found: &mut Found<'_>,
    ) -> Result<(), GameError> {
        match self.trigger {
            None => self.extend(values, 0, budget, found),
            Some((place, fact)) => self.try_fact(values, 0, place, fact, budget, found),
        }
    }

    /// Matches the atom with the fewest candidates that is not yet in `done`, then the rest.
    fn extend(
        &self,
        values: &mut [ObjectId],
        done: u64,
        budget: &mut Budget,
        found: &mut Found<'_>,
    ) -> Result<(), GameError> {
        let mut best: Option<(usize, &[FactId])> = None;
        for at in (0..self.atoms.len()).filter(|at| done & (1 << at) == 0) {
            let candidates = self.candidates(at, values);
            if candidates.is_empty() {
                return Ok(());
            }
            if best.is_none_or(|(_, fewest)| candidates.len() < fewest.len()) {
                best = Some((at, candidates));
            }
        }
        let Some((at, candidates)) = best else { return self.free(values, 0, budget, found) };
        let mut newest_first = candidates.iter().rev();
        newest_first.try_for_each(|&fact| self.try_fact(values, done, at, fact, budget, found))
    }

    /// The fewest candidates of an atom that one of its arguments leaves.
    fn candidates(&self, at: usize, values: &[ObjectId]) -> &[FactId] {
        let atom = &self.atoms[at];
        let mut fewest = self.facts.of(atom.predicate, None);
        for (place, slot) in atom.slots.iter().enumerate() {
            let object = slot.value(values);
            if object == UNBOUND {
                continue;
            }
            if object as usize >= self.kinds.len() {
                return &[];
            }
            let held = self.facts.of(atom.predicate, Some((place, object)));
            if held.len() < fewest.len() {
                fewest = held;
            }
        }
        fewest
    }

    /// Matches one atom with one fact, then the rest.
    fn try_fact(
        &self,
        values: &mut [ObjectId],
        done: u64,
        at: usize,
        fact: FactId,
        budget: &mut Budget,
        found: &mut Found<'_>,
    ) -> Result<(), GameError> {
        budget.spend(1)?;
        if self.trigger.is_some_and(|(place, newest)| at < place && fact >= newest) {
            return Ok(());
        }
        let atom = &self.atoms[at];
        let mut bound = 0_u64;
        let arguments = self.facts.arguments(fact);
        let matches =
            atom.slots.iter().zip(arguments).enumerate().all(|(place, (slot, &object))| match slot
                .value(values)
            {
                UNBOUND => {
                    let Slot::Variable(variable) = *slot else { return false };
                    values[usize::from(variable)] = object;
                    bound |= 1 << place;
                    self.allowed(variable, object)
                }
                value => value == object,
            });
        if matches {
            self.extend(values, done | 1 << at, budget, found)?;
        }
        for (place, slot) in atom.slots.iter().enumerate() {
            if let Slot::Variable(variable) = *slot
                && bound & (1 << place) != 0
            {
                values[usize::from(variable)] = UNBOUND;
            }
        }
        Ok(())
    }

    fn allowed(&self, variable: VariableId, object: ObjectId) -> bool {
        let of = self.variables.iter().find(|(of, _)| *of == variable);
        of.is_none_or(|&(_, kind)| self.kinds.is_a(object, kind))
    }

    /// Values for the variables that no atom has bound.
    fn free(
        &self,
        values: &mut [ObjectId],
        from: usize,
        budget: &mut Budget,
        found: &mut Found<'_>,
    ) -> Result<(), GameError> {
        let unbound = |(_, (variable, _)): &(usize, &(VariableId, TypeId))| {
            values[usize::from(*variable)] == UNBOUND
        };
        let next = self.variables.iter().enumerate().skip(from).find(unbound);
        let Some((at, &(variable, kind))) = next else { return found(values) };
        for object in self.kinds.objects_of(kind) {
            budget.spend(1)?;
            values[usize::from(variable)] = object;
            self.free(values, at + 1, budget, found)?;
        }
        values[usize::from(variable)] = UNBOUND;
        Ok(())
    }
}
