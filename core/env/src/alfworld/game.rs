//! Game, ready to be played by any number of players at once.

use serde::Deserialize;

use super::bit_set::{Test, is_set, put, words};
use super::grounding::{Kinds, ObjectId};
use super::pddl::Types;
use super::text::{Piece, Rules, Table, Writer};

/// A command by its number: commands are numbered in the order of their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub(super) u32);

impl CommandId {
    /// Its place among all commands of the game.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The parts of a `game.tw-pddl` file.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GameFile {
    pub(super) pddl_domain: String,
    pub(super) pddl_problem: String,
    pub(super) grammar: String,
    #[serde(default)]
    pub(super) solvable: Option<bool>,
    #[serde(default)]
    pub(super) walkthrough: Option<Vec<String>>,
}

/// What is looked at first to tell whether a way can be gone: 16 bytes, so that the checks of a place
/// are read in one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    /// Three codes: twice a bit, plus 1 if it must not be set.
    pub(super) needs: [u32; 3],
    pub(super) command: u32,
}

impl Check {
    fn passes(&self, state: &[u64]) -> bool {
        let met = |need: u32| is_set(state, need / 2) != (need % 2 == 1);
        met(self.needs[0]) && met(self.needs[1]) && met(self.needs[2])
    }
}

/// One way to carry out a command.
#[derive(Clone, Debug)]
pub(super) struct GroundOperator {
    pub(super) check: Check,
    /// A bit that must be set.
    pub(super) key: u32,
    pub(super) operator: u32,
    /// What must hold beside the key and the check.
    pub(super) more: Option<Box<Test>>,
}

/// A way of a command, with what is asked of it at every step, so that nothing else is read then.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommandWay {
    pub(super) key: u32,
    pub(super) way: u32,
    pub(super) operator: u32,
}

/// A change of a bit.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) when: Option<Box<Test>>,
    pub(super) bit: u32,
    pub(super) value: bool,
}

/// What carrying out does.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    pub(super) action: u32,
    /// Where its arguments begin.
    pub(super) arguments: u32,
    /// Where its changes begin: first what becomes false.
    pub(super) changes: u32,
    /// Whether some change depends on a condition.
    pub(super) conditional: bool,
    /// Whether some change is of a bit that the goal asks for.
    pub(super) nearer: bool,
}

/// Everything about a game that does not change while it is played.
#[derive(Debug)]
pub struct Game {
    pub(super) solvable: Option<bool>,
    pub(super) walkthrough: Option<Vec<String>>,
    pub(super) kinds: Kinds,
    pub(super) types: Types,
    pub(super) names: Vec<String>,
    pub(super) rules: Rules,
    pub(super) tables: Vec<Table>,
    pub(super) intro: Vec<Piece>,
    /// What the player reads after an action, by action.
    pub(super) feedback: Vec<Vec<Piece>>,
    /// The state at the start; bit 0 is always set.
    pub(super) initial: Box<[u64]>,
    pub(super) goal: Test,
    /// All commands one after the other, and where each begins.
    pub(super) commands: String,
    pub(super) command_starts: Vec<u32>,
    /// Ways sorted by the bit that is looked at first, then as the original would try them.
    pub(super) ways: Vec<GroundOperator>,
    /// The ways' checks again, close together.
    pub(super) checks: Vec<Check>,
    /// Whether some way needs more than its key and its check.
    pub(super) more: bool,
    /// The bits that ways are sorted by, as a set, and where the ways of each bit begin.
    pub(super) keys: Box<[u64]>,
    pub(super) key_starts: Vec<u32>,
    /// The ways of every command, and where they begin.
    pub(super) command_ways: Vec<CommandWay>,
    pub(super) command_way_starts: Vec<u32>,
    pub(super) operators: Vec<Operator>,
    pub(super) arguments: Vec<ObjectId>,
    pub(super) changes: Vec<Change>,
}

impl Game {
    /// Whether the file says that it can be solved.
    #[must_use]
    pub fn solvable(&self) -> Option<bool> {
        self.solvable
    }

    /// The file's own solution.
    #[must_use]
    pub fn walkthrough(&self) -> Option<&[String]> {
        self.walkthrough.as_deref()
    }

    /// How many commands there are, whether or not they can be carried out.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.command_starts.len() - 1
    }

    /// The command at a place among all.
    #[must_use]
    pub fn command_at(&self, place: usize) -> Option<CommandId> {
        (place < self.commands()).then_some(CommandId(place as u32))
    }

    /// A command's text.
    #[must_use]
    pub fn command(&self, command: CommandId) -> &str {
        let [from, to] = [0, 1].map(|step| self.command_starts[command.index() + step] as usize);
        &self.commands[from..to]
    }

    /// The command with this text.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<CommandId> {
        let (mut low, mut high) = (0, self.commands());
        while low < high {
            let middle = usize::midpoint(low, high);
            let command = CommandId(middle as u32);
            match self.command(command).cmp(text) {
                std::cmp::Ordering::Equal => return Some(command),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// A command written with the problem's own names (`go to desk_bar__minus_00_...`), as the
    /// walkthroughs of some files are, with the names that players read.
    #[must_use]
    pub fn with_names(&self, command: &str) -> String {
        let name = |word: &str| {
            let found = self.kinds.find(word);
            found.map_or_else(|| word.to_owned(), |object| self.names[object as usize].clone())
        };
        command.split(' ').map(name).collect::<Vec<_>>().join(" ")
    }

    /// Every word that its texts can contain; `.`, `,` and `:` are words.
    pub(super) fn words(&self) -> Vec<String> {
        let mut text = self.names.join(" ");
        for command in 0..self.commands() as u32 {
            text.push(' ');
            text.push_str(self.command(CommandId(command)));
        }
        let ways = self.rules.rules.iter().flatten().map(|way| &way.pieces);
        for pieces in ways.chain(&self.feedback).chain([&self.intro]) {
            super::text::plain_words(pieces, &mut text);
        }
        let spaced = [".", ",", ":"]
            .iter()
            .fold(text, |text, mark| text.replace(mark, &format!(" {mark} ")));
        spaced.split_whitespace().map(str::to_owned).collect()
    }

    /// The bytes of a running game: its state and its set of admissible commands.
    #[must_use]
    pub fn state_bytes(&self) -> usize {
        (self.initial.len() + words(self.commands())) * size_of::<u64>()
    }

    pub(super) fn writer<'a>(&'a self, state: &'a [u64]) -> Writer<'a> {
        Writer {
            rules: &self.rules,
            tables: &self.tables,
            names: &self.names,
            kinds: &self.kinds,
            types: &self.types,
            state,
        }
    }

    /// The codes of what a way needs, and what must hold beside them.
    pub(super) fn way_needs(&self, way: usize) -> (impl Iterator<Item = u32>, Option<&Test>) {
        let way = &self.ways[way];
        (way.check.needs.into_iter().chain([way.key * 2]), way.more.as_deref())
    }

    pub(super) fn operator_arguments(&self, operator: usize) -> &[ObjectId] {
        let next = self.operators.get(operator + 1);
        let end = next.map_or(self.arguments.len(), |next| next.arguments as usize);
        &self.arguments[self.operators[operator].arguments as usize..end]
    }

    pub(super) fn operator_changes(&self, operator: usize) -> &[Change] {
        let next = self.operators.get(operator + 1);
        let end = next.map_or(self.changes.len(), |next| next.changes as usize);
        &self.changes[self.operators[operator].changes as usize..end]
    }

    /// Whether a way can be gone in a state.
    pub(super) fn open(&self, way: usize, state: &[u64]) -> bool {
        let GroundOperator { check, key, .. } = &self.ways[way];
        is_set(state, *key) && check.passes(state) && self.rest_holds(way, state)
    }

    /// Whether what a way needs beside its key and its check holds.
    fn rest_holds(&self, way: usize, state: &[u64]) -> bool {
        let holds = |more: &Test| more.holds(state);
        !self.more || self.ways[way].more.as_deref().is_none_or(holds)
    }

    /// The commands that can be carried out in a state, as a set.
    pub(super) fn admissible(&self, state: &[u64], commands: &mut [u64]) {
        commands.fill(0);
        for (at, (keys, set)) in self.keys.iter().zip(state).enumerate() {
            let mut found = keys & set;
            while found != 0 {
                let key = at * 64 + found.trailing_zeros() as usize;
                let [from, to] = [0, 1].map(|step| self.key_starts[key + step] as usize);
                for (way, check) in (from..to).zip(&self.checks[from..to]) {
                    if check.passes(state) && self.rest_holds(way, state) {
                        put(commands, check.command, true);
                    }
                }
                found &= found - 1;
            }
        }
    }

    /// The operator that carries out a command: that of the first way that can be gone.
    pub(super) fn operator(&self, command: CommandId, state: &[u64]) -> Option<u32> {
        let [from, to] =
            [0, 1].map(|step| self.command_way_starts[command.index() + step] as usize);
        let open = |it: &&CommandWay| {
            let way = it.way as usize;
            is_set(state, it.key) && self.checks[way].passes(state) && self.rest_holds(way, state)
        };
        self.command_ways[from..to].iter().find(open).map(|it| it.operator)
    }

    /// Carries out an operator.
    pub(super) fn apply(&self, operator: u32, state: &mut [u64]) {
        let changes = self.operator_changes(operator as usize);
        if !self.operators[operator as usize].conditional {
            for change in changes {
                put(state, change.bit, change.value);
            }
            return;
        }
        let before = state.to_vec();
        for change in changes {
            if change.when.as_ref().is_none_or(|when| when.holds(&before)) {
                put(state, change.bit, change.value);
            }
        }
    }
}
