//! Compiled texts of a game, and the names in them.

use std::collections::{HashMap, HashSet};

use super::super::error::{GameError, Part};
use super::super::grammar::{Grammar, Placeholder};
use super::super::grounding::{GroundOperator, GroundProblem, Kinds, ObjectId};
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
        // The actions that some way takes.
        let action = |way: &GroundOperator| ground.built.actions[way.operator as usize];
        let used: HashSet<usize> = ground.built.ways.iter().map(action).collect();
        let mut compiler = Compiler::new(grammar, domain);
        let mut templates = vec![Vec::new(); domain.actions.len()];
        let mut feedback = templates.clone();
        let actions =
            || domain.actions.iter().enumerate().filter(|(number, _)| used.contains(number));
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
        if compiler.rules.reads.iter().any(changes) {
            let problem = "a command's text depends on facts that change, which is not supported";
            return Err(GameError::new(Part::Grammar, problem));
        }
        for (number, action) in actions() {
            let texts = texts(&action.name)?;
            feedback[number] = compiler.text(&texts.feedback, Some(texts.at), &context(number))?;
        }
        let intro = compiler.text("#intro#", None, &Vec::new())?;
        Ok(Self { rules: compiler.rules, intro, templates, feedback })
    }
}

/// The names of all objects as players read them.
///
/// As in alfworld's `AlfredDemangler`: what a fact of the start speaks of is sorted by its name in the
/// problem; `X_bar_...` becomes `X N`, with `basin` added to X if the name has it, and N counting
/// down, so that the first one has the highest number. A name without `_bar_` is kept, with `_minus_`
/// and the like replaced, and a space at its end.
pub(super) fn display_names(kinds: &Kinds, mentioned: &[bool]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let name = |object: usize| {
        let name = kinds.name(object as ObjectId);
        if !mentioned[object] {
            return name.to_owned();
        }
        let Some((base, _)) = name.split_once("_bar_") else { return format!("{} ", plain(name)) };
        let base = format!("{base}{}", if name.contains("basin") { "basin" } else { "" });
        let number = counts.entry(base.clone()).or_default();
        *number += 1;
        format!("{base} {number}")
    };
    let mut names: Vec<String> = (0..kinds.len()).rev().map(name).collect();
    names.reverse();
    names
}

fn plain(name: &str) -> String {
    let marks = [("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")];
    marks.iter().fold(name.to_owned(), |name, (from, to)| name.replace(from, to))
}
