//! PDDL domain: types, predicates and actions.

use super::super::error::{GameError, Part};
use super::formula::{EQUAL, Formula, Literal, Variable, VariableId};
use super::scope::{Predicates, Scope, typed_names};
use super::sexpr::{Node, Source, read};
use super::types::Types;

/// What an action changes when its condition holds, for all values of its variables.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// Variables it ranges over, beside those of the action.
    pub(crate) variables: Vec<VariableId>,
    /// When it takes place.
    pub(crate) condition: Formula,
    /// What becomes true, or false.
    pub(crate) literal: Literal,
}

impl Effect {
    /// Whether it depends on nothing but its action.
    pub(crate) fn always(&self) -> bool {
        let plain = matches!(&self.condition, Formula::And(parts) if parts.is_empty());
        plain && self.variables.is_empty()
    }
}

/// An action schema.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    /// Its name in lower case.
    pub(crate) name: String,
    /// How many of the variables are its parameters: the first ones.
    pub(crate) parameters: usize,
    /// Parameters, then the variables of quantifiers.
    pub(crate) variables: Vec<Variable>,
    /// When it can be carried out.
    pub(crate) precondition: Formula,
    /// What it changes.
    pub(crate) effects: Vec<Effect>,
}

/// A domain.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    /// Its name.
    pub(crate) name: String,
    /// Its types, with every type that is only mentioned.
    pub(crate) types: Types,
    /// Its predicates.
    pub(crate) predicates: Predicates,
    /// Objects of every problem, with their types.
    pub(crate) constants: Vec<(String, String)>,
    /// Its actions, in order.
    pub(crate) actions: Vec<Action>,
}

impl Domain {
    /// Reads a domain.
    ///
    /// # Errors
    /// If it is not a domain or uses something that is not supported.
    pub(crate) fn parse(text: &str) -> Result<Self, GameError> {
        let lower = text.to_ascii_lowercase();
        let source = Source { part: Part::Domain, text: &lower };
        let root = read(source)?;
        let (name, sections) = defined(source, &root, "domain")?;
        let mut domain = Self {
            name: name.to_owned(),
            types: Types::new(),
            predicates: Predicates::new(),
            constants: Vec::new(),
            actions: Vec::new(),
        };
        for section in sections {
            domain.section(source, section)?;
        }
        Ok(domain)
    }

    fn section(&mut self, source: Source<'_>, section: &Node<'_>) -> Result<(), GameError> {
        let (head, rest) = section.head_and_rest(source, "a section of the domain")?;
        match head {
            ":requirements" | ":functions" => Ok(()),
            ":types" => {
                for (_, name, parent) in typed_names(source, rest)? {
                    self.types.declare(name, parent);
                }
                let cycle =
                    |name| source.error(section.at, format!("type '{name}' is above itself"));
                self.types.settle().map_err(cycle)
            }
            ":constants" => {
                let constants = typed_names(source, rest)?;
                let owned = |(_, name, kind): (_, &str, &str)| (name.to_owned(), kind.to_owned());
                self.constants.extend(constants.into_iter().map(owned));
                Ok(())
            }
            ":predicates" => rest.iter().try_for_each(|node| {
                let (name, arguments) = node.head_and_rest(source, "a predicate")?;
                let arity = typed_names(source, arguments)?.len();
                if self.predicates.declare(name, arity) {
                    return Ok(());
                }
                Err(source.error(node.at, format!("predicate '{name}' is declared twice")))
            }),
            ":action" => {
                let action = self.action(source, section.at, rest)?;
                if self.actions.iter().any(|other| other.name == action.name) {
                    let problem = format!("action '{}' is declared twice", action.name);
                    return Err(source.error(section.at, problem));
                }
                self.actions.push(action);
                Ok(())
            }
            other => Err(source.error(section.at, format!("'{other}' is not supported"))),
        }
    }

    fn action<'a>(
        &mut self,
        source: Source<'a>,
        at: usize,
        rest: &[Node<'a>],
    ) -> Result<Action, GameError> {
        let Some((name, fields)) = rest.split_first() else {
            return Err(source.error(at, "an action without a name"));
        };
        let name = name.word(source, "the name of an action")?;
        let mut scope = Scope::new(source, &self.predicates, &mut self.types);
        let mut precondition = Formula::truth();
        let (mut parameters, mut effects) = (0, Vec::new());
        let mut expected: &[&str] = &[":parameters", ":precondition", ":effect"];
        for pair in fields.chunks(2) {
            let [field, value] = pair else {
                return Err(source.error(pair[0].at, "a field without a value"));
            };
            let word = field.word(source, "a field of an action")?;
            let Some(place) = expected.iter().position(|it| *it == word) else {
                let problem = format!("unexpected '{word}': {}", expected.join(", then "));
                return Err(source.error(field.at, problem));
            };
            expected = &expected[place + 1..];
            match word {
                ":parameters" => {
                    parameters = scope.bind(value.list(source, "a list of variables")?)?.len();
                }
                ":precondition" => precondition = scope.condition(value)?,
                _ => read_effects(&mut scope, value, &[], &[], &mut effects)?,
            }
        }
        let variables = scope.variables;
        Ok(Action { name: name.to_owned(), parameters, variables, precondition, effects })
    }
}

/// `(define (KIND NAME) SECTION...)`.
pub(super) fn defined<'a, 'n>(
    source: Source<'_>,
    root: &'n Node<'a>,
    kind: &str,
) -> Result<(&'a str, &'n [Node<'a>]), GameError> {
    let problem = || source.error(root.at, format!("expected (define ({kind} NAME) ...)"));
    let ("define", [head, sections @ ..]) = root.head_and_rest(source, "define")? else {
        return Err(problem());
    };
    match head.head_and_rest(source, kind)? {
        (word, [name]) if word == kind => Ok((name.word(source, "a name")?, sections)),
        _ => Err(problem()),
    }
}

/// Flattens an effect: what each literal depends on, and ranges over.
fn read_effects<'a>(
    scope: &mut Scope<'a, '_>,
    node: &Node<'a>,
    variables: &[VariableId],
    conditions: &[Formula],
    effects: &mut Vec<Effect>,
) -> Result<(), GameError> {
    if node.list(scope.source, "an effect")?.is_empty() {
        return Ok(());
    }
    match node.head_and_rest(scope.source, "an effect")? {
        ("and", parts) => parts
            .iter()
            .try_for_each(|part| read_effects(scope, part, variables, conditions, effects)),
        ("forall", [names, body]) => scope
            .quantified(names, |scope, bound| {
                let variables = [variables, bound].concat();
                read_effects(scope, body, &variables, conditions, effects)
            })
            .map(|_| ()),
        ("when", [condition, body]) => {
            let condition = scope.condition(condition)?;
            let conditions = [conditions, &[condition]].concat();
            read_effects(scope, body, variables, &conditions, effects)
        }
        ("increase", [_, _]) => Ok(()),
        ("forall" | "when" | "increase" | "assign" | "decrease", rest) => {
            let problem = format!("this effect with {} parts is not supported", rest.len());
            Err(scope.source.error(node.at, problem))
        }
        _ => {
            let literal = scope.literal(node, false)?;
            if literal.predicate == EQUAL {
                return Err(scope.source.error(node.at, "an effect cannot change '='"));
            }
            let condition = Formula::And(conditions.to_vec());
            effects.push(Effect { variables: variables.to_vec(), condition, literal });
            Ok(())
        }
    }
}
