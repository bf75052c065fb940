//! Episode of `gridworld`.

use std::sync::Arc;

use super::transitions::Transitions;
use super::{Direction, Position, Tile};
use crate::random::Stream;
use crate::shortest_path::shortest_path;
use crate::{
    Actions, Environment, EpisodeSettings, Observation, Outcome, Possibility, SettingError, Split,
};

/// A task, by the numbers of cells.
#[derive(Clone, Copy, Debug)]
struct Task {
    start: usize,
    /// The key, if there is one.
    key: Option<usize>,
    goal: usize,
}

/// All that matters for what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    /// The number of the cell.
    at: usize,
    has_key: bool,
}

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
    /// Draws a start of the split, a key and a goal: the episode before the first step.
    pub(super) fn draw(
        ground: Arc<Transitions>,
        split: Split,
        settings: EpisodeSettings,
        stream: &mut Stream,
    ) -> Result<Self, SettingError> {
        let Transitions { starts, elsewhere, keys, goals, .. } = &*ground;
        let mut one_of = |cells: &[usize]| cells.get(stream.below(cells.len())).copied();
        let starts = if split == Split::Seen { elsewhere } else { starts };
        let (start, key, goal) = (one_of(starts), one_of(keys), one_of(goals));
        let nowhere_else = || {
            let reason = "the split seen begins on floor that is no start (S), and the map has none from which the goal can be reached; leave some floor (.)";
            SettingError::new("gridworld.map", reason)
        };
        let (start, goal) = start.zip(goal).ok_or_else(nowhere_else)?;
        let (task, state) = (Task { start, key, goal }, State { at: start, has_key: false });
        Ok(Self { ground, task, settings, state, steps: 0 })
    }

    fn won(&self) -> bool {
        self.state.at == self.task.goal
    }

    fn done(&self) -> bool {
        self.won() || self.steps >= self.settings.max_steps
    }

    /// The state after the move that chance has made of an action.
    fn after(&self, State { at, has_key }: State, direction: Direction) -> State {
        let at = self.ground.next(at, has_key, direction);
        State { at, has_key: has_key || Some(at) == self.task.key }
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
        if self.done() {
            return Outcome { reward: 0.0, done: true, won: self.won(), admissible: false };
        }
        let direction = Direction::named(action);
        let mut reward = 0.0;
        if let Some(direction) = direction {
            let next = self.after(self.state, self.sample_direction(direction, chance));
            reward = self.reward(next);
            self.state = next;
        }
        self.steps += 1;
        Outcome { reward, done: self.done(), won: self.won(), admissible: direction.is_some() }
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
            let next = self.after(self.state, direction);
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
            let tile = match map.tile(place) {
                _ if here == Some(self.state.at) => return '@',
                Tile::Start if here != Some(self.task.start) => Tile::Floor,
                Tile::Goal if here != Some(self.task.goal) => Tile::Floor,
                Tile::Key if here != self.task.key || self.state.has_key => Tile::Floor,
                tile => tile,
            };
            tile.character()
        };
        let line = |row| (0..map.width()).map(|column| drawn(Position { row, column })).collect();
        Some((0..map.height()).map(line).collect::<Vec<String>>().join("\n"))
    }

    /// With the key on the way if a door calls for it; the first of several in the order of directions.
    fn plan(&self) -> Option<Vec<String>> {
        let next = |from| Direction::ALL.map(|direction| (direction, self.after(from, direction)));
        let moves = shortest_path(self.state, |state| state.at == self.task.goal, next);
        Some(moves.into_iter().map(|direction| direction.name().to_owned()).collect())
    }
}
