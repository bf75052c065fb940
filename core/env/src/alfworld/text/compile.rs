//! Grammar compiler: from the grammar as written to pieces with resolved names.

use std::collections::HashMap;

use super::super::error::{GameError, Part};
use super::super::grammar::{
    Expression, Grammar, Item, Placeholder, QueryAtom, Symbol, parse_query, parse_symbols,
};
use super::super::pddl::Domain;
use super::{Atom, Piece, Production, Query, Read, RuleId, Rules};

/// A text that takes more steps to write, lists counted once, is refused.
const LONGEST: u64 = 100_000;

/// The variables in reach, by place.
pub(crate) type Context = Vec<Placeholder>;

/// Resolves the names of a grammar.
pub(crate) struct Compiler<'a> {
    grammar: &'a Grammar<'a>,
    domain: &'a Domain,
    /// Everything that was compiled so far.
    pub(crate) rules: Rules,
    /// Compiled symbols by name and variables in reach, with their steps.
    known: HashMap<(String, Context), (RuleId, u64)>,
    /// Symbols that are being compiled.
    open: Vec<String>,
    /// The byte of the grammar where the text begins that is being compiled.
    at: Option<usize>,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(grammar: &'a Grammar<'a>, domain: &'a Domain) -> Self {
        let rules = Rules::default();
        Self { grammar, domain, rules, known: HashMap::new(), open: Vec::new(), at: None }
    }

    /// A text with the variables of `context` in reach; `at` is the byte of the grammar where it
    /// begins, if it is written there.
    pub(crate) fn text(
        &mut self,
        text: &str,
        at: Option<usize>,
        context: &Context,
    ) -> Result<Vec<Piece>, GameError> {
        self.at = at;
        Ok(self.pieces(text, context)?.0)
    }

    fn error(&self, problem: impl AsRef<str>) -> GameError {
        let symbol = self.open.last();
        let within = symbol.map(|symbol| format!("symbol '{symbol}': ")).unwrap_or_default();
        let problem = format!("{within}{}", problem.as_ref());
        match symbol.and_then(|symbol| self.grammar.place(symbol)).or(self.at) {
            Some(at) => GameError::at(Part::Grammar, self.grammar.source, at, problem),
            None => GameError::new(Part::Grammar, problem),
        }
    }

    fn pieces(&mut self, text: &str, context: &Context) -> Result<(Vec<Piece>, u64), GameError> {
        let mut pieces = Vec::new();
        let mut steps = 1_u64;
        for symbol in parse_symbols(text) {
            steps += match symbol {
                Symbol::Text(words) => {
                    pieces.push(Piece::Text(words));
                    1
                }
                Symbol::Rule(name) => {
                    let (rule, steps) = self.rule(&name, context)?;
                    pieces.push(Piece::Rule(rule));
                    steps
                }
                Symbol::Each { item, given, list } => {
                    let (piece, steps) = self.each(&item, given.as_deref(), list, context)?;
                    pieces.push(piece);
                    steps
                }
            };
            if steps > LONGEST {
                return Err(self.error("the text is too long"));
            }
        }
        Ok((pieces, steps))
    }

    fn each(
        &mut self,
        item: &Item,
        given: Option<&str>,
        list: bool,
        context: &Context,
    ) -> Result<(Piece, u64), GameError> {
        let mut inner = context.clone();
        let query = given.map(|given| self.query(given, &mut inner)).transpose()?;
        let (item, mut steps) = match item {
            Item::Rule(name) => {
                let (rule, steps) = self.rule(name, &inner)?;
                (vec![Piece::Rule(rule)], steps)
            }
            Item::Expression(text) => (self.expression(text, &inner)?, 1),
        };
        let mut words = None;
        if list && query.is_some() {
            let mut symbol = |name| {
                let (rule, more) = self.rule(name, context)?;
                steps += more;
                Ok(rule)
            };
            words = Some([
                symbol("list_empty")?,
                symbol("list_separator")?,
                symbol("list_last_separator")?,
            ]);
        }
        Ok((Piece::Each { query, item, list: words }, steps))
    }

    fn expression(&self, text: &str, context: &Context) -> Result<Vec<Piece>, GameError> {
        let parts = Expression::parse(text).map_err(|problem| self.error(problem))?;
        let piece = |part| match part {
            Expression::Text(words) => Ok(Piece::Text(words)),
            Expression::Of(name, attribute) => {
                let slot = context.iter().rposition(|place| place.name == name);
                let unknown = || self.error(format!("unknown variable '{name}' in '{text}'"));
                Ok(Piece::Of(slot.ok_or_else(unknown)?, attribute))
            }
        };
        parts.into_iter().map(piece).collect()
    }

    fn rule(&mut self, name: &str, context: &Context) -> Result<(RuleId, u64), GameError> {
        let key = (name.to_owned(), context.clone());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.open.iter().any(|open| open == name) {
            return Err(self.error(format!("symbol '{name}' is written in terms of itself")));
        }
        let grammar = self.grammar;
        let Some(alternatives) = grammar.rules.get(name) else {
            return Err(self.error(format!("there is no rule for '#{name}#'")));
        };
        self.open.push(name.to_owned());
        let mut ways = Vec::with_capacity(alternatives.len());
        let mut most = 0;
        for alternative in alternatives {
            let condition = match alternative.condition.as_str() {
                "" => None,
                condition => Some(self.query(condition, &mut context.clone())?),
            };
            let (pieces, steps) = self.pieces(&alternative.rhs, context)?;
            most = most.max(steps);
            let always = condition.is_none();
            ways.push(Production { condition, pieces });
            if always {
                break;
            }
        }
        if ways.last().is_none_or(|way| way.condition.is_some()) {
            return Err(self.error("every alternative has a condition, so there may be no text"));
        }
        self.open.pop();
        let compiled = (self.rules.rules.len() as RuleId, most + alternatives.len() as u64);
        self.rules.rules.push(ways);
        self.known.insert(key, compiled);
        Ok(compiled)
    }

    /// A query; its new variables are added to the context.
    fn query(&mut self, text: &str, context: &mut Context) -> Result<Query, GameError> {
        let parsed = parse_query(text).map_err(|problem| self.error(problem))?;
        let mut atoms = Vec::with_capacity(parsed.len());
        for atom in parsed {
            let table = self.read(&atom, text)?;
            let before = context.len();
            let mut slot = |place: Placeholder| {
                let known = context.iter().position(|it| *it == place);
                let slot = known.unwrap_or_else(|| {
                    context.push(place);
                    context.len() - 1
                });
                (slot, slot < before)
            };
            atoms.push(Atom {
                table,
                slots: atom.placeholders.into_iter().map(&mut slot).collect(),
            });
        }
        Ok(Query { atoms, width: context.len() })
    }

    /// The number of the facts that an atom reads.
    fn read(&mut self, atom: &QueryAtom, text: &str) -> Result<usize, GameError> {
        let kind = |place: &Placeholder| {
            let kind = self.domain.types.declared(&place.kind);
            kind.ok_or_else(|| self.error(format!("unknown type '{}' in '{text}'", place.kind)))
        };
        let kinds = atom.placeholders.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
        let number = |name: &str| self.domain.predicates.number(name);
        let negative = || Some((number(atom.predicate.strip_prefix("not_")?)?, true));
        let found = number(&atom.predicate).map(|number| (number, false)).or_else(negative);
        let arity = found.map(|(number, _)| self.domain.predicates.arities[usize::from(number)]);
        if arity.is_some_and(|arity| arity != kinds.len()) {
            let problem =
                format!("'{}' in '{text}' has another number of arguments", atom.predicate);
            return Err(self.error(problem));
        }
        let read = Read { predicate: found, kinds };
        let reads = &mut self.rules.reads;
        Ok(reads.iter().position(|it| *it == read).unwrap_or_else(|| {
            reads.push(read);
            reads.len() - 1
        }))
    }
}
