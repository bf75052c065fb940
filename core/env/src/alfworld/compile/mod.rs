//! Game compiler: from a file to a game.

mod commands;
mod operator_index;
mod state_bits;
mod texts;

use std::collections::HashSet;

use self::commands::Commands;
use self::operator_index::OperatorIndex;
use self::state_bits::{NONE, StateBits, facts_of};
use self::texts::Texts;
use super::bit_set::Test;
use super::display_names::names;
use super::error::{GameError, Part};
use super::game::{Change, Game, GameFile, Operator};
use super::grammar::Grammar;
use super::grounding::{Condition, GroundProblem, Kinds, ObjectId, ground};
use super::pddl::{Domain, Problem};
use super::text::{Read, Table, Writer};

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
    let names = names(&kinds, &problem.mentioned);
    let texts = Texts::compile(&grammar, &domain, &ground)?;
    let bits = StateBits::new(&domain, &ground, &texts.rules.reads);
    let table = |read: &Read| Table::new(read, bits.rows(read, &ground), &kinds, &domain.types);
    let tables: Vec<Table> = texts.rules.reads.iter().map(table).collect();
    let initial = bits.initial(&ground);
    let writer = Writer {
        rules: &texts.rules,
        tables: &tables,
        names: &names,
        kinds: &kinds,
        types: &domain.types,
        state: &initial,
    };
    let commands = Commands::new(&ground, &texts, writer)?;
    let lookup = OperatorIndex::new(&ground, &commands, &bits, &initial);
    let (operators, arguments, changes) = operators(&ground, &bits);
    Ok(Game {
        solvable: file.solvable,
        walkthrough: file.walkthrough,
        intro: texts.intro,
        feedback: texts.feedback,
        goal: Test::new(&ground.goal, &|fact| bits.fact[fact as usize]),
        command_starts: commands.starts,
        commands: commands.text,
        checks: lookup.all.iter().map(|way| way.check).collect(),
        more: lookup.all.iter().any(|way| way.more.is_some()),
        ways: lookup.all,
        keys: lookup.keys,
        key_starts: lookup.key_starts,
        command_ways: lookup.by_command,
        command_way_starts: lookup.command_starts,
        types: domain.types,
        rules: texts.rules,
        kinds,
        names,
        tables,
        initial,
        operators,
        arguments,
        changes,
    })
}

/// Operators with their arguments, and what they change.
fn operators(
    ground: &GroundProblem,
    bits: &StateBits,
) -> (Vec<Operator>, Vec<ObjectId>, Vec<Change>) {
    let mut operators = Vec::with_capacity(ground.built.operators.len());
    let (mut arguments, mut changes) = (Vec::new(), Vec::new());
    let mut asked = HashSet::new();
    facts_of(&ground.goal, &mut |fact| {
        asked.insert(bits.fact[fact as usize]);
    });
    for (number, operator) in ground.built.operators.iter().enumerate() {
        operators.push(Operator {
            action: operator.action as u32,
            arguments: arguments.len() as u32,
            changes: changes.len() as u32,
            conditional: false,
            nearer: false,
        });
        arguments.extend_from_slice(ground.built.arguments(number));
        let from = changes.len();
        for value in [false, true] {
            for effect in ground.built.effects(number) {
                let bit = if effect.adds == value {
                    bits.fact[effect.fact as usize]
                } else {
                    bits.gone.get(&effect.fact).copied().unwrap_or(NONE)
                };
                let when = Test::new(&effect.condition, &|fact| bits.fact[fact as usize]);
                let when = (effect.condition != Condition::TRUE).then(|| Box::new(when));
                if bit != NONE {
                    changes.push(Change { when, bit, value });
                }
            }
        }
        let conditional = changes[from..].iter().any(|change| change.when.is_some());
        operators[number].conditional = conditional;
        operators[number].nearer = changes[from..].iter().any(|change| asked.contains(&change.bit));
    }
    (operators, arguments, changes)
}
