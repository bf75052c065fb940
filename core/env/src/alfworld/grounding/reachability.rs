//! Reachability: the facts that can become true, and the operators that can be carried out.

use super::super::error::{GameError, Part};
use super::super::lists::Lists;
use super::super::pddl::Problem;
use super::facts::{FactId, Facts, ObjectId};
use super::join::{Budget, Join};
use super::patterns::{Kinds, UNBOUND};
use super::rules::Rule;

/// More ways to carry actions out are refused.
const MOST_WAYS: usize = 400_000;

/// Ways to carry actions out: the rule, and the values of all its action's variables.
#[derive(Debug, Default)]
pub(super) struct Ways {
    pub(super) rules: Vec<u32>,
    pub(super) values: Lists<ObjectId>,
}

impl Ways {
    fn push(&mut self, rule: usize, values: &[ObjectId]) -> Result<(), GameError> {
        if self.rules.len() == MOST_WAYS {
            let problem = format!("more than {MOST_WAYS} ground operators");
            return Err(GameError::new(Part::Problem, problem));
        }
        self.rules.push(rule as u32);
        self.values.push(values.iter().copied());
        Ok(())
    }
}

/// Joins until nothing new becomes true.
pub(super) fn reach(
    rules: &[Rule<'_>],
    problem: &Problem,
    kinds: &Kinds,
    arities: &[usize],
    budget: &mut Budget,
) -> Result<(Facts, Ways), GameError> {
    let mut facts = Facts::new(kinds.len(), arities);
    for (predicate, arguments) in &problem.facts {
        facts.insert(*predicate, arguments);
    }
    let triggers = triggers(rules, arities.len());
    let widest = rules.iter().map(|rule| rule.width).max().unwrap_or(0);
    let mut reach = Reach {
        rules,
        kinds,
        ways: Ways::default(),
        new: Vec::new(),
        values: vec![UNBOUND; widest],
        arguments: Vec::new(),
    };
    for (number, _) in rules.iter().enumerate().filter(|(_, rule)| rule.atoms.is_empty()) {
        reach.fire(&facts, number, None, budget)?;
    }
    reach.insert(&mut facts);
    let mut current: FactId = 0;
    while (current as usize) < facts.len() {
        facts.link(current);
        for &(rule, place) in &triggers[usize::from(facts.predicate(current))] {
            reach.fire(&facts, rule, Some((place, current)), budget)?;
            reach.insert(&mut facts);
        }
        current += 1;
    }
    Ok((facts, reach.ways))
}

/// For every predicate: the rules and their atoms that its facts can match.
fn triggers(rules: &[Rule<'_>], predicates: usize) -> Vec<Vec<(usize, usize)>> {
    let mut triggers = vec![Vec::new(); predicates];
    for (number, rule) in rules.iter().enumerate() {
        for (place, atom) in rule.atoms.iter().enumerate() {
            triggers[usize::from(atom.predicate)].push((number, place));
        }
    }
    triggers
}

struct Reach<'a> {
    rules: &'a [Rule<'a>],
    kinds: &'a Kinds,
    ways: Ways,
    /// What has become true: the rule, which of its heads, and the values.
    new: Vec<(usize, usize, Vec<ObjectId>)>,
    /// Room for the values of a rule's variables: all unbound between joins.
    values: Vec<ObjectId>,
    /// Room for a fact's arguments.
    arguments: Vec<ObjectId>,
}

impl Reach<'_> {
    fn fire(
        &mut self,
        facts: &Facts,
        number: usize,
        trigger: Option<(usize, FactId)>,
        budget: &mut Budget,
    ) -> Result<(), GameError> {
        let Self { rules, kinds, ways, new, values, arguments } = self;
        let rule = &rules[number];
        let join = Join { facts, kinds, atoms: &rule.atoms, variables: &rule.variables, trigger };
        join.solve(&mut values[..rule.width], budget, &mut |values| {
            if !rule.agrees(values) {
                return Ok(());
            }
            for (place, head) in rule.heads.iter().enumerate() {
                head.fill(values, arguments);
                let named = arguments.iter().all(|&object| (object as usize) < kinds.len());
                if named && facts.find(head.predicate, arguments).is_none() {
                    new.push((number, place, arguments.clone()));
                }
            }
            if rule.operates { ways.push(number, values) } else { Ok(()) }
        })
    }

    fn insert(&mut self, facts: &mut Facts) {
        for (rule, place, arguments) in self.new.drain(..) {
            facts.insert(self.rules[rule].heads[place].predicate, &arguments);
        }
    }
}
