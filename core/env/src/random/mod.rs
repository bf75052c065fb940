//! Random streams of the host, by seed and purpose: the only source of randomness.
//!
//! A stream is named by the run's seed, a purpose and two indices, so that no result depends on
//! the order in which parallel work is done, and a resumed run needs no generator state.

#[cfg(feature = "mersenne")]
pub mod numpy_random;
#[cfg(feature = "mersenne")]
pub mod python_random;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// What a stream is for; streams of different purposes never coincide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Initial weights.
    Weights = 1,
    /// Which tasks an iteration or evaluation draws.
    Tasks = 2,
    /// Tokens sampled in one episode.
    Sampling = 3,
    /// Play that the warm start imitates.
    WarmStartPlay = 4,
    /// Order of steps in mini-batches.
    Shuffle = 5,
    /// Room layouts of the environment `chores`.
    Layouts = 6,
    /// Tasks of the environment `chores`.
    Chores = 7,
    /// Tasks of a study of bias and variance.
    StudyTasks = 8,
    /// Tokens sampled in a study's groups.
    StudyPlay = 9,
    /// Tokens sampled for a study's true values.
    StudyOracle = 10,
    /// Houses of generated ALFWorld games.
    Houses = 11,
    /// Tasks of generated ALFWorld games.
    GeneratedTasks = 12,
    /// Which generated games are written to files.
    GeneratedFiles = 13,
    /// Initial weights of adapters.
    Adapters = 14,
    /// Generated maps of the environment `gridworld`.
    GridMaps = 15,
    /// Tasks of the environment `gridworld`.
    GridTasks = 16,
    /// Tokens sampled for the values of states in training.
    Restarts = 17,
    /// Products of a generated shop.
    Products = 18,
    /// Whatever else an environment draws for a task, by the task's seed: a run has one environment, and the
    /// two indices tell apart what it draws.
    Environment = 19,
    /// Tokens of responses to prompts that a loop of somebody's own asks for.
    Prompts = 20,
}

/// A reproducible stream of random numbers. Written and read again, it goes on where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Position", into = "Position")]
pub struct Stream(ChaCha8Rng);

/// Where a stream is: its key, its number beside others of this key, and what was drawn of it, in half
/// words, as upper and lower word.
#[derive(Serialize, Deserialize)]
struct Position([u64; 4], u64, [u64; 2]);

impl From<Stream> for Position {
    fn from(Stream(generator): Stream) -> Self {
        let seed = generator.get_seed();
        let (words, _) = seed.as_chunks();
        let key = std::array::from_fn(|word| u64::from_le_bytes(words[word]));
        let drawn = generator.get_word_pos();
        Self(key, generator.get_stream(), [(drawn >> 64) as u64, drawn as u64])
    }
}

impl From<Position> for Stream {
    fn from(Position(key, stream, [upper, lower]): Position) -> Self {
        let mut generator = keyed(key);
        generator.set_stream(stream);
        generator.set_word_pos(u128::from(upper) << 64 | u128::from(lower));
        Self(generator)
    }
}

/// The generator of a key, at its start.
fn keyed(key: [u64; 4]) -> ChaCha8Rng {
    let mut seed = [0; 32];
    seed.copy_from_slice(key.map(u64::to_le_bytes).as_flattened());
    ChaCha8Rng::from_seed(seed)
}

impl Stream {
    /// The stream that `seed`, `purpose` and two indices name.
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose, index: [u64; 2]) -> Self {
        Self(keyed([seed, purpose as u64, index[0], index[1]]))
    }

    /// The stream of chance beside this one, from its start: an episode that draws its actions here
    /// gives that one to its environment. The two never coincide.
    #[must_use]
    pub fn chance(&self) -> Self {
        let mut chance = ChaCha8Rng::from_seed(self.0.get_seed());
        chance.set_stream(1);
        Self(chance)
    }

    /// How much of it was drawn so far, in half words.
    #[must_use]
    pub fn drawn(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// A random word.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1), with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1u64 << 53) as f64;
        (self.word() >> 11) as f64 * SCALE
    }

    /// Uniform in 0..count, by multiplication (bias below `count / 2^64`).
    ///
    /// # Panics
    /// Never; `count` of 0 gives 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.word()) * count as u128) >> 64) as usize
    }

    /// A standard normal number (Box-Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// Puts a slice into random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, |count| self.below(count));
    }
}

/// Fisher-Yates, with numbers that `below` draws of so many.
fn shuffle<T>(items: &mut [T], mut below: impl FnMut(usize) -> usize) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_apart() {
        let draw = |purpose, index| Stream::new(7, purpose, index).word();
        assert_eq!(draw(Purpose::Tasks, [1, 2]), draw(Purpose::Tasks, [1, 2]));
        assert_ne!(draw(Purpose::Tasks, [1, 2]), draw(Purpose::Tasks, [2, 1]));
        assert_ne!(draw(Purpose::Tasks, [1, 2]), draw(Purpose::Sampling, [1, 2]));
    }

    #[test]
    fn chance_is_a_stream_of_its_own_that_begins_anew() {
        let mut stream = Stream::new(7, Purpose::Sampling, [1, 2]);
        let (drawn, mut chance) = (stream.word(), stream.chance());
        let first = chance.word();
        assert_ne!(first, drawn);
        assert_eq!(stream.chance().word(), first);
        assert_ne!(chance, stream.chance());
    }

    #[test]
    fn a_stream_that_was_written_goes_on_where_it_was() {
        for drawn in [0, 1, 7, 1000] {
            for mut stream in [
                Stream::new(7, Purpose::Sampling, [1, 2]),
                Stream::new(8, Purpose::Tasks, [0, 0]).chance(),
            ] {
                for _ in 0..drawn {
                    stream.word();
                }
                let text = serde_json::to_string(&stream).unwrap();
                let mut read: Stream = serde_json::from_str(&text).unwrap();
                assert_eq!(read, stream);
                assert_eq!(read.word(), stream.word());
                assert_eq!(read.chance().word(), stream.chance().word());
            }
        }
    }

    #[test]
    fn a_stream_knows_how_much_was_drawn() {
        let mut stream = Stream::new(7, Purpose::Sampling, [1, 2]);
        let drawn = |stream: &mut Stream, words: usize| {
            for _ in 0..words {
                stream.word();
            }
            stream.drawn()
        };
        // A word is 64 bits, half a word 32. Blocks are made in between.
        assert_eq!([0, 1, 100, 1000].map(|words| drawn(&mut stream, words)), [0, 2, 202, 2202]);
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut stream = Stream::new(1, Purpose::Weights, [0, 0]);
        let draws: Vec<f64> = (0..20_000).map(|_| stream.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        // Standard errors: 1/sqrt(20000) = 0.007 and sqrt(2/20000) = 0.01; five of each.
        assert!(mean.abs() < 0.035 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<usize> = (0..100).collect();
        Stream::new(3, Purpose::Shuffle, [0, 0]).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
