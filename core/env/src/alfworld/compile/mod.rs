//! Game compiler: from a file to a game.

mod commands;
mod state_bits;
mod texts;

use std::collections::HashSet;

use self::commands::Commands;
use self::state_bits::{NONE, StateBits};
use self::texts::{Texts, display_names};
use super::bit_set::Condition;
use super::error::{GameError, Part};
use super::game::{Change, Game, GameFile, Operator};
use super::grammar::Grammar;
use super::grounding::{GroundProblem, Kinds, ground};
use super::lists::Lists;
use super::operator_index::OperatorIndex;
use super::pddl::{Domain, Problem};
use super::text::{Read, Renderer, Table};

impl Game {
    /// Reads a `game.tw-pddl` file.
    ///
    /// # Errors
    /// If it is not such a file: the part, the place and the problem. What is too large or nested too
    /// deep to be meant is refused as well.
    pub fn parse(bytes: &[u8]) -> Result<Self, GameError> {
        let file: GameFile = serde_json::from_slice(bytes)
            .map_err(|error| GameError::json(Part::File, 0, &error))?;
        build(file)
    }
}

/// Builds a game.
pub(super) fn build(file: GameFile) -> Result<Game, GameError> {
    let mut domain = Domain::parse(&file.pddl_domain)?;
    let problem = Problem::parse(&file.pddl_problem, &mut domain)?;
    let grammar = Grammar::parse(&file.grammar)?;
    let kinds = Kinds::new(&problem, &domain.types);
    let ground = ground(&domain, &problem, &kinds)?;
    let Texts { rules, intro, templates, feedback } = Texts::compile(&grammar, &domain, &ground)?;
    let bits = StateBits::new(&domain, &ground, &rules.reads);
    let table = |read: &Read| Table::new(read, bits.rows(read, &ground), &kinds, &domain.types);
    let tables = rules.reads.iter().map(table).collect();
    let names = display_names(&kinds, &problem.mentioned);
    let renderer = Renderer { rules, tables, names, kinds, types: domain.types };
    let initial = bits.initial(&ground);
    let commands = Commands::new(&ground, &templates, &renderer, &initial)?;
    let count = commands.starts.len() - 1;
    let index = OperatorIndex::new(&ground, &bits.fact, initial.len(), &commands.of, count);
    let (operators, changes) = operators(&ground, &bits);
    Ok(Game {
        walkthrough: file.walkthrough,
        goal: ground.goal.with_bits(&bits.fact),
        command_starts: commands.starts,
        commands: commands.text,
        arguments: ground.built.arguments,
        renderer,
        intro,
        feedback,
        initial,
        index,
        operators,
        changes,
    })
}

/// Operators, and what each changes.
fn operators(ground: &GroundProblem, bits: &StateBits) -> (Vec<Operator>, Lists<Change>) {
    let mut asked = HashSet::new();
    ground.goal.visit(&mut |fact, _| {
        asked.insert(bits.fact[fact as usize]);
    });
    let mut operators = Vec::with_capacity(ground.built.actions.len());
    let mut all_changes = Lists::default();
    let mut changes = Vec::new();
    for (number, &action) in ground.built.actions.iter().enumerate() {
        for value in [false, true] {
            for effect in ground.built.effects.get(number) {
                let bit = if effect.adds == value {
                    bits.fact[effect.fact as usize]
                } else {
                    bits.gone.get(&effect.fact).copied().unwrap_or(NONE)
                };
                if bit != NONE {
                    let when = (effect.condition != Condition::TRUE)
                        .then(|| Box::new(effect.condition.with_bits(&bits.fact)));
                    changes.push(Change { when, bit, value });
                }
            }
        }
        operators.push(Operator {
            action: action as u32,
            conditional: changes.iter().any(|change| change.when.is_some()),
            nearer: changes.iter().any(|change| asked.contains(&change.bit)),
        });
        all_changes.push(changes.drain(..));
    }
    (operators, all_changes)
}
