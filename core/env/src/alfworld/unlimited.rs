//! Unlimited game, as TextWorld plays it: its end is the goal.

use std::sync::Arc;

use super::{Game, GameState};
use crate::random::Stream;
use crate::{Environment, Observation, Outcome};

/// A running game without a limit of steps, which can be gone on with when it is won.
#[derive(Clone, Debug)]
pub struct UnlimitedGame {
    play: GameState,
    reward: f64,
}

impl UnlimitedGame {
    /// A game before the first step; `reward` is that of the step that wins.
    #[must_use]
    pub fn new(game: Arc<Game>, reward: f64) -> Self {
        Self { play: GameState::new(game), reward }
    }
}

impl Environment for UnlimitedGame {
    /// None beside the first observation, which tells the task.
    fn instruction(&self) -> &'static str {
        ""
    }

    fn observe(&self) -> Observation {
        let commands = self.play.admissible().map(str::to_owned).collect();
        Observation::listed(self.play.feedback(), commands)
    }

    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        let before = self.play.won();
        let admissible = self.play.step(action);
        let won = self.play.won();
        let reward = if won && !before { self.reward } else { 0.0 };
        Outcome { reward, done: won, won, admissible }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}
