//! How large a lane may be: a page has to answer, and no machine's memory is the page's own.
//!
//! Whatever is beyond is refused before anything is made.

/// Seeds of a lane.
pub const SEEDS: usize = 64;
/// Steps of an iteration, all seeds together: seeds × tasks × group size × steps of an episode.
pub const STEPS: usize = 400_000;
/// Steps of an episode.
pub const EPISODE: usize = 1_000;
/// Updates of the policies in an iteration: seeds × epochs × mini-batches.
pub const UPDATES: usize = 10_000;
/// Past pairs that an agent remembers, and that an estimator compares.
pub const HISTORY: u64 = 32;
/// Steps of the warm starts with their repetitions, and steps of the evaluations after an iteration.
pub const ASIDE: usize = 4_000_000;
/// Updates of the warm starts.
pub const ASIDE_UPDATES: usize = 100_000;
/// Estimators that are asked about the steps of an iteration.
pub const ESTIMATORS: usize = 8;
/// Entries of the tables of all seeds: four a memory.
pub const ENTRIES: usize = 500_000;
/// Changes of settings that keep what was learned.
pub const CHANGES: usize = 1_000;
/// Milliseconds of a request to train.
pub const MILLISECONDS: f64 = 60_000.0;
