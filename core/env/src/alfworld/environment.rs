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
    /// Steps after which it ends, if there is a limit.
    max_steps: Option<usize>,
    success_reward: f64,
    instruction: Arc<str>,
    steps: usize,
}

impl AlfworldEnvironment {
    /// A game before the first step.
    #[must_use]
    pub fn new(game: Arc<Game>, settings: EpisodeSettings) -> Self {
        let EpisodeSettings { max_steps, success_reward } = settings;
        let play = GameState::new(game);
        let first = play.feedback();
        let instruction = first.split_once(TASK).map_or("", |(_, task)| task.trim()).into();
        Self { play, max_steps: Some(max_steps), success_reward, instruction, steps: 0 }
    }

    /// A game as TextWorld plays it, before the first step: without a limit of steps, and it can be gone
    /// on with when it is won. It has no instruction beside the first observation, which tells the task.
    #[must_use]
    pub fn unlimited(game: Arc<Game>, success_reward: f64) -> Self {
        let (play, instruction) = (GameState::new(game), "".into());
        Self { play, max_steps: None, success_reward, instruction, steps: 0 }
    }

    /// Whether nothing is carried out any more.
    fn is_over(&self) -> bool {
        self.max_steps.is_some_and(|most| self.play.won() || self.steps >= most)
    }
}

impl Environment for AlfworldEnvironment {
    fn instruction(&self) -> &str {
        &self.instruction
    }

    fn observe(&self) -> Observation {
        let admissible = if self.is_over() {
            Vec::new()
        } else {
            self.play.admissible().map(str::to_owned).collect()
        };
        Observation::listed(self.play.feedback(), admissible)
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        let (over, won_before) = (self.is_over(), self.play.won());
        let admissible = !over && self.play.step(action);
        self.steps += usize::from(!over);
        let won = self.play.won();
        Outcome {
            reward: if won && !won_before { self.success_reward } else { 0.0 },
            done: won || self.is_over(),
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
