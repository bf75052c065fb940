//! Suite of rooms.

use super::environment::INSTRUCTION;
use super::{Room, SokobanEnvironment, SokobanSettings};
use crate::direction::Direction;
use crate::random::numpy_random::RandomState;
use crate::registry::Table as _;
use crate::{EnvError, Environment, EpisodeSettings, SettingError, Split, Suite};

/// Seeds of training, from 0 on: numpy's `randint(0, 2**16 - 1)` as the trainers call it.
const TRAINED: u32 = (1 << 16) - 1;

/// The first seed of other rooms; the last is below numpy's `randint(2**16, 2**32 - 1)`.
const FIRST_OTHER: u32 = 1 << 16;

/// Rooms by their seeds.
///
/// ```
/// use hgpo_env::sokoban::{SokobanSettings, Sokoban};
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{EpisodeSettings, Split, Suite};
///
/// let episode = EpisodeSettings { max_steps: 15, success_reward: 10.0 };
/// let sokoban = Sokoban::new(SokobanSettings::default(), episode)?;
/// let mut room = sokoban.start(Split::Train, 0)?;
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// let plan = room.plan().unwrap_or_default();
/// let rewards: f64 = plan.iter().map(|action| room.step(action, &mut chance).reward).sum();
/// // A box on its target 1, all of them 10, and every step -0.1.
/// assert!((rewards - (11.0 - 0.1 * plan.len() as f64)).abs() < 1e-12);
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sokoban {
    settings: SokobanSettings,
    episode: EpisodeSettings,
}

impl Sokoban {
    /// Its name in settings.
    pub const NAME: &str = "sokoban";

    /// The suite under `settings`.
    ///
    /// # Errors
    /// Names the first setting that does not make sense.
    pub fn new(settings: SokobanSettings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        settings.check().map_err(|error: SettingError| error.below(Self::NAME))?;
        Ok(Self { settings, episode })
    }

    /// The room that gym_sokoban makes of a seed: those of training and others alike, whatever the split.
    ///
    /// # Errors
    /// If many seeds make no room.
    pub fn room(&self, seed: u32) -> Result<Room, EnvError> {
        Room::of_seed(&self.settings, seed, |_| true)
    }
}

/// A seed of the split: itself if it is one.
fn seed_in(split: Split, task_seed: u64) -> u32 {
    match split {
        Split::Train => (task_seed % u64::from(TRAINED)) as u32,
        Split::Seen | Split::Unseen => match u32::try_from(task_seed) {
            Ok(seed) if (FIRST_OTHER..u32::MAX).contains(&seed) => seed,
            _ => FIRST_OTHER + (task_seed % u64::from(u32::MAX - FIRST_OTHER)) as u32,
        },
    }
}

impl Suite for Sokoban {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The room of the seed, or of the first after it that belongs to the split. In training, seeds are taken
    /// modulo 65,535; elsewhere those below 65,536 or above 32 bits stand for others.
    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let is_of_split = |room: &Room| match split {
            Split::Train | Split::Seen if !self.settings.published_rooms => {
                room.is_held_out() == (split == Split::Seen)
            }
            _ => true,
        };
        let larger = usize::from(split == Split::Unseen);
        let mut settings = self.settings.clone();
        settings.height += larger;
        settings.width += larger;
        let room = Room::of_seed(&settings, seed_in(split, task_seed), is_of_split)?;
        Ok(Box::new(SokobanEnvironment::new(&room, &self.settings, self.episode)))
    }

    fn task_count(&self, split: Split) -> Option<usize> {
        (split == Split::Train).then_some(TRAINED as usize)
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    /// The room that the reference trains on, in its order: it draws the seeds of an iteration one after
    /// the other, [`SokobanSettings::tasks_per_iteration`] of them.
    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        let before =
            iteration.saturating_sub(1).saturating_mul(self.settings.tasks_per_iteration as u64);
        integer_after(RandomState::folded(seed), before + place as u64, 0, TRAINED)
    }

    /// The rooms that the reference evaluates first with this seed.
    fn evaluation_task(&self, _: Split, seed: u64, place: usize) -> u64 {
        integer_after(RandomState::folded(seed), place as u64, FIRST_OTHER, u32::MAX)
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        let marks = ["#", "_", "O", "X", "√", "P", "S"];
        let moves = Direction::ALL.map(Direction::name);
        let words = INSTRUCTION.split(' ').chain(marks).chain(moves).map(str::to_lowercase);
        let words: std::collections::BTreeSet<String> = words.collect();
        Ok(Some(words.into_iter().collect()))
    }
}

/// The number that is drawn after as many others.
fn integer_after(mut random: RandomState, before: u64, low: u32, high: u32) -> u64 {
    for _ in 0..before {
        random.integer(low, high);
    }
    u64::from(random.integer(low, high))
}
