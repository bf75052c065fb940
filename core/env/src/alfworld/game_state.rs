//! Game state.

use std::sync::Arc;

use super::bit_set::{is_set, members, words};
use super::game::{CommandId, Game};
use super::text::MOST_STEPS;

/// What the player reads when a command is not admissible.
const NOTHING: &str = "Nothing happens.";

/// What the last step was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// There was none.
    Start,
    /// It changed nothing.
    Refused,
    /// It carried out this operator.
    Operator(u32),
}

/// A running game: a state of some hundred bytes, and the game it is of. A clone is a snapshot.
#[derive(Clone, Debug)]
pub struct GameState {
    game: Arc<Game>,
    /// The state's bits, then the set of admissible commands.
    bits: Box<[u64]>,
    last: Last,
    won: bool,
}

impl PartialEq for GameState {
    /// Whether both are in the same state of the same game.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.game, &other.game) && self.bits == other.bits
    }
}

impl GameState {
    /// The start of a game.
    #[must_use]
    pub fn new(game: Arc<Game>) -> Self {
        let mut bits = game.initial.to_vec();
        bits.resize(bits.len() + words(game.commands().len()), 0);
        let mut play = Self { game, bits: bits.into(), last: Last::Start, won: false };
        play.look(true);
        play
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Works out what can be done now, and, if that may have changed, whether the goal is reached.
    fn look(&mut self, nearer: bool) {
        let (state, commands) = self.bits.split_at_mut(self.game.initial.len());
        self.game.index.admissible(state, commands);
        if nearer {
            self.won = self.game.goal.holds(state);
        }
    }

    /// Carries out a command; false if it is not admissible, and then nothing changes.
    pub fn step_command(&mut self, command: CommandId) -> bool {
        let (state, commands) = self.bits.split_at_mut(self.game.initial.len());
        let admissible = is_set(commands, command.0);
        let operator = if admissible { self.game.index.operator(command, state) } else { None };
        let Some(operator) = operator else {
            self.last = Last::Refused;
            return false;
        };
        self.game.apply(operator, state);
        self.last = Last::Operator(operator);
        self.look(self.game.operators[operator as usize].nearer);
        true
    }

    /// Carries out a command by its text, without the white space around it; false if it is not
    /// admissible, and then nothing changes.
    pub fn step(&mut self, command: &str) -> bool {
        if let Some(command) = self.game.find(command.trim()) {
            return self.step_command(command);
        }
        self.last = Last::Refused;
        false
    }

    /// The admissible commands as a set: bit `n % 64` of word `n / 64` is command `n`.
    #[must_use]
    pub fn admissible_set(&self) -> &[u64] {
        &self.bits[self.game.initial.len()..]
    }

    /// The admissible commands, rising.
    pub fn admissible_ids(&self) -> impl Iterator<Item = CommandId> {
        members(self.admissible_set()).map(CommandId)
    }

    /// The admissible commands' texts, in the order of their bytes.
    pub fn admissible(&self) -> impl Iterator<Item = &str> {
        self.admissible_ids().map(|command| self.game.command(command))
    }

    /// Adds what the player reads now to `out`.
    pub fn write_feedback(&self, out: &mut String) {
        let game = &*self.game;
        let state = &self.bits[..game.initial.len()];
        let (pieces, arguments) = match self.last {
            Last::Start => (&game.intro, &[][..]),
            Last::Refused => return out.push_str(NOTHING),
            Last::Operator(operator) => {
                let operator = operator as usize;
                let action = game.operators[operator].action as usize;
                (&game.feedback[action], game.arguments.get(operator))
            }
        };
        game.renderer.write(MOST_STEPS, state, pieces, arguments, out);
    }

    /// What the player reads now.
    #[must_use]
    pub fn feedback(&self) -> String {
        let mut text = String::new();
        self.write_feedback(&mut text);
        text
    }

    /// Commands that reach the goal from here, found by search with full knowledge; none if the
    /// search finds none. They are few, but not proven to be the fewest.
    #[must_use]
    pub fn plan(&self) -> Option<Vec<CommandId>> {
        super::solve::plan(&self.game, &self.bits[..self.game.initial.len()])
    }

    /// Whether the goal is reached.
    #[must_use]
    pub fn won(&self) -> bool {
        self.won
    }
}
