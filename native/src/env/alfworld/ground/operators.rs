//! Operators: what can be carried out when, and what it changes.

use std::collections::HashSet;

use super::super::error::GameError;
use super::super::pddl::{Domain, Problem};
use super::condition::{Condition, Grounder};
use super::facts::{FactId, Facts, ObjectId};
use super::join::Budget;
use super::patterns::{Kinds, UNBOUND};
use super::reach::{Ways, reach};
use super::rules::Rule;

/// One change: a fact becomes true, or false, where a condition holds.
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    /// When it takes place.
    pub(crate) condition: Condition,
    /// What changes.
    pub(crate) fact: FactId,
    /// Whether it becomes true.
    pub(crate) adds: bool,
}

/// An action with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    /// The action's number.
    pub(crate) action: usize,
    /// Where its arguments begin.
    arguments: usize,
    /// Where its effects begin.
    effects: usize,
}

/// One way in which an operator can be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The operator.
    pub(crate) operator: u32,
    /// Where its facts begin.
    facts: usize,
    /// What must hold beside them.
    pub(crate) rest: Condition,
}

/// A problem without variables.
#[derive(Debug)]
pub(crate) struct Ground {
    /// Everything that is or can become true.
    pub(crate) facts: Facts,
    /// How many of the facts are true at the start: the first ones.
    pub(crate) initial: usize,
    /// Which predicates some action changes.
    pub(crate) changing: Vec<bool>,
    /// Operators in order of action and arguments.
    pub(crate) operators: Vec<Operator>,
    /// Ways in order of operators.
    pub(crate) ways: Vec<Way>,
    /// The goal.
    pub(crate) goal: Condition,
    arguments: Vec<ObjectId>,
    effects: Vec<GroundEffect>,
    literals: Vec<(FactId, bool)>,
}

impl Ground {
    /// An operator's arguments.
    pub(crate) fn arguments(&self, operator: usize) -> &[ObjectId] {
        let end =
            self.operators.get(operator + 1).map_or(self.arguments.len(), |next| next.arguments);
        &self.arguments[self.operators[operator].arguments..end]
    }

    /// What an operator changes.
    pub(crate) fn effects(&self, operator: usize) -> &[GroundEffect] {
        let end = self.operators.get(operator + 1).map_or(self.effects.len(), |next| next.effects);
        &self.effects[self.operators[operator].effects..end]
    }

    /// Facts that a way needs to be true, or (true) false.
    pub(crate) fn literals(&self, way: usize) -> &[(FactId, bool)] {
        let end = self.ways.get(way + 1).map_or(self.literals.len(), |next| next.facts);
        &self.literals[self.ways[way].facts..end]
    }
}

/// Grounds a problem.
pub(crate) fn ground(
    domain: &Domain,
    problem: &Problem,
    kinds: &Kinds,
) -> Result<Ground, GameError> {
    let mut rules = Vec::new();
    for (number, action) in domain.actions.iter().enumerate() {
        // Without an effect an action is none, as in the original.
        if !action.effects.is_empty() {
            rules.extend(Rule::of(number, action, kinds)?);
        }
    }
    let widths: Vec<usize> = domain.actions.iter().map(|action| action.variables.len()).collect();
    let mut budget = Budget::new();
    let arities = domain.predicates.arities();
    let (facts, ways) = reach(&rules, &widths, problem, kinds, arities, &mut budget)?;
    let mut changing = vec![false; arities.len()];
    for effect in domain.actions.iter().flat_map(|action| &action.effects) {
        changing[usize::from(effect.literal.predicate)] = true;
    }
    let grounder =
        Grounder { facts: &facts, kinds, changing: &changing, variables: &problem.variables };
    let mut values = vec![UNBOUND; problem.variables.len()];
    let goal = grounder.condition(&problem.goal, &mut values, &mut budget)?;
    let mut ground = Ground {
        facts: facts.clone(),
        initial: problem.facts.len(),
        changing: changing.clone(),
        operators: Vec::new(),
        ways: Vec::new(),
        goal,
        arguments: Vec::new(),
        effects: Vec::new(),
        literals: Vec::new(),
    };
    let mut build = Build { domain, grounder, rules: &rules, ways: &ways, budget };
    for way in in_order(&rules, &ways, domain) {
        build.way(&mut ground, way)?;
    }
    Ok(ground)
}

/// Ways by action, arguments, alternative.
fn in_order(rules: &[Rule<'_>], ways: &Ways, domain: &Domain) -> Vec<usize> {
    let key = |&way: &usize| {
        let action = rules[ways.rules[way] as usize].action;
        (action, &ways.values(way)[..domain.actions[action].parameters], ways.rules[way])
    };
    let mut order: Vec<usize> = (0..ways.rules.len()).collect();
    order.sort_by(|left, right| key(left).cmp(&key(right)));
    order
}

struct Build<'a> {
    domain: &'a Domain,
    grounder: Grounder<'a>,
    rules: &'a [Rule<'a>],
    ways: &'a Ways,
    budget: Budget,
}

impl Build<'_> {
    /// Adds one way, and its operator where it is the first way of it; none that can never be gone,
    /// or that changes nothing whatever the state is.
    fn way(&mut self, ground: &mut Ground, way: usize) -> Result<(), GameError> {
        let rule = &self.rules[self.ways.rules[way] as usize];
        let action = &self.domain.actions[rule.action];
        let mut values = self.ways.values(way).to_vec();
        let Some((literals, rest)) = self.needs(rule, &mut values)? else { return Ok(()) };
        let arguments = &values[..action.parameters];
        let last = ground.operators.len().checked_sub(1);
        let same = last.filter(|&last| {
            ground.operators[last].action == rule.action && ground.arguments(last) == arguments
        });
        let operator = if let Some(operator) = same {
            operator
        } else {
            let effects = self.effects(rule.action, &mut values)?;
            let operator = Operator {
                action: rule.action,
                arguments: ground.arguments.len(),
                effects: ground.effects.len(),
            };
            ground.arguments.extend(&values[..action.parameters]);
            ground.effects.extend(effects);
            ground.operators.push(operator);
            ground.operators.len() - 1
        };
        let changes = |effect: &GroundEffect| {
            !literals.contains(&(effect.fact, !effect.adds))
                && !contradicts(&effect.condition, &literals)
        };
        if ground.effects(operator).iter().any(changes) {
            let facts = ground.literals.len();
            ground.literals.extend(&literals);
            ground.ways.push(Way { operator: operator as u32, facts, rest });
        }
        Ok(())
    }

    /// The facts that a way needs, and what else; nothing where it can never be gone.
    #[expect(clippy::type_complexity, reason = "facts with their signs, and the rest")]
    fn needs(
        &mut self,
        rule: &Rule<'_>,
        values: &mut [ObjectId],
    ) -> Result<Option<(Vec<(FactId, bool)>, Condition)>, GameError> {
        let grounder =
            Grounder { variables: &self.domain.actions[rule.action].variables, ..self.grounder };
        let mut arguments = Vec::new();
        let mut literals = Vec::with_capacity(rule.atoms.len());
        let signed = rule.atoms.iter().map(|atom| (atom, false));
        for (atom, negated) in signed.chain(rule.negative.iter().map(|atom| (atom, true))) {
            atom.fill(values, &mut arguments);
            match grounder.atom(atom.predicate, &arguments, negated) {
                Condition::Fact(fact, negated) if literals.contains(&(fact, !negated)) => {
                    return Ok(None);
                }
                Condition::Fact(fact, negated) if !literals.contains(&(fact, negated)) => {
                    literals.push((fact, negated));
                }
                condition if condition == Condition::FALSE => return Ok(None),
                _ => {}
            }
        }
        let mut rest = Vec::new();
        for formula in &rule.universal {
            rest.push(grounder.condition(formula, values, &mut self.budget)?);
        }
        let rest = Condition::all(rest);
        Ok((rest != Condition::FALSE).then_some((literals, rest)))
    }

    /// What an action changes: where a fact is made true and false at once, it becomes true.
    fn effects(
        &mut self,
        action: usize,
        values: &mut [ObjectId],
    ) -> Result<Vec<GroundEffect>, GameError> {
        let action = &self.domain.actions[action];
        let grounder = Grounder { variables: &action.variables, ..self.grounder };
        let mut effects: Vec<GroundEffect> = Vec::with_capacity(action.effects.len());
        // Values of variables in the precondition's quantifiers are none of the effects' business.
        values[action.parameters..].fill(UNBOUND);
        for effect in &action.effects {
            let simple = effect.variables.is_empty() && effect.always();
            let solutions = if simple {
                vec![values.to_vec()]
            } else {
                grounder.solutions(
                    &effect.variables,
                    &effect.condition,
                    values,
                    &mut self.budget,
                )?
            };
            for mut values in solutions {
                let condition =
                    grounder.condition(&effect.condition, &mut values, &mut self.budget)?;
                if condition == Condition::FALSE {
                    continue;
                }
                if let Condition::Fact(fact, negated) = grounder.literal(&effect.literal, &values) {
                    effects.push(GroundEffect { condition, fact, adds: !negated });
                }
            }
        }
        let always = |effect: &&GroundEffect| effect.adds && effect.condition == Condition::TRUE;
        let added: HashSet<FactId> =
            effects.iter().filter(always).map(|effect| effect.fact).collect();
        effects.retain(|effect| effect.adds || !added.contains(&effect.fact));
        Ok(effects)
    }
}

/// Whether a condition cannot hold where some facts are as given.
fn contradicts(condition: &Condition, literals: &[(FactId, bool)]) -> bool {
    match condition {
        Condition::Fact(fact, negated) => literals.contains(&(*fact, !negated)),
        Condition::All(parts) => parts.iter().any(|part| contradicts(part, literals)),
        Condition::Any(parts) => {
            !parts.is_empty() && parts.iter().all(|part| contradicts(part, literals))
        }
    }
}
