//! Episode of `sokoban`.

use std::sync::Arc;

use super::room::{marks, text};
use super::{MOST_EXPANDED, Room, SokobanSettings, SokobanState, Solution, Walls, solve};
use crate::direction::Direction;
use crate::random::Stream;
use crate::{Actions, Environment, EpisodeSettings, Observation, Outcome, Possibility};

/// What agents are asked for, in every room.
pub(super) const INSTRUCTION: &str = "push every box X onto a target O";

/// A room, the state it has come to, and the steps taken.
#[derive(Clone, Debug)]
pub struct SokobanEnvironment {
    ground: Arc<Walls>,
    state: SokobanState,
    actions: Arc<[String]>,
    settings: SokobanSettings,
    episode: EpisodeSettings,
    steps: usize,
}

impl SokobanEnvironment {
    /// A room before the first step.
    #[must_use]
    pub fn new(room: &Room, settings: &SokobanSettings, episode: EpisodeSettings) -> Self {
        Self {
            ground: Arc::new(room.ground().clone()),
            state: room.state(),
            actions: Direction::ALL.map(|direction| direction.name().to_owned()).into(),
            settings: settings.clone(),
            episode,
            steps: 0,
        }
    }

    /// Player and boxes.
    #[must_use]
    pub fn state(&self) -> SokobanState {
        self.state
    }

    fn won(&self) -> bool {
        self.state.is_solved(&self.ground)
    }

    fn done(&self) -> bool {
        self.won() || self.steps >= self.episode.max_steps
    }

    /// What coming into a state from this one earns.
    fn reward(&self, next: &SokobanState) -> f64 {
        let [before, after] = [&self.state, next].map(|state| state.boxes_on_targets(&self.ground));
        let placed = match after.cmp(&before) {
            std::cmp::Ordering::Greater => self.settings.box_reward,
            std::cmp::Ordering::Less => -self.settings.box_reward,
            std::cmp::Ordering::Equal => 0.0,
        };
        let success = if next.is_solved(&self.ground) { self.episode.success_reward } else { 0.0 };
        // Added in the original's order.
        -self.settings.step_cost + placed + success
    }
}

impl Environment for SokobanEnvironment {
    fn instruction(&self) -> &'static str {
        INSTRUCTION
    }

    fn observe(&self) -> Observation {
        let actions = if self.done() { Arc::from([]) } else { self.actions.clone() };
        Observation::new(text(&self.ground, &self.state), Actions::Listed(actions))
    }

    /// White space around the action is ignored. What is no action costs a step like any other; a step
    /// after the end changes nothing.
    fn step(&mut self, action: &str, _: &mut Stream) -> Outcome {
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let direction = Direction::named(action);
        let next = direction.map_or(self.state, |it| self.state.after(&self.ground, it));
        let reward = self.reward(&next);
        self.state = next;
        self.steps += 1;
        Outcome { reward, done: self.done(), won: self.won(), admissible: direction.is_some() }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    /// The cells of the player and of the boxes.
    fn situation(&self) -> Option<String> {
        let boxes = self.state.boxes().iter().map(ToString::to_string).collect::<Vec<_>>();
        Some(format!("{} {}", self.state.player(), boxes.join(",")))
    }

    /// The one state that it leads to. `None` for what is no action, and once won.
    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let direction = Direction::named(action).filter(|_| !self.won())?;
        let state = self.state.after(&self.ground, direction);
        let reward = self.reward(&state);
        let next = Self { state, ..self.clone() };
        let next = (!next.won()).then(|| Box::new(next) as Box<dyn Environment>);
        Some(vec![Possibility { probability: 1.0, reward, next }])
    }

    /// The room in the characters that Sokoban is mostly written in: `#` wall, `.` target, `$` box, `*`
    /// box on a target, `@` player, `+` player on a target.
    fn drawing(&self) -> Option<String> {
        let mark = |at: usize| marks(&self.ground, &self.state, at as u16).1;
        let (cells, width) = (self.ground.cells().len(), self.ground.width());
        let line = |first: usize| (first..first + width).map(mark).collect();
        Some((0..cells).step_by(width).map(line).collect::<Vec<String>>().join("\n"))
    }

    /// Also empty if a box can never come to a target any more, or if nothing is found in
    /// [`MOST_EXPANDED`] states.
    fn plan(&self) -> Option<Vec<String>> {
        let Solution::Found(moves) = solve(&self.ground, self.state, MOST_EXPANDED) else {
            return Some(Vec::new());
        };
        Some(moves.into_iter().map(|direction| direction.name().to_owned()).collect())
    }
}
