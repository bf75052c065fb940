//! `guide-and-walker`: a thing is brought to a room of a house by an agent that acts and does not know the task, and
//! by one that knows it and can only speak.
//!
//! Rooms, containers and things are those of [`chores`](super). Every house has three things of its own; one of them is
//! wanted in one of its rooms. The guide and the walker take turns: the guide says something, the walker hears it and
//! acts once, and so on until the thing is put down where it is wanted. The reward is shared.
//!
//! | agent | acts | sees |
//! |---|---|---|
//! | `guide` | says one word (`kitchen`, `key`, `open`), or two (`take key`) | which thing is wanted where, where it is, also in a closed container, and where the walker is and what it holds |
//! | `walker` | `go to R`, `open C`, `take X`, `put X` | the room that it is in, and what the guide said last |
//!
//! The instruction is the same for all tasks. What words mean is not settled: nothing happens when they are said. A
//! policy has to find a use for them that both agents share. What the walker holds is not part of what it sees, as in
//! `chores`, but of its possible actions: who holds a thing can put it down, and takes no other.
//!
//! With `agents = "one"`, one agent sees both and walks; nobody speaks.
//!
//! # Actions
//! Listed utterances are the same all over an episode. One word (`words = 1`): the rooms but the hall, the things of the
//! house, and `open`, `put`, `take`. Two words (`words = 2`): a verb and a name. With `actions = "free"` the guide says
//! any text of at most so many words, each of at most 20 letters, digits, hyphens and apostrophes; the walker hears it in
//! lower case.
//!
//! # Splits
//! As in `chores`: training and seen tasks share 64 layouts, or as many of them as `layouts` says, and a quarter of the
//! pairs (thing, goal room) of each is kept for seen tasks. Unseen tasks use 32 other layouts.

mod entry;
mod environment;
mod houses;
mod scripted_player;
mod settings;
mod text;

use std::collections::BTreeSet;

use super::text::{CONTAINER_NAMES, ITEM_NAMES, ROOM_NAMES, whole_house};
use crate::registry::Table as _;
use crate::team::{ActionForm, Agents};
use crate::{EnvError, Environment, EpisodeSettings, Player, SettingError, Split, Suite};
use environment::GuideEpisode;
use houses::{House, draw, houses, is_hidden};

pub(crate) use entry::ENTRY;
pub use scripted_player::ScriptedPair;
pub use settings::GuideSettings;

/// Who speaks, then who acts.
const AGENTS: [&str; 2] = ["guide", "walker"];

/// The suite of things to be brought to rooms.
///
/// ```
/// use hgpo_env::chores::guide::{GuideAndWalker, GuideSettings};
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{EpisodeSettings, Split, Suite};
///
/// let suite = GuideAndWalker::new(GuideSettings::default(), EpisodeSettings::default())?;
/// let mut episode = suite.start(Split::Train, 7)?;
/// assert_eq!(episode.observe().agent.as_deref(), Some("guide"));
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// let plan = episode.plan().unwrap_or_default();
/// let outcomes: Vec<_> = plan.iter().map(|action| episode.step(action, &mut chance)).collect();
/// assert!(outcomes.last().is_some_and(|last| last.won));
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GuideAndWalker {
    settings: GuideSettings,
    episode: EpisodeSettings,
    houses: Vec<House>,
}

impl GuideAndWalker {
    /// Its name in settings.
    pub const NAME: &str = "guide-and-walker";

    /// The suite under `settings`.
    ///
    /// # Errors
    /// Names the first setting that does not make sense.
    pub fn new(settings: GuideSettings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        settings.check().map_err(|error: SettingError| error.below(GuideSettings::NAME))?;
        Ok(Self { settings, episode, houses: houses() })
    }

    fn task(&self, split: Split, task_seed: u64) -> super::task::Task {
        draw(&self.houses, self.settings.layouts, split, task_seed)
    }
}

impl Suite for GuideAndWalker {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let task = self.task(split, task_seed);
        Ok(Box::new(GuideEpisode::new(task, self.settings, self.episode)))
    }

    /// What is wanted where, and what every room looks like before and after its container is opened.
    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        Ok(whole_house(&self.task(split, task_seed)))
    }

    /// Whether the wanted thing is on view at the start, or hidden in a container.
    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        let is_hidden = is_hidden(&self.task(split, task_seed));
        Some(if is_hidden { "hidden" } else { "on view" })
    }

    fn player(&self, _: &dyn Environment, _: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedPair::new(self.settings.words)))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    /// None where the guide may say anything.
    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        let is_free = self.settings.actions == ActionForm::Free;
        if is_free && self.settings.agents == Agents::Team {
            return Ok(None);
        }
        let names = [&ROOM_NAMES[..], &CONTAINER_NAMES, &ITEM_NAMES].concat();
        let words = text::WORDS.split(' ').chain(text::INSTRUCTION.split(' ')).chain(names);
        Ok(Some(words.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()))
    }

    fn agents(&self) -> Vec<&str> {
        match self.settings.agents {
            Agents::Team => AGENTS.to_vec(),
            Agents::One => Vec::new(),
        }
    }
}
