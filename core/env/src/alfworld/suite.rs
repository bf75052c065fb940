//! Suite of the games of the three splits, loaded when they are played, and the order of the reference.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use super::data_folder::TASK_TYPES;
use super::game::{GameFile, unnamed};
use super::game_cache::GameCache;
use super::{AlfworldEnvironment, Game};
use crate::holdout_hash::content_digest;
use crate::random::numpy_random::RandomState;
use crate::{EnvError, Environment, EpisodeSettings, Split, Suite};

/// Loaded games that are kept.
const KEPT: usize = 512;

/// Gives the bytes of a game by its name, or says in one line why it cannot.
pub type Loader = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// The names of the games of every split, in the order that seeds refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameNames {
    /// Those trained on.
    pub train: Vec<String>,
    /// New tasks in known rooms (`valid_seen`).
    pub seen: Vec<String>,
    /// New tasks in new rooms (`valid_unseen`).
    pub unseen: Vec<String>,
}

impl GameNames {
    /// The names of a split.
    #[must_use]
    pub fn of(&self, split: Split) -> &[String] {
        match split {
            Split::Train => &self.train,
            Split::Seen => &self.seen,
            Split::Unseen => &self.unseen,
        }
    }
}

/// Games that the reference evaluates at once.
const WORKERS: usize = 128;

/// The suite of ALFWorld's games.
pub struct Alfworld {
    settings: EpisodeSettings,
    names: GameNames,
    loader: Arc<Loader>,
    games: GameCache<String>,
    /// The problems of training, once they are asked for.
    trained: OnceLock<HashSet<u64>>,
}

impl Alfworld {
    /// The games of these names.
    #[must_use]
    pub fn new(settings: EpisodeSettings, names: GameNames, loader: Arc<Loader>) -> Self {
        let (games, trained) = (GameCache::new(KEPT), OnceLock::new());
        Self { settings, names, loader, games, trained }
    }

    /// The name of the game that a task's seed means: its place among the names of the split, which
    /// are gone through again and again.
    #[must_use]
    pub fn name_of(&self, split: Split, task_seed: u64) -> Option<&str> {
        let names = self.names.of(split);
        let place = task_seed.checked_rem(names.len() as u64)?;
        Some(&names[place as usize])
    }

    /// The game that the reference plays in a round at a place: each place has a worker of its own,
    /// whose seed is the run's plus the place. Its generator takes 32 bits; longer seeds are folded.
    fn game_at(&self, split: Split, seed: u64, (round, place): (u64, usize)) -> u64 {
        let seed = seed.wrapping_add(place as u64);
        let mut order = GameOrder::new(self.names.of(split).len(), (seed ^ seed >> 32) as u32);
        order.nth(round as usize).unwrap_or(0) as u64
    }

    /// A game, loaded if need be.
    ///
    /// # Errors
    /// If the file cannot be read or is not a game: in one line, with its name.
    pub fn game(&self, name: &str) -> Result<Arc<Game>, String> {
        self.games.get(name.to_owned(), || self.read(name))
    }

    fn read(&self, name: &str) -> Result<Game, String> {
        Game::parse(&(self.loader)(name)?).map_err(|error| format!("{name}: {error}"))
    }
}

/// What tells the problem of a game's file from others, without its name.
fn problem(file: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Written {
        pddl_problem: String,
    }
    let Written { pddl_problem: text } = serde_json::from_slice(file).ok()?;
    let (before, after) = unnamed(&text)?;
    let digest = content_digest(before.as_bytes());
    Some(digest ^ content_digest(after.as_bytes()).rotate_left(1))
}

impl Suite for Alfworld {
    fn name(&self) -> &'static str {
        "alfworld"
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let none = || format!("no games in the split {}", split.name());
        let game = self.name_of(split, task_seed).ok_or_else(none).and_then(|name| self.game(name));
        let game = game.map_err(|problem| EnvError::new(self.name(), problem))?;
        Ok(Box::new(AlfworldEnvironment::new(game, self.settings)))
    }

    fn source(&self, split: Split, task_seed: u64) -> Option<&str> {
        self.name_of(split, task_seed)
    }

    fn task_count(&self, split: Split) -> Option<usize> {
        Some(self.names.of(split).len())
    }

    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        let failed = |problem: String| EnvError::new(self.name(), problem);
        let none = || failed(format!("no games in the split {}", split.name()));
        let name = self.name_of(split, task_seed).ok_or_else(none)?;
        let file = (self.loader)(name).map_err(failed)?;
        let file: GameFile =
            serde_json::from_slice(&file).map_err(|error| failed(format!("{name}: {error}")))?;
        Ok(file.content())
    }

    /// ALFWorld's own name of it, which its games' folders begin with.
    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        let mut folders = self.name_of(split, task_seed)?.split('/');
        folders.find_map(|folder| {
            let (kind, _) = folder.split_once('-')?;
            TASK_TYPES.into_iter().find(|known| *known == kind)
        })
    }

    /// The games that the reference trains on, in its order: a group plays its worker's next one.
    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        self.game_at(Split::Train, seed, (iteration.saturating_sub(1), place))
    }

    /// The games that the reference evaluates with this seed: in rounds of as many places as it has workers,
    /// each of which plays its next game in the next round.
    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        self.game_at(split, seed, ((place / WORKERS) as u64, place % WORKERS))
    }

    /// Games with the same problem, whatever it is called.
    fn repeated(&self, split: Split) -> Option<(usize, usize)> {
        let problem = |name: &String| problem(&(self.loader)(name).ok()?);
        let of = |split| self.names.of(split).iter().filter_map(problem);
        if split == Split::Train {
            return None;
        }
        let trained = self.trained.get_or_init(|| of(Split::Train).collect());
        Some((of(split).filter(|it| trained.contains(it)).count(), self.names.of(split).len()))
    }

    fn max_steps(&self) -> usize {
        self.settings.max_steps
    }

    /// That of all its games, which are read for it.
    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        let mut words = BTreeSet::new();
        for name in Split::ALL.iter().flat_map(|&split| self.names.of(split)) {
            let game = self.read(name).map_err(|problem| EnvError::new(self.name(), problem))?;
            words.extend(game.words());
        }
        Ok(Some(words.into_iter().collect()))
    }
}

/// Numbers of games, for ever: TextWorld's `TextworldBatchGymEnv.seed` shuffles the files, plays them
/// once, and from then on shuffles what was shuffled again and again.
///
/// verl-agent gives the workers of group g the seed `seed + g`: they play the first game of that order
/// first, then the second.
#[derive(Clone, Debug)]
pub struct GameOrder {
    random: RandomState,
    games: Vec<usize>,
    next: usize,
}

impl GameOrder {
    /// The order of `games` games under a seed.
    #[must_use]
    pub fn new(games: usize, seed: u32) -> Self {
        let mut random = RandomState::new(seed);
        let mut games: Vec<usize> = (0..games).collect();
        random.shuffle(&mut games);
        Self { random, games, next: 0 }
    }
}

impl Iterator for GameOrder {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.next == self.games.len() {
            self.random.shuffle(&mut self.games);
            self.next = 0;
        }
        self.next += 1;
        self.games.get(self.next - 1).copied()
    }
}
