//! Suite of questions about collections of facts.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, OnceLock};

use super::collection::{Collection, Question};
use super::environment::{LibraryEpisode, VOCABULARY};
use super::names;
use super::question::{PATTERNS, Pattern};
use super::relation::Relation;
use super::rules::{Agent, Task};
use super::scripted_player::ScriptedReader;
use super::settings::LibrarySettings;
use crate::random::{Purpose, Stream};
use crate::registry::Table as _;
use crate::team::{ActionForm, Agents};
use crate::{EnvError, Environment, EpisodeSettings, Player, SettingError, Split, Suite};

/// Collections, each drawn when it is first asked about, and their questions.
///
/// ```
/// use hgpo_env::library::{Library, LibrarySettings};
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{EpisodeSettings, Split, Suite};
///
/// let library = Library::new(LibrarySettings::default(), EpisodeSettings::default())?;
/// let mut episode = library.start(Split::Train, 7)?;
/// assert_eq!(episode.observe().agent.as_deref(), Some("verifier"));
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// let plan = episode.plan().unwrap_or_default();
/// let outcomes: Vec<_> = plan.iter().map(|action| episode.step(action, &mut chance)).collect();
/// assert!(outcomes.last().is_some_and(|last| last.won));
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Debug)]
pub struct Library {
    settings: LibrarySettings,
    episode: EpisodeSettings,
    /// Those of training, and unseen ones.
    collections: [Box<[OnceLock<Arc<Collection>>]>; 2],
}

impl Library {
    /// Its name in settings.
    pub const NAME: &str = "library";

    /// The suite under `settings`.
    ///
    /// # Errors
    /// Names the first setting that does not make sense.
    pub fn new(settings: LibrarySettings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        settings.check().map_err(|error: SettingError| error.below(LibrarySettings::NAME))?;
        let empty = || (0..settings.collections).map(|_| OnceLock::new()).collect();
        Ok(Self { settings, episode, collections: [empty(), empty()] })
    }

    fn collection(&self, number: usize, is_unseen: bool) -> io::Result<Arc<Collection>> {
        let place = &self.collections[usize::from(is_unseen)][number];
        if let Some(drawn) = place.get() {
            return Ok(drawn.clone());
        }
        let drawn = Arc::new(Collection::draw(&self.settings, number, is_unseen)?);
        Ok(place.get_or_init(|| drawn).clone())
    }

    /// The task that a seed names: a question of a collection of the split, or of the first after it that has one.
    fn task(&self, split: Split, task_seed: u64) -> Result<(Arc<Collection>, Question), EnvError> {
        let mut stream = Stream::new(task_seed, Purpose::Environment, [split as u64, 0]);
        let count = self.settings.collections;
        let first = stream.below(count);
        for number in (first..count).chain(0..first) {
            let collection = self.collection(number, split == Split::Unseen);
            let collection = collection.map_err(|error| EnvError::new(Self::NAME, error))?;
            let Collection { held_out, others, .. } = &*collection;
            let questions = match split {
                Split::Train => [&others[..], &[]],
                Split::Seen => [&held_out[..], &[]],
                Split::Unseen => [&held_out[..], &others[..]],
            };
            let place = stream.below(questions.iter().map(|it| it.len()).sum());
            let question = questions.into_iter().flatten().nth(place).copied();
            if let Some(question) = question {
                return Ok((collection, question));
            }
        }
        let none = format!(
            "no collection has a question for the split {}; choose more collections or people, or another seed",
            split.name()
        );
        Err(EnvError::new(Self::NAME, none))
    }
}

impl Suite for Library {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let (collection, question) = self.task(split, task_seed)?;
        let task = Task::new(collection, question, self.settings, self.episode);
        Ok(Box::new(LibraryEpisode::new(Arc::new(task))))
    }

    /// The question, and every fact that a search can find.
    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        let (collection, question) = self.task(split, task_seed)?;
        Ok([collection.ask(&question), collection.texts.join("\n")].join("\n"))
    }

    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        Some(self.task(split, task_seed).ok()?.1.pattern.name)
    }

    fn player(&self, episode: &dyn Environment, _: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedReader::new(episode.instruction())))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    /// None where any text is an action.
    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        let is_listed = self.settings.actions == ActionForm::Listed;
        Ok(is_listed.then(vocabulary))
    }

    fn agents(&self) -> Vec<&str> {
        match self.settings.agents {
            Agents::Team => Agent::ALL.map(Agent::name).to_vec(),
            Agents::One => Vec::new(),
        }
    }
}

/// Every word of questions, observations and actions, sorted.
fn vocabulary() -> Vec<String> {
    let facts = Relation::ALL.map(|relation| relation.write("", ""));
    let asked = PATTERNS.iter().flat_map(Pattern::texts).map(str::to_owned);
    let texts = facts.into_iter().chain(asked).chain([VOCABULARY.to_owned()]);
    let spaced: Vec<String> = texts.map(|text| text.to_lowercase().replace('.', " . ")).collect();
    let fixed = spaced.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned);
    let agents = Agent::ALL.map(|agent| agent.name().to_owned());
    fixed.chain(agents).chain(names::words()).collect::<BTreeSet<_>>().into_iter().collect()
}
