//! PDDL scope: variables, predicates and types in reach, and the conditions that use them.

use std::collections::HashMap;

use super::super::error::GameError;
use super::formula::{Formula, Literal, PredicateId, Term, Variable, VariableId};
use super::sexpr::{Node, Source};
use super::types::{OBJECT, TypeId, Types};

/// Variables of one action or goal beyond this are refused.
const MOST_VARIABLES: usize = 64;

/// Predicates by name, with the number of their arguments.
#[derive(Clone, Debug)]
pub(crate) struct Predicates {
    /// How many arguments each has.
    pub(crate) arities: Vec<usize>,
    numbers: HashMap<String, PredicateId>,
}

impl Predicates {
    /// Only `=`.
    pub(super) fn new() -> Self {
        let mut predicates = Self { arities: Vec::new(), numbers: HashMap::new() };
        predicates.declare("=", 2);
        predicates
    }

    /// Declares a predicate; false if there is one of this name already.
    pub(super) fn declare(&mut self, name: &str, arity: usize) -> bool {
        let number = self.arities.len() as PredicateId;
        let new = self.numbers.insert(name.to_owned(), number).is_none();
        self.arities.push(arity);
        new
    }

    /// The number of a name.
    pub(crate) fn number(&self, name: &str) -> Option<PredicateId> {
        self.numbers.get(name).copied()
    }

    /// The predicate of a literal, checked against the number of arguments.
    pub(super) fn check(
        &self,
        source: Source<'_>,
        at: usize,
        name: &str,
        arguments: usize,
    ) -> Result<PredicateId, GameError> {
        let number = self
            .number(name)
            .ok_or_else(|| source.error(at, format!("unknown predicate '{name}'")))?;
        let arity = self.arities[usize::from(number)];
        if arity == arguments {
            return Ok(number);
        }
        Err(source.error(at, format!("'{name}' has {arity} arguments, not {arguments}")))
    }
}

/// `a b - t c`: names with their types; names without one are of type `object`.
pub(super) fn typed_names<'a>(
    source: Source<'_>,
    nodes: &[Node<'a>],
) -> Result<Vec<(usize, &'a str, &'a str)>, GameError> {
    let mut names: Vec<(usize, &str, &str)> = Vec::with_capacity(nodes.len());
    let mut untyped = 0;
    let mut nodes = nodes.iter();
    while let Some(node) = nodes.next() {
        let name = node.word(source, "a name")?;
        if name != "-" {
            names.push((node.at, name, OBJECT));
            continue;
        }
        let kind = nodes.next().ok_or_else(|| source.error(node.at, "'-' without a type"))?;
        let kind = kind.word(source, "a type ('either' is not supported)")?;
        for name in &mut names[untyped..] {
            name.2 = kind;
        }
        untyped = names.len();
    }
    Ok(names)
}

/// The variables of one action or goal, and which of them are in reach.
pub(super) struct Scope<'a, 'd> {
    pub(super) source: Source<'a>,
    pub(super) predicates: &'d Predicates,
    pub(super) types: &'d mut Types,
    pub(super) variables: Vec<Variable>,
    reach: Vec<(&'a str, VariableId)>,
}

impl<'a, 'd> Scope<'a, 'd> {
    pub(super) fn new(
        source: Source<'a>,
        predicates: &'d Predicates,
        types: &'d mut Types,
    ) -> Self {
        Self { source, predicates, types, variables: Vec::new(), reach: Vec::new() }
    }

    /// Brings the variables of a list into reach.
    pub(super) fn bind(&mut self, nodes: &[Node<'a>]) -> Result<Vec<VariableId>, GameError> {
        let mut bound = Vec::new();
        for (at, name, kind) in typed_names(self.source, nodes)? {
            let Some(bare) = name.strip_prefix('?') else {
                return Err(self.source.error(at, format!("'{name}' is no variable")));
            };
            if self.variables.len() == MOST_VARIABLES {
                let problem = format!("more than {MOST_VARIABLES} variables");
                return Err(self.source.error(at, problem));
            }
            let number = self.variables.len() as VariableId;
            let kind: TypeId = self.types.number(kind);
            self.variables.push(Variable { name: bare.to_owned(), kind });
            self.reach.push((name, number));
            bound.push(number);
        }
        Ok(bound)
    }

    /// Reads with a quantifier's variables in reach.
    pub(super) fn quantified<T>(
        &mut self,
        variables: &Node<'a>,
        read: impl FnOnce(&mut Self, &[VariableId]) -> Result<T, GameError>,
    ) -> Result<(Vec<VariableId>, T), GameError> {
        let before = self.reach.len();
        let bound = self.bind(variables.list(self.source, "a list of variables")?)?;
        let body = read(self, &bound)?;
        self.reach.truncate(before);
        Ok((bound, body))
    }

    /// A condition; `()` always holds.
    pub(super) fn condition(&mut self, node: &Node<'a>) -> Result<Formula, GameError> {
        if node.list(self.source, "a condition")?.is_empty() {
            return Ok(Formula::truth());
        }
        self.formula(node, false)
    }

    fn formula(&mut self, node: &Node<'a>, negated: bool) -> Result<Formula, GameError> {
        let (head, rest) = node.head_and_rest(self.source, "a condition")?;
        match (head, rest) {
            ("and" | "or", parts) => {
                let parts: Result<Vec<_>, _> =
                    parts.iter().map(|part| self.formula(part, negated)).collect();
                Ok(if (head == "and") == negated {
                    Formula::Or(parts?)
                } else {
                    Formula::And(parts?)
                })
            }
            ("not", [part]) => self.formula(part, !negated),
            ("imply", [when, then]) => {
                let parts = vec![self.formula(when, !negated)?, self.formula(then, negated)?];
                Ok(if negated { Formula::And(parts) } else { Formula::Or(parts) })
            }
            ("forall" | "exists", [variables, body]) => {
                let (variables, body) =
                    self.quantified(variables, |scope, _| scope.formula(body, negated))?;
                let body = Box::new(body);
                Ok(if (head == "forall") == negated {
                    Formula::Exists(variables, body)
                } else {
                    Formula::Forall(variables, body)
                })
            }
            ("not" | "imply" | "forall" | "exists", _) => {
                let problem = format!("'{head}' with {} parts", rest.len());
                Err(self.source.error(node.at, problem))
            }
            _ => Ok(Formula::Literal(self.literal(node, negated)?)),
        }
    }

    /// A literal, perhaps with `not` before it.
    pub(super) fn literal(&mut self, node: &Node<'a>, negated: bool) -> Result<Literal, GameError> {
        let (name, arguments) = node.head_and_rest(self.source, "a predicate")?;
        if let ("not", [atom]) = (name, arguments) {
            return self.literal(atom, !negated);
        }
        let predicate = self.predicates.check(self.source, node.at, name, arguments.len())?;
        let terms = arguments.iter().map(|node| self.term(node)).collect::<Result<_, _>>()?;
        Ok(Literal { predicate, negated, terms })
    }

    fn term(&self, node: &Node<'a>) -> Result<Term, GameError> {
        let name = node.word(self.source, "a variable or an object")?;
        if !name.starts_with('?') {
            return Ok(Term::Object(name.to_owned()));
        }
        let found = self.reach.iter().rev().find(|(bound, _)| *bound == name);
        match found {
            Some(&(_, number)) => Ok(Term::Variable(number)),
            None => Err(self.source.error(node.at, format!("unknown variable '{name}'"))),
        }
    }
}
