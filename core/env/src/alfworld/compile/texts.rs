//! Compiled texts of a game.

use super::super::error::{GameError, Part};
use super::super::grammar::{Grammar, Placeholder};
use super::super::grounding::GroundProblem;
use super::super::pddl::{Domain, Variable};
use super::super::text::{Compiler, Piece, Read, Rules};

/// The compiled texts of a game.
pub(super) struct Texts {
    pub(super) rules: Rules,
    pub(super) intro: Vec<Piece>,
    pub(super) templates: Vec<Vec<Piece>>,
    pub(super) feedback: Vec<Vec<Piece>>,
}

impl Texts {
    pub(super) fn compile(
        grammar: &Grammar<'_>,
        domain: &Domain,
        ground: &GroundProblem,
    ) -> Result<Self, GameError> {
        let used = used(domain, ground);
        let mut compiler = Compiler::new(grammar, domain);
        let mut templates = vec![Vec::new(); domain.actions.len()];
        let mut feedback = templates.clone();
        let actions = || domain.actions.iter().enumerate().filter(|(number, _)| used[*number]);
        let context = |number: usize| -> Vec<Placeholder> {
            let action = &domain.actions[number];
            let place = |variable: &Variable| Placeholder {
                name: variable.name.clone(),
                kind: domain.types.name(variable.kind).to_owned(),
            };
            action.variables[..action.parameters].iter().map(place).collect()
        };
        let texts = |name: &str| {
            let missing = || GameError::new(Part::Grammar, format!("there is no action '{name}'"));
            grammar.actions.get(name).ok_or_else(missing)
        };
        for (number, action) in actions() {
            let texts = texts(&action.name)?;
            templates[number] = compiler.text(&texts.template, Some(texts.at), &context(number))?;
        }
        let changes = |read: &Read| {
            read.predicate.is_some_and(|(number, _)| ground.changing[usize::from(number)])
        };
        if compiler.reads().iter().any(changes) {
            let problem = "a command's text depends on facts that change, which is not supported";
            return Err(GameError::new(Part::Grammar, problem));
        }
        for (number, action) in actions() {
            let texts = texts(&action.name)?;
            feedback[number] = compiler.text(&texts.feedback, Some(texts.at), &context(number))?;
        }
        let intro = compiler.text("#intro#", None, &Vec::new())?;
        Ok(Self { rules: compiler.finish(), intro, templates, feedback })
    }
}

/// The actions that some way takes.
fn used(domain: &Domain, ground: &GroundProblem) -> Vec<bool> {
    let mut used = vec![false; domain.actions.len()];
    for way in &ground.built.ways {
        used[ground.built.actions[way.operator as usize]] = true;
    }
    used
}
