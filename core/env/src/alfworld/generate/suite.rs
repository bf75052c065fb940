//! Suite of generated games, made when they are played.

use std::sync::Arc;

use super::super::compile::build;
use super::super::game_cache::GameCache;
use super::super::{AlfworldEnvironment, Game, GameError};
use super::{Generator, ScriptedExplorer, vocabulary};
use crate::{EnvError, Environment, EpisodeSettings, Player, Split, Suite};

/// Games that are kept: those that a group of episodes starts from.
const KEPT: usize = 64;

/// The suite of generated games.
#[derive(Debug)]
pub struct GeneratedAlfworld {
    generator: Generator,
    settings: EpisodeSettings,
    games: GameCache<(Split, u64)>,
}

impl GeneratedAlfworld {
    /// The games that `generator` makes, played with `settings`.
    #[must_use]
    pub fn new(generator: Generator, settings: EpisodeSettings) -> Self {
        Self { generator, settings, games: GameCache::new(KEPT) }
    }

    /// The game that a seed names in a split, ready to be played.
    ///
    /// # Errors
    /// Never for what the generator makes: its domain, grammar and problems are what the engine
    /// reads.
    pub fn game(&self, split: Split, seed: u64) -> Result<Arc<Game>, GameError> {
        self.games.get((split, seed), || build(self.generator.game(split, seed).file()))
    }
}

impl Suite for GeneratedAlfworld {
    fn name(&self) -> &'static str {
        "alfworld-generated"
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let game = self.game(split, task_seed);
        let game = game.map_err(|error| EnvError::new(self.name(), error))?;
        Ok(Box::new(AlfworldEnvironment::new(game, self.settings)))
    }

    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        Ok(self.generator.game(split, task_seed).file().content())
    }

    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        Some(self.generator.game(split, task_seed).task_type)
    }

    fn player(&self, episode: &dyn Environment, seed: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedExplorer::new(episode.instruction(), seed)))
    }

    fn max_steps(&self) -> usize {
        self.settings.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(vocabulary::vocabulary()))
    }
}
