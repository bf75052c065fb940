//! Operators: what can be carried out when, and what it changes.

use super::super::bit_set::Condition;
use super::super::error::GameError;
use super::super::lists::Lists;
use super::super::pddl::{Action, Domain, Problem};
use super::condition::Grounder;
use super::facts::{FactId, Facts, ObjectId};
use super::join::Budget;
use super::patterns::{Kinds, Pattern, UNBOUND};
use super::reachability::{Ways, reach};
use super::rules::Rule;

/// One change: a fact becomes true, or false, if a condition holds.
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    /// When it takes place.
    pub(crate) condition: Condition,
    /// What changes.
    pub(crate) fact: FactId,
    /// Whether it becomes true.
    pub(crate) adds: bool,
}

/// One way in which an operator can be carried out.
#[derive(Clone, Debug)]
pub(crate) struct GroundOperator {
    /// The operator.
    pub(crate) operator: u32,
    /// What must hold beside its literals.
    pub(crate) rest: Condition,
}

/// A problem without variables.
#[derive(Debug)]
pub(crate) struct GroundProblem {
    /// Everything that is or can become true.
    pub(crate) facts: Facts,
    /// How many of the facts are true at the start: the first ones.
    pub(crate) initial: usize,
    /// Which predicates some action changes.
    pub(crate) changing: Vec<bool>,
    /// The goal.
    pub(crate) goal: Condition,
    /// Operators and ways.
    pub(crate) built: Built,
}

/// Operators, and the ways to carry them out.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// The actions of operators in order of action and arguments.
    pub(crate) actions: Vec<usize>,
    /// The arguments of every operator.
    pub(crate) arguments: Lists<ObjectId>,
    /// What every operator changes.
    pub(crate) effects: Lists<GroundEffect>,
    /// Ways in order of operators.
    pub(crate) ways: Vec<GroundOperator>,
    /// Facts that every way needs to be true, or (true) false.
    pub(crate) literals: Lists<(FactId, bool)>,
}

/// Grounds a problem.
pub(crate) fn ground(
    domain: &Domain,
    problem: &Problem,
    kinds: &Kinds,
) -> Result<GroundProblem, GameError> {
    let mut rules = Vec::new();
    for (number, action) in domain.actions.iter().enumerate() {
        // Without an effect an action is none, as in the original.
        if !action.effects.is_empty() {
            rules.extend(Rule::of(number, action, kinds)?);
        }
    }
    let mut budget = Budget::new();
    let arities = &domain.predicates.arities;
    let (facts, ways) = reach(&rules, problem, kinds, arities, &mut budget)?;
    let mut changing = vec![false; arities.len()];
    for effect in domain.actions.iter().flat_map(|action| &action.effects) {
        changing[usize::from(effect.literal.predicate)] = true;
    }
    let grounder =
        Grounder { facts: &facts, kinds, changing: &changing, variables: &problem.variables };
    let mut values = vec![UNBOUND; problem.variables.len()];
    let goal = grounder.condition(&problem.goal, &mut values, &mut budget)?;
    let targets = |action: &Action| {
        action.effects.iter().map(|effect| kinds.pattern(&effect.literal)).collect()
    };
    let mut build = Build {
        targets: domain.actions.iter().map(targets).collect(),
        domain,
        grounder,
        rules: &rules,
        ways: &ways,
        budget,
        built: Built::default(),
        arguments: Vec::new(),
        literals: Vec::new(),
    };
    for way in in_order(&rules, &ways, domain) {
        build.way(way)?;
    }
    let initial = problem.facts.len();
    Ok(GroundProblem { built: build.built, initial, goal, facts, changing })
}

/// Ways by action, arguments, alternative.
fn in_order(rules: &[Rule<'_>], ways: &Ways, domain: &Domain) -> Vec<usize> {
    let arguments = |way: usize| {
        let action = rules[ways.rules[way] as usize].action;
        (action, &ways.values.get(way)[..domain.actions[action].parameters])
    };
    // The action and the first arguments in one number decide nearly always.
    let head = |way: usize| {
        let (action, arguments) = arguments(way);
        let first = arguments.iter().chain(std::iter::repeat(&0)).take(7);
        first.fold(action as u128, |head, &argument| head << 16 | u128::from(argument))
    };
    let mut order: Vec<(u128, usize)> = (0..ways.rules.len()).map(|way| (head(way), way)).collect();
    order.sort_unstable_by(|(left_head, left), (right_head, right)| {
        let rest = |way: usize| (arguments(way), ways.rules[way], way);
        left_head.cmp(right_head).then_with(|| rest(*left).cmp(&rest(*right)))
    });
    order.into_iter().map(|(_, way)| way).collect()
}

struct Build<'a> {
    domain: &'a Domain,
    grounder: Grounder<'a>,
    rules: &'a [Rule<'a>],
    ways: &'a Ways,
    /// What every action's effects change.
    targets: Vec<Vec<Pattern>>,
    budget: Budget,
    built: Built,
    /// Room for the arguments of an atom.
    arguments: Vec<ObjectId>,
    /// Room for the facts that a way needs.
    literals: Vec<(FactId, bool)>,
}

impl Build<'_> {
    /// Adds one way, and its operator if it is its first way; none that can never be gone,
    /// or that changes nothing whatever the state is.
    fn way(&mut self, way: usize) -> Result<(), GameError> {
        let rule = &self.rules[self.ways.rules[way] as usize];
        let parameters = self.domain.actions[rule.action].parameters;
        let values = self.ways.values.get(way);
        let Some(rest) = self.needs(rule, values)? else { return Ok(()) };
        let built = &self.built;
        let same = built.actions.len().checked_sub(1).filter(|&last| {
            built.actions[last] == rule.action && built.arguments.get(last) == &values[..parameters]
        });
        let operator = match same {
            Some(operator) => operator,
            None => self.operator(rule.action, values)?,
        };
        let literals = &self.literals;
        let changes = |effect: &GroundEffect| {
            !literals.contains(&(effect.fact, !effect.adds))
                && !contradicts(&effect.condition, literals)
        };
        if self.built.effects.get(operator).iter().any(changes) {
            self.built.literals.push(literals.iter().copied());
            self.built.ways.push(GroundOperator { operator: operator as u32, rest });
        }
        Ok(())
    }

    /// Finds the facts that a way needs, and what else; nothing if it can never be gone.
    fn needs(
        &mut self,
        rule: &Rule<'_>,
        values: &[ObjectId],
    ) -> Result<Option<Condition>, GameError> {
        let variables = &self.domain.actions[rule.action].variables;
        let grounder = Grounder { variables, ..self.grounder };
        let Self { literals, arguments, budget, .. } = self;
        literals.clear();
        let signed = rule.atoms.iter().map(|atom| (atom, false));
        for (atom, negated) in signed.chain(rule.negative.iter().map(|atom| (atom, true))) {
            atom.fill(values, arguments);
            match grounder.atom(atom.predicate, arguments, negated) {
                Condition::Has(fact, negated) if literals.contains(&(fact, !negated)) => {
                    return Ok(None);
                }
                Condition::Has(fact, negated) if !literals.contains(&(fact, negated)) => {
                    literals.push((fact, negated));
                }
                condition if condition == Condition::FALSE => return Ok(None),
                _ => {}
            }
        }
        let universal = rule.universal.iter();
        let rest = universal
            .map(|formula| grounder.condition(formula, &mut values.to_vec(), budget))
            .collect::<Result<_, _>>()?;
        Ok(Some(Condition::of(rest, true)).filter(|rest| *rest != Condition::FALSE))
    }

    /// Adds an operator: if it would make a fact true and false at once, the fact becomes true.
    fn operator(&mut self, number: usize, values: &[ObjectId]) -> Result<usize, GameError> {
        let action = &self.domain.actions[number];
        let grounder = Grounder { variables: &action.variables, ..self.grounder };
        let mut effects = Vec::new();
        for (effect, target) in action.effects.iter().zip(&self.targets[number]) {
            let Self { arguments, budget, .. } = self;
            let mut add = |condition: Condition, values: &[ObjectId]| {
                target.fill(values, arguments);
                let adds = !effect.literal.negated;
                if let Condition::Has(fact, _) = grounder.atom(target.predicate, arguments, false)
                    && condition != Condition::FALSE
                {
                    effects.push(GroundEffect { condition, fact, adds });
                }
            };
            if effect.always() {
                add(Condition::TRUE, values);
                continue;
            }
            // Values of variables in the precondition are none of the effect's business.
            let mut own = values.to_vec();
            own[action.parameters..].fill(UNBOUND);
            let guard = (&effect.condition, false);
            for mut values in grounder.solutions(&effect.variables, guard, &mut own, budget)? {
                let condition = grounder.condition(&effect.condition, &mut values, budget)?;
                add(condition, &values);
            }
        }
        let always = |effect: &GroundEffect| effect.adds && effect.condition == Condition::TRUE;
        let made = |fact| effects.iter().any(|effect| effect.fact == fact && always(effect));
        let kept = |effect: &&GroundEffect| effect.adds || !made(effect.fact);
        self.built.effects.push(effects.iter().filter(kept).cloned());
        self.built.arguments.push(values[..action.parameters].iter().copied());
        self.built.actions.push(number);
        Ok(self.built.actions.len() - 1)
    }
}

/// Whether a condition cannot hold if some facts are as given.
fn contradicts(condition: &Condition, literals: &[(FactId, bool)]) -> bool {
    match condition {
        Condition::Has(fact, negated) => literals.contains(&(*fact, !negated)),
        Condition::All(parts) => parts.iter().any(|part| contradicts(part, literals)),
        Condition::Any(parts) => {
            !parts.is_empty() && parts.iter().all(|part| contradicts(part, literals))
        }
    }
}
