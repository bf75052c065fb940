//! What the reader and the lanes do.

use super::pace::{self, next_round};
use super::setup::{ITERATIONS, with};
use super::setup_text::CHANGES;
use super::state::{About, Lane};
use super::study::Kind;
use super::{Dial, Drive, Key, LaneProblem, Model, Plan, Problem, Setup, Speed};
use hgpo_env::gridworld::{
    Gridworld, GridworldSettings, Map, ObservationMode, Position, Tile, World,
};
use hgpo_env::{EpisodeSettings, Split};
use hgpo_worker::training::message::{Answer, Request};

/// What the reader does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Lets lanes learn, or stops them.
    Play(bool),
    /// One iteration.
    Once,
    /// Begins again, as it is set now.
    Again,
    /// The same with other seeds.
    OtherSeeds,
    /// How fast.
    Speed(Speed),
    /// Goes to an iteration.
    GoTo(u64),
    /// Chooses a world.
    World(&'static World),
    /// Chooses the team in place of a world.
    Team,
    /// Draws a maze at random.
    Maze,
    /// Sets what is seen.
    ObservationMode(ObservationMode),
    /// Turns a dial.
    Dial(Dial, f64),
    /// Sets an option of a lane, or its estimator.
    Option(usize, Key, String),
    /// Chooses a lane to be drawn.
    Lane(usize),
    /// Chooses a seed to be drawn.
    Seed(usize),
    /// Draws with the key held, or without.
    WithKey(bool),
    /// Draws by memory, or the mean.
    ByMemory(bool),
    /// Draws the truth beside what estimators say, or does not.
    Truth(bool),
    /// Chooses what is painted with.
    Brush(Option<Tile>),
    /// Paints a place, or chooses it.
    Touch(Position),
    /// Chooses a place.
    Choose(Option<Position>),
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Hands the rollouts to the page.
    Inspect,
    /// Begins the lanes again whose workers broke.
    Retry,
    /// Other settings are crossed in the study, or another number of iterations counts.
    StudyCross(Kind, u64),
    /// Compares other lanes there.
    StudyPair((usize, usize)),
    /// Computes it, or stops.
    StudyGo(bool),
    /// Sets what a cell of it has.
    StudyLoad(usize, usize),
}

impl Model {
    /// Does an action.
    pub(crate) fn update(&mut self, action: Action) {
        match action {
            Action::Play(is_playing) => self.play(is_playing),
            Action::Once => self.once(),
            Action::Again => self.begin(self.setup().clone()),
            Action::OtherSeeds => self.edit(|setup| {
                let next = setup.dials.get(Dial::Seed) + setup.dials.get(Dial::Seeds);
                setup.dials.turn(Dial::Seed, next);
            }),
            Action::Speed(speed) => self.speed = speed,
            Action::GoTo(iteration) => {
                self.drive = Drive::Still;
                self.target = iteration.min(self.last());
                self.shown.0 = self.target;
            }
            Action::World(world) => self.edit(|setup| *setup = setup.moved_to(world)),
            Action::Team => self.edit(|setup| *setup = Setup::of_team()),
            Action::Maze => {
                self.mazes += 1;
                let map = maze(self.mazes);
                self.edit(|setup| setup.map = map.or(setup.map.take()));
            }
            Action::ObservationMode(sight) => self.edit(|setup| setup.sight = sight),
            Action::Dial(dial, value) => self.edit(|setup| setup.dials.turn(dial, value)),
            Action::Option(lane, key, text) => self.edit(|setup| {
                if let Some(own) = setup.lanes.get_mut(lane) {
                    *own = with(own, key, &text).unwrap_or_else(|| own.clone());
                }
            }),
            Action::Lane(lane) => self.lane = lane.min(self.lanes.len() - 1),
            Action::Seed(seed) => self.seed = seed,
            Action::WithKey(with_key) => self.with_key = with_key,
            Action::ByMemory(by_memory) => self.draws.by_memory = by_memory,
            Action::Truth(draws_truth) => self.draws.truth = draws_truth,
            Action::Brush(brush) => self.brush = brush,
            Action::Touch(place) => self.touch(place),
            Action::Choose(place) => self.place = place,
            Action::Undo | Action::Redo => {
                let now = self.setup().clone();
                if let Some(setup) = self.history.turn(action == Action::Undo, now) {
                    self.put(setup);
                }
            }
            Action::Inspect => {
                self.play(false);
                self.inspects = self.target > 0;
            }
            Action::Retry => {
                let has_broken = |lane: &&mut Lane| lane.problem == Some(LaneProblem::Broke);
                self.lanes.iter_mut().filter(has_broken).for_each(Lane::reset);
            }
            Action::StudyCross(kind, iterations) => self.study.cross(kind, iterations),
            Action::StudyPair(pair) => self.study.pair = pair,
            Action::StudyGo(true) => self.study.go_on(self.plan.at(self.target)),
            Action::StudyGo(false) => self.study.stop(),
            Action::StudyLoad(row, column) => {
                if let Some(own) = &self.study.setup {
                    let setup = self.study.kind.cell(own, row, column);
                    self.history.record(self.setup().clone(), usize::MAX);
                    self.begin(setup);
                }
            }
        }
    }

    /// Changes what is set, if anything is other then, and keeps what was set before.
    fn edit(&mut self, change: impl FnOnce(&mut Setup)) {
        let before = self.setup().clone();
        let mut setup = before.clone();
        change(&mut setup);
        if setup != before {
            self.history.record(before, usize::MAX);
            self.put(setup);
        }
    }

    fn play(&mut self, is_playing: bool) {
        self.drive = match is_playing {
            true if self.target < ITERATIONS => Drive::Play,
            true => Drive::Still,
            false => Drive::Stop,
        };
        self.problem = None;
        if !is_playing {
            // All go as far as the one that is farthest.
            let farthest = self.lanes.iter().map(|lane| lane.iteration).max().unwrap_or_default();
            let changed = self.plan.later.last().map_or(0, |(at, _)| *at);
            self.target = self.target.min(farthest.max(changed).max(1));
            self.shown.0 = self.target;
        }
    }

    fn once(&mut self) {
        self.play(false);
        self.target = (self.target + 1).min(ITERATIONS);
        self.drive = Drive::Still;
        self.shown.0 = self.target;
    }

    fn touch(&mut self, place: Position) {
        self.place = Some(place);
        let (Some(brush), Some(map)) = (self.brush, self.setup().played()) else { return };
        if map.tile(place) == brush {
            return;
        }
        match map.with(place, brush) {
            Ok(map) => self.edit(|setup| setup.map = Some(map)),
            Err(error) => self.problem = Some(Problem::Map(error.to_string())),
        }
    }

    /// Goes on with another setup, or begins again if that cannot be.
    fn put(&mut self, setup: Setup) {
        self.problem = None;
        let at = self.target;
        let keeps = setup.keeps_weights(self.setup());
        if at == 0 || !keeps {
            return self.begin(setup);
        }
        self.lose_after(at);
        self.plan.later.retain(|(other, _)| *other < at);
        if setup != *self.plan.last() {
            self.plan.later.push((at, setup));
        }
        if self.plan.later.len() > CHANGES {
            let setup = self.plan.last().clone();
            return self.begin(setup);
        }
        self.update(Action::Retry);
        for lane in &mut self.lanes {
            lane.points.truncate(at as usize);
            lane.problem = None;
        }
    }

    /// Begins again with a setup.
    fn begin(&mut self, setup: Setup) {
        self.problem = None;
        let map = setup.played();
        let is_there = |place: &Position| {
            map.as_ref().is_some_and(|map| place.row < map.height() && place.column < map.width())
        };
        self.place = self.place.filter(is_there);
        self.seed = self.seed.min(setup.seeds().len() - 1);
        if setup.is_team() {
            // Its settings are those of maps.
            self.study.stop();
        }
        self.plan = Plan { first: setup, later: Vec::new(), until: self.plan.until };
        self.lanes.resize_with(self.plan.first.lanes.len(), Default::default);
        self.lanes.iter_mut().for_each(Lane::reset);
        self.lane = self.lane.min(self.lanes.len() - 1);
        (self.target, self.round, self.shown) = (0, 1, (0, 0.0));
        if !self.is_playing() {
            self.drive = Drive::Still;
        }
        self.inspects = false;
        self.lose_after(0);
    }

    /// Notes that a lane was asked.
    pub(crate) fn asked(&mut self, number: usize, request: Request) {
        self.lanes[number].ask(request);
    }

    /// Takes what a lane answered.
    pub(crate) fn answered(&mut self, number: usize, answer: Answer, about: About) {
        let Some(lane) = self.lanes.get_mut(number) else { return };
        lane.take(answer, about);
        if self.drive == Drive::Stop && lane.iteration > self.target {
            self.target = lane.iteration;
            self.shown.0 = self.target;
        }
    }

    /// Notes that the browser has no module workers.
    pub(crate) fn has_no_workers(&mut self) {
        self.drive = Drive::Still;
        self.study.stop();
        self.problem = Some(Problem::NoWorkers);
    }

    /// Begins the next round, if there is one, after one that took some milliseconds.
    pub(crate) fn next_round(&mut self, milliseconds: f64) {
        if !self.is_playing() {
            return;
        }
        self.round = next_round(self.speed, self.round, milliseconds);
        let stop = self.until().unwrap_or(ITERATIONS);
        self.target = (self.target + self.round).min(stop);
        if self.target == stop || self.lanes.iter().all(|lane| !lane.is_sound()) {
            self.drive = Drive::Still;
        }
        self.shown.1 += milliseconds;
        if self.shown.1 >= pace::LOOK || self.speed != Speed::Full || !self.is_playing() {
            self.shown = (self.target, 0.0);
        }
    }
}

/// The maze of a number: drawn at random, as a map of the reader's own.
fn maze(number: u64) -> Option<Map> {
    let world = GridworldSettings::GENERATED.to_owned();
    let settings = GridworldSettings {
        world,
        maps: *GridworldSettings::MAPS.end(),
        ..GridworldSettings::default()
    };
    let suite = Gridworld::new(settings, EpisodeSettings::default()).ok()?;
    suite.map(Split::Train, number).ok()
}

#[cfg(test)]
mod tests {
    use super::maze;

    #[test]
    fn numbers_have_mazes_of_their_own() {
        assert!(maze(1).is_some() && maze(1) == maze(1));
        assert!((2..8).any(|number| maze(number) != maze(1)));
    }
}
