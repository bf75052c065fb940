//! Rules: conditions as alternatives, each a conjunction to join.

use super::super::error::{GameError, Part};
use super::super::pddl::{Action, EQUAL, Effect, Formula, Literal, TypeId, Variable, VariableId};
use super::patterns::{Kinds, Pattern, Slot};

/// More alternatives of one condition are refused.
const MOST_ALTERNATIVES: usize = 256;

/// More atoms in one alternative are refused.
const MOST_ATOMS: usize = 64;

/// One way in which a condition can hold.
#[derive(Clone, Debug, Default)]
struct Alternative<'a> {
    literals: Vec<&'a Literal>,
    universal: Vec<&'a Formula>,
    variables: Vec<VariableId>,
}

/// One way in which an action, or one of its effects, can take place.
#[derive(Clone, Debug)]
pub(super) struct Rule<'a> {
    /// The action's number.
    pub(super) action: usize,
    /// How many variables the action has.
    pub(super) width: usize,
    /// Atoms that must be true.
    pub(super) atoms: Vec<Pattern>,
    /// Atoms that must be false.
    pub(super) negative: Vec<Pattern>,
    /// Pairs that must be equal, or (true) must not.
    pub(super) equalities: Vec<(Slot, Slot, bool)>,
    /// Conditions for all values of further variables.
    pub(super) universal: Vec<&'a Formula>,
    /// Variables that need a value.
    pub(super) variables: Vec<(VariableId, TypeId)>,
    /// What becomes true.
    pub(super) heads: Vec<Pattern>,
    /// Whether a solution is a way to carry out the action.
    pub(super) operates: bool,
}

impl<'a> Rule<'a> {
    /// The rules of an action: how it can be carried out, and how what depends on conditions of its
    /// own can take place.
    pub(super) fn of(
        number: usize,
        action: &'a Action,
        kinds: &Kinds,
    ) -> Result<Vec<Self>, GameError> {
        let parameters: Vec<VariableId> = (0..action.parameters as VariableId).collect();
        let too_large = || {
            let problem =
                format!("the conditions of action '{}' have too many alternatives", action.name);
            GameError::new(Part::Domain, problem)
        };
        let mut rules = Vec::new();
        let ways = alternatives(&action.precondition).ok_or_else(too_large)?;
        let added = |conditional: bool| {
            let wanted =
                move |effect: &&Effect| !effect.literal.negated && effect.always() != conditional;
            action.effects.iter().filter(wanted)
        };
        for way in &ways {
            let heads = added(false).map(|effect| kinds.pattern(&effect.literal)).collect();
            let mut rule = Self::new(number, &action.variables, way, &parameters, kinds);
            (rule.heads, rule.operates) = (heads, true);
            rules.push(rule);
            for effect in added(true) {
                for when in alternatives(&effect.condition).ok_or_else(too_large)? {
                    let both = and(way.clone(), when);
                    let bound = [parameters.as_slice(), &effect.variables].concat();
                    let mut rule = Self::new(number, &action.variables, &both, &bound, kinds);
                    rule.heads = vec![kinds.pattern(&effect.literal)];
                    rules.push(rule);
                }
            }
        }
        if rules.iter().any(|rule| rule.atoms.len() > MOST_ATOMS) {
            return Err(too_large());
        }
        Ok(rules)
    }

    fn new(
        action: usize,
        types: &[Variable],
        way: &Alternative<'a>,
        bound: &[VariableId],
        kinds: &Kinds,
    ) -> Self {
        let with_kind = |&variable: &VariableId| (variable, types[usize::from(variable)].kind);
        let (equal, literals): (Vec<&Literal>, Vec<&Literal>) =
            way.literals.iter().partition(|literal| literal.predicate == EQUAL);
        let (negative, atoms): (Vec<&Literal>, Vec<&Literal>) =
            literals.into_iter().partition(|literal| literal.negated);
        let pair = |literal: &&Literal| {
            let [left, right] = [0, 1].map(|at| kinds.slot(&literal.terms[at]));
            (left, right, literal.negated)
        };
        Self {
            action,
            width: types.len(),
            atoms: atoms.into_iter().map(|literal| kinds.pattern(literal)).collect(),
            negative: negative.into_iter().map(|literal| kinds.pattern(literal)).collect(),
            equalities: equal.iter().map(pair).collect(),
            universal: way.universal.clone(),
            variables: bound.iter().chain(&way.variables).map(with_kind).collect(),
            heads: Vec::new(),
            operates: false,
        }
    }

    /// Whether the pairs that must be equal are, and the others are not.
    pub(super) fn agrees(&self, values: &[u32]) -> bool {
        self.equalities
            .iter()
            .all(|(left, right, apart)| (left.value(values) == right.value(values)) != *apart)
    }
}

fn and<'a>(mut left: Alternative<'a>, right: Alternative<'a>) -> Alternative<'a> {
    left.literals.extend(right.literals);
    left.universal.extend(right.universal);
    left.variables.extend(right.variables);
    left
}

/// The ways in which a condition can hold; none if there are too many.
fn alternatives(formula: &Formula) -> Option<Vec<Alternative<'_>>> {
    let ways = match formula {
        Formula::Literal(literal) => {
            vec![Alternative { literals: vec![literal], ..Alternative::default() }]
        }
        Formula::Forall(..) => {
            vec![Alternative { universal: vec![formula], ..Alternative::default() }]
        }
        Formula::Exists(variables, body) => {
            let mut ways = alternatives(body)?;
            for way in &mut ways {
                way.variables.extend(variables);
            }
            ways
        }
        Formula::Or(parts) => parts.iter().map(alternatives).collect::<Option<Vec<_>>>()?.concat(),
        Formula::And(parts) => {
            let mut ways = vec![Alternative::default()];
            for part in parts {
                let next = alternatives(part)?;
                if ways.len() * next.len() > MOST_ALTERNATIVES {
                    return None;
                }
                ways = ways
                    .iter()
                    .flat_map(|way| next.iter().map(|other| and(way.clone(), other.clone())))
                    .collect();
            }
            ways
        }
    };
    Some(ways).filter(|ways| ways.len() <= MOST_ALTERNATIVES)
}
