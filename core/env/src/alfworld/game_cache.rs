//! Game cache, of the newest games that were made ready to be played.

use std::sync::{Arc, Mutex, PoisonError};

use super::Game;

/// Games by what names them.
#[derive(Debug)]
pub(super) struct GameCache<K> {
    most: usize,
    /// Oldest first.
    games: Mutex<Vec<(K, Arc<Game>)>>,
}

impl<K: PartialEq> GameCache<K> {
    /// A cache that keeps `most` games.
    pub(super) fn new(most: usize) -> Self {
        Self { most, games: Mutex::default() }
    }

    /// The game of a name, made if it is not kept.
    pub(super) fn get<E>(
        &self,
        name: K,
        make: impl FnOnce() -> Result<Game, E>,
    ) -> Result<Arc<Game>, E> {
        // Games are whole before they are kept, so that a panic elsewhere leaves none broken.
        let games = || self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, game)) = games().iter().find(|(other, _)| *other == name) {
            return Ok(game.clone());
        }
        let game = Arc::new(make()?);
        let mut games = games();
        if games.len() >= self.most {
            games.remove(0);
        }
        games.push((name, game.clone()));
        Ok(game)
    }
}
