//! Episode of `gridworld`.

use std::sync::Arc;

use super::task::{State, Task, shortest_path};
use super::transitions::Transitions;
use super::{Direction, Position, Tile};
use crate::random::Stream;
use crate::{Actions, Environment, EpisodeSettings, Observation, Outcome, Possibility};

/// A task, the state it has reached, and the steps taken.
#[derive(Clone, Debug)]
pub(super) struct GridEpisode {
    ground: Arc<Transitions>,
    task: Task,
    settings: EpisodeSettings,
    state: State,
    steps: usize,
}

impl GridEpisode {
    /// `task` before the first step.
    pub(super) fn new(ground: Arc<Transitions>, task: Task, settings: EpisodeSettings) -> Self {
        let state = State { at: task.start, has_key: false };
        Self { ground, task, settings, state, steps: 0 }
    }

    fn won(&self) -> bool {
        self.state.at == self.task.goal
    }

    fn done(&self) -> bool {
        self.won() || self.steps >= self.settings.max_steps
    }

    fn after(&self, direction: Direction) -> State {
        self.state.after(&self.ground, &self.task, direction)
    }

    /// What coming into a state from this one earns.
    fn reward(&self, next: State) -> f64 {
        let won = if next.at == self.task.goal { self.settings.success_reward } else { 0.0 };
        let toll = if next.at == self.state.at { 0.0 } else { self.ground.toll(next.at) };
        won - toll
    }

    /// The moves that chance can make of an action, with their probabilities: as it says, or to one of
    /// the two sides.
    fn chances(&self, direction: Direction) -> [(f64, Direction); 3] {
        let [one, other] = direction.sides();
        let slip = self.ground.slip;
        [(1.0 - slip, direction), (slip / 2.0, one), (slip / 2.0, other)]
    }

    /// Draws one of them; from chance only if something is left to it.
    fn sample_direction(&self, direction: Direction, chance: &mut Stream) -> Direction {
        let slip = self.ground.slip;
        if slip <= 0.0 {
            return direction;
        }
        let [one, other] = direction.sides();
        match chance.uniform() {
            below if below < slip / 2.0 => one,
            below if below < slip => other,
            _ => direction,
        }
    }
}

impl Environment for GridEpisode {
    fn instruction(&self) -> &str {
        self.ground.instruction
    }

    fn observe(&self) -> Observation {
        let State { at, has_key } = self.state;
        let moves = if self.done() { Arc::default() } else { self.ground.actions.clone() };
        Observation::new(self.ground.text(at, has_key), Actions::Listed(moves))
    }

    /// White space around the action is ignored; a step after the end changes nothing.
    fn step(&mut self, action: &str, chance: &mut Stream) -> Outcome {
        let over = self.done();
        let direction = Direction::named(action).filter(|_| !over);
        let mut reward = 0.0;
        if let Some(direction) = direction {
            let next = self.after(self.sample_direction(direction, chance));
            reward = self.reward(next);
            self.state = next;
        }
        if !over {
            self.steps += 1;
        }
        let admissible = direction.is_some();
        Outcome { reward, done: self.done(), won: self.won(), admissible }
    }

    fn snapshot(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    /// `row,column`, counted from 0, and ` key` if the key is held.
    fn situation(&self) -> Option<String> {
        let Position { row, column } = self.ground.map.place(self.state.at);
        let key = if self.state.has_key { " key" } else { "" };
        Some(format!("{row},{column}{key}"))
    }

    /// What goes on counts no step for the action. `None` for what is no action, and once won.
    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let direction = Direction::named(action).filter(|_| !self.won())?;
        let mut ways: Vec<(f64, State)> = Vec::with_capacity(3);
        for (probability, direction) in self.chances(direction) {
            let next = self.after(direction);
            match ways.iter_mut().find(|(_, known)| *known == next) {
                Some((sum, _)) => *sum += probability,
                None if probability > 0.0 => ways.push((probability, next)),
                None => {}
            }
        }
        let possibility = |(probability, state)| {
            let next = Self { state, ..self.clone() };
            let reward = self.reward(state);
            let next = (!next.won()).then(|| Box::new(next) as Box<dyn Environment>);
            Possibility { probability, reward, next }
        };
        Some(ways.into_iter().map(possibility).collect())
    }

    /// The map of this task, with `@` where the agent is and without a key that is held.
    fn drawing(&self) -> Option<String> {
        let map = &self.ground.map;
        let drawn = |place: Position| {
            let here = map.index(place);
            let is_other = |cell: Option<usize>| here != cell;
            match map.tile(place) {
                _ if here == Some(self.state.at) => '@',
                Tile::Start if is_other(Some(self.task.start)) => Tile::Floor.character(),
                Tile::Goal if is_other(Some(self.task.goal)) => Tile::Floor.character(),
                Tile::Key if is_other(self.task.key) || self.state.has_key => {
                    Tile::Floor.character()
                }
                tile => tile.character(),
            }
        };
        let line = |row| (0..map.width()).map(|column| drawn(Position { row, column })).collect();
        Some((0..map.height()).map(line).collect::<Vec<String>>().join("\n"))
    }

    fn plan(&self) -> Option<Vec<String>> {
        let moves = shortest_path(&self.ground, &self.task, self.state);
        Some(moves.into_iter().map(|direction| direction.name().to_owned()).collect())
    }
}
