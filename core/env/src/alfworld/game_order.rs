//! Game order of the reference.

use crate::random::numpy_random::RandomState;

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
