//! Game, ready to be played by any number of players at once.

use serde::{Deserialize, Serialize};

use super::bit_set::{Condition, put, words};
use super::grounding::ObjectId;
use super::lists::Lists;
use super::operator_index::OperatorIndex;
use super::text::{Piece, Renderer, plain_words};

/// A command by its number: commands are numbered in the order of their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub(super) u32);

/// The parts of a `game.tw-pddl` file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameFile {
    pub(super) pddl_domain: String,
    pub(super) grammar: String,
    pub(super) pddl_problem: String,
    pub(super) solvable: Option<bool>,
    pub(super) walkthrough: Option<Vec<String>>,
}

impl GameFile {
    /// All that is played: domain, grammar and problem, whatever the problem is called.
    pub(super) fn content(&self) -> String {
        let problem = unnamed(&self.pddl_problem).map(|(before, after)| [before, after].concat());
        let problem = problem.as_ref().unwrap_or(&self.pddl_problem);
        [&self.pddl_domain, &self.grammar, problem].map(String::as_str).join("\n")
    }
}

/// The text of a problem before its name and after it.
pub(super) fn unnamed(problem: &str) -> Option<(&str, &str)> {
    let (before, named) = problem.split_once("(problem")?;
    Some((before, named.split_once(')')?.1))
}

/// A change of a bit.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) when: Option<Box<Condition>>,
    pub(super) bit: u32,
    pub(super) value: bool,
}

/// What carrying out does.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    pub(super) action: u32,
    /// Whether some change depends on a condition.
    pub(super) conditional: bool,
    /// Whether some change is of a bit that the goal asks for.
    pub(super) nearer: bool,
}

/// Everything about a game that does not change while it is played.
#[derive(Debug)]
pub struct Game {
    pub(super) walkthrough: Option<Vec<String>>,
    pub(super) renderer: Renderer,
    pub(super) intro: Vec<Piece>,
    /// What the player reads after an action, by action.
    pub(super) feedback: Vec<Vec<Piece>>,
    /// The state at the start; bit 0 is always set.
    pub(super) initial: Box<[u64]>,
    pub(super) goal: Condition,
    /// All commands one after the other, and where each begins.
    pub(super) commands: String,
    pub(super) command_starts: Vec<u32>,
    pub(super) index: OperatorIndex,
    pub(super) operators: Vec<Operator>,
    /// The arguments of every operator.
    pub(super) arguments: Lists<ObjectId>,
    /// The changes of every operator: first what becomes false.
    pub(super) changes: Lists<Change>,
}

impl Game {
    /// The file's own solution.
    #[must_use]
    pub fn walkthrough(&self) -> Option<&[String]> {
        self.walkthrough.as_deref()
    }

    /// All commands, whether or not they can be carried out.
    pub fn commands(&self) -> impl ExactSizeIterator<Item = CommandId> {
        (0..self.command_starts.len() as u32 - 1).map(CommandId)
    }

    /// A command's text.
    #[must_use]
    pub fn command(&self, command: CommandId) -> &str {
        let [from, to] = [0, 1].map(|step| self.command_starts[command.0 as usize + step] as usize);
        &self.commands[from..to]
    }

    /// The command with this text.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<CommandId> {
        let (mut low, mut high) = (0, self.commands().len());
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
        let Renderer { kinds, names, .. } = &self.renderer;
        let name = |word| kinds.find(word).map_or(word, |object| &names[object as usize]);
        command.split(' ').map(name).collect::<Vec<_>>().join(" ")
    }

    /// Every word that its texts can contain; `.`, `,` and `:` are words.
    pub(super) fn words(&self) -> Vec<String> {
        let mut text = self.renderer.names.join(" ");
        for command in self.commands() {
            text.push(' ');
            text.push_str(self.command(command));
        }
        let ways = self.renderer.rules.rules.iter().flatten().map(|way| &way.pieces);
        for pieces in ways.chain(&self.feedback).chain([&self.intro]) {
            plain_words(pieces, &mut text);
        }
        let spaced = [".", ",", ":"]
            .iter()
            .fold(text, |text, mark| text.replace(mark, &format!(" {mark} ")));
        spaced.split_whitespace().map(str::to_owned).collect()
    }

    /// The bytes of a running game: its state and its set of admissible commands.
    #[must_use]
    pub fn state_bytes(&self) -> usize {
        (self.initial.len() + words(self.commands().len())) * size_of::<u64>()
    }

    /// Carries out an operator.
    pub(super) fn apply(&self, operator: u32, state: &mut [u64]) {
        let changes = self.changes.get(operator as usize);
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
