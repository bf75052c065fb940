//! PDDL problem: objects, initial facts, goal.

use std::collections::{HashMap, HashSet};

use rapidhash::fast::RandomState;

use super::super::error::{GameError, Part};
use super::domain::{Domain, defined};
use super::formula::{Formula, PredicateId, Variable};
use super::scope::{Scope, typed};
use super::sexpr::{Node, Source, read};
use super::types::TypeId;

/// Objects beyond this are refused.
const MOST_OBJECTS: usize = 60_000;

/// A fact that holds at the start: objects are numbers into the problem's list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InitialFact {
    /// The predicate.
    pub(crate) predicate: PredicateId,
    /// Its arguments.
    pub(crate) arguments: Vec<u32>,
}

/// A problem of a domain.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Objects, sorted by name, with their types; constants of the domain among them.
    pub(crate) objects: Vec<(String, TypeId)>,
    /// What holds at the start.
    pub(crate) facts: Vec<InitialFact>,
    /// Which objects occur in what is said of the start.
    pub(crate) mentioned: Vec<bool>,
    /// What has to hold at the end.
    pub(crate) goal: Formula,
    /// The goal's variables.
    pub(crate) variables: Vec<Variable>,
}

impl Problem {
    /// Reads a problem of `domain`; types that only its goal mentions are added to the domain's.
    ///
    /// # Errors
    /// If it is not a problem of this domain, or contradicts itself.
    pub(crate) fn parse(text: &str, domain: &mut Domain) -> Result<Self, GameError> {
        let lower = text.to_ascii_lowercase();
        let source = Source { part: Part::Problem, text: &lower };
        let root = read(source)?;
        let (_, sections) = defined(source, &root, "problem")?;
        let mut named = Vec::new();
        let mut initial: Option<&[Node<'_>]> = None;
        let mut goal = None;
        for section in sections {
            let (head, rest) = section.headed(source, "a section of the problem")?;
            match (head, rest) {
                (":domain", [name]) => {
                    let name = name.word(source, "a name")?;
                    if name != domain.name {
                        let problem = format!("the domain is '{}', not '{name}'", domain.name);
                        return Err(source.error(section.at, problem));
                    }
                }
                (":requirements" | ":metric", _) => {}
                (":objects", words) => named.extend(typed(source, words)?),
                (":init", facts) if initial.is_none() => initial = Some(facts),
                (":goal", [condition]) if goal.is_none() => goal = Some(condition),
                _ => return Err(source.error(section.at, format!("unexpected '{head}'"))),
            }
        }
        let Some(goal) = goal else {
            return Err(source.error(root.at, "there is no (:goal ...)"));
        };
        let objects = objects(source, &named, domain)?;
        let (facts, mentioned) = facts(source, initial.unwrap_or(&[]), &objects, domain)?;
        let mut scope = Scope::new(source, &domain.predicates, &mut domain.types);
        let goal = scope.condition(goal)?;
        let variables = scope.variables;
        Ok(Self { objects, facts, mentioned, goal, variables })
    }
}

/// Constants and objects by name, each of a declared type.
fn objects(
    source: Source<'_>,
    named: &[(usize, &str, &str)],
    domain: &Domain,
) -> Result<Vec<(String, TypeId)>, GameError> {
    let constants = domain.constants.iter().map(|(name, kind)| (0, name.as_str(), kind.as_str()));
    let mut objects = Vec::with_capacity(named.len() + domain.constants.len());
    let mut seen = HashSet::new();
    for (at, name, kind) in constants.chain(named.iter().copied()) {
        let Some(kind) = domain.types.declared(kind) else {
            return Err(source.error(at, format!("'{name}' is of the unknown type '{kind}'")));
        };
        if !seen.insert(name) {
            return Err(source.error(at, format!("object '{name}' is declared twice")));
        }
        objects.push((name.to_owned(), kind));
    }
    if objects.len() > MOST_OBJECTS {
        return Err(GameError::new(source.part, format!("more than {MOST_OBJECTS} objects")));
    }
    objects.sort_unstable();
    Ok(objects)
}

/// Objects by name, and which of them are spoken of.
struct Names<'a> {
    source: Source<'a>,
    numbers: HashMap<&'a str, u32>,
    mentioned: Vec<bool>,
}

impl<'a> Names<'a> {
    fn new(source: Source<'a>, objects: &'a [(String, TypeId)]) -> Self {
        let numbered = objects.iter().zip(0..).map(|((name, _), number)| (name.as_str(), number));
        Self { source, numbers: numbered.collect(), mentioned: vec![false; objects.len()] }
    }

    fn numbered(&mut self, arguments: &[Node<'_>]) -> Result<Vec<u32>, GameError> {
        let number = |node: &Node<'_>| {
            let name = node.word(self.source, "an object")?;
            let unknown = || self.source.error(node.at, format!("unknown object '{name}'"));
            let number = *self.numbers.get(name).ok_or_else(unknown)?;
            self.mentioned[number as usize] = true;
            Ok(number)
        };
        arguments.iter().map(number).collect()
    }
}

/// The facts of the start, and which objects are spoken of.
fn facts(
    source: Source<'_>,
    nodes: &[Node<'_>],
    objects: &[(String, TypeId)],
    domain: &Domain,
) -> Result<(Vec<InitialFact>, Vec<bool>), GameError> {
    let mut names = Names::new(source, objects);
    let mut truth: HashMap<InitialFact, bool, RandomState> = HashMap::default();
    let mut facts = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (head, rest) = node.headed(source, "a fact")?;
        if let ("=", [left, _]) = (head, rest) {
            if let (_, [_, ..]) = left.headed(source, "a function")? {
                names.numbered(&left.list(source, "a function")?[1..])?;
            }
            continue;
        }
        let (atom, holds) = match (head, rest) {
            ("not", [atom]) => (atom, false),
            _ => (node, true),
        };
        let (name, arguments) = atom.headed(source, "a fact")?;
        let predicate = domain.predicates.check(source, atom.at, name, arguments.len())?;
        let fact = InitialFact { predicate, arguments: names.numbered(arguments)? };
        match truth.insert(fact.clone(), holds) {
            None if holds => facts.push(fact),
            Some(before) if before != holds => {
                return Err(source.error(node.at, format!("'{name}' is said to be true and false")));
            }
            _ => {}
        }
    }
    Ok((facts, names.mentioned))
}
