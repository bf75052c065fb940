//! PDDL problem: objects, initial facts, goal.

use std::collections::{HashMap, HashSet};

use rapidhash::fast::RandomState;

use super::super::error::{GameError, Part};
use super::domain::{Domain, defined};
use super::formula::{Formula, PredicateId, Variable};
use super::scope::{Scope, typed_names};
use super::sexpr::{Node, Source, read};
use super::types::TypeId;

/// Objects beyond this are refused.
const MOST_OBJECTS: usize = 60_000;

/// A fact's predicate, and its arguments.
type InitialFact = (PredicateId, Vec<u32>);

/// A problem of a domain.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Objects, sorted by name, with their types; constants of the domain among them.
    pub(crate) objects: Vec<(String, TypeId)>,
    /// What holds at the start: predicates, and arguments by their numbers in the list of objects.
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
            let (head, rest) = section.head_and_rest(source, "a section of the problem")?;
            match (head, rest) {
                (":domain", [name]) => {
                    let name = name.word(source, "a name")?;
                    if name != domain.name {
                        let problem = format!("the domain is '{}', not '{name}'", domain.name);
                        return Err(source.error(section.at, problem));
                    }
                }
                (":requirements" | ":metric", _) => {}
                (":objects", words) => named.extend(typed_names(source, words)?),
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

/// The facts of the start, and which objects are spoken of.
fn facts(
    source: Source<'_>,
    nodes: &[Node<'_>],
    objects: &[(String, TypeId)],
    domain: &Domain,
) -> Result<(Vec<InitialFact>, Vec<bool>), GameError> {
    let mut mentioned = vec![false; objects.len()];
    let mut number = |node: &Node<'_>| {
        let name = node.word(source, "an object")?;
        let unknown = || source.error(node.at, format!("unknown object '{name}'"));
        let found = objects.binary_search_by(|(it, _)| it.as_str().cmp(name));
        let number = found.map_err(|_| unknown())?;
        mentioned[number] = true;
        Ok(number as u32)
    };
    let mut truth: HashMap<InitialFact, bool, RandomState> = HashMap::default();
    let mut facts = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (head, rest) = node.head_and_rest(source, "a fact")?;
        if let ("=", [left, _]) = (head, rest) {
            let (_, arguments) = left.head_and_rest(source, "a function")?;
            arguments.iter().try_for_each(|node| number(node).map(drop))?;
            continue;
        }
        let (atom, holds) = match (head, rest) {
            ("not", [atom]) => (atom, false),
            _ => (node, true),
        };
        let (name, arguments) = atom.head_and_rest(source, "a fact")?;
        let predicate = domain.predicates.check(source, atom.at, name, arguments.len())?;
        let numbered = arguments.iter().map(&mut number).collect::<Result<_, _>>()?;
        let fact = (predicate, numbered);
        match truth.insert(fact.clone(), holds) {
            None if holds => facts.push(fact),
            Some(before) if before != holds => {
                return Err(source.error(node.at, format!("'{name}' is said to be true and false")));
            }
            _ => {}
        }
    }
    Ok((facts, mentioned))
}
