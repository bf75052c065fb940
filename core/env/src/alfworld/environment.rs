//! Episodes of `alfworld`.

use std::sync::Arc;

use super::Game;
use super::game_state::GameState;
use crate::random::Stream;
use crate::{Environment, EpisodeSettings, Observation, Outcome};

/// What instructions follow in the first observation.
const TASK: &str = "Your task is to: ";

/// A running game, the steps taken, and what they may cost.
#[derive(Clone, Debug)]
pub struct AlfworldEnvironment {
    play: GameState,
    settings: EpisodeSettings,
    instruction: Arc<str>,
    steps: usize,
}

impl AlfworldEnvironment {
    /// A game before the first step.
    #[must_use]
    pub fn new(game: Arc<Game>, settings: EpisodeSettings) -> Self {
        let play = GameState::new(game);
        let first = play.feedback();
        let instruction = first.split_once(TASK).map_or("", |(_, task)| task.trim()).into();
        Self { play, settings, instruction, steps: 0 }
    }

    fn done(&self) -> bool {
        self.play.won() || self.steps >= self.settings.max_steps
    }
}

impl Environment for AlfworldEnvironment {
    fn instruction(&self) -> &str {
        &self.instruction
    }

    fn observe(&self) -> Observation {
        let admissible = if self.done() {
            Vec::new()
        } else {
            self.play.admissible().map(str::to_owned).collect()
        };
        Observation::listed(self.play.feedback(), admissible)
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        let over = self.done();
        let admissible = !over && self.play.step(action);
        self.steps += usize::from(!over);
        let won = self.play.won();
        Outcome {
            reward: if won && !over { self.settings.success_reward } else { 0.0 },
            done: self.done(),
            won,
            admissible,
        }
    }

    /// Also empty if the search finds no way.
    fn plan(&self) -> Option<Vec<String>> {
        let game = self.play.game();
        let plan = self.play.plan().unwrap_or_default();
        Some(plan.into_iter().map(|command| game.command(command).to_owned()).collect())
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}

/// A running game as TextWorld plays it, without a limit of steps: its end is the goal, and it can be
/// gone on with when it is won.
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
