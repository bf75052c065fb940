//! Random words by a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// The stream of words that a seed names.
pub(crate) fn words(seed: u64) -> impl FnMut() -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    move || stream.next_u64()
}
