//! Suite of tasks on one map or on several.

use std::sync::{Arc, OnceLock};

use super::environment::GridEpisode;
use super::transitions::{INSTRUCTIONS, Transitions};
use super::{GridworldSettings, Map, map_generator, observation};
use crate::random::{Purpose, Stream};
use crate::registry::Table as _;
use crate::{EnvError, Environment, EpisodeSettings, SettingError, Split, Suite};

/// Tasks on a world, a map of one's own, or generated maps.
///
/// ```
/// use hgpo_env::gridworld::{Gridworld, GridworldSettings};
/// use hgpo_env::random::{Purpose, Stream};
/// use hgpo_env::{EpisodeSettings, Split, Suite};
///
/// let settings = GridworldSettings { map: "S.a\n##G".into(), ..GridworldSettings::default() };
/// let world = Gridworld::new(settings, EpisodeSettings::default())?;
/// let mut episode = world.start(Split::Train, 7)?;
/// let mut chance = Stream::new(1, Purpose::Sampling, [0, 0]).chance();
/// assert_eq!(episode.plan().unwrap(), ["right", "right", "down"]);
/// episode.step("right", &mut chance);
/// assert_eq!(episode.observe().text, "open: left right");
/// episode.step("right", &mut chance);
/// assert_eq!(episode.observe().text, "open: down left; label: a");
/// let last = episode.step("down", &mut chance);
/// assert_eq!((last.reward, last.won), (10.0, true));
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Debug)]
pub struct Gridworld {
    /// Those of the generated maps, which are like the one that is not.
    settings: GridworldSettings,
    episode: EpisodeSettings,
    /// The map that is not generated.
    fixed: Option<Arc<Transitions>>,
    /// The generated maps of training and those of unseen tasks, made when they are first needed.
    generated: [Vec<OnceLock<Arc<Transitions>>>; 2],
}

impl Gridworld {
    /// Its name in settings.
    pub const NAME: &str = "gridworld";

    /// The suite under `settings`.
    ///
    /// # Errors
    /// Names the first setting that does not make sense.
    pub fn new(settings: GridworldSettings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        let below = |error: SettingError| error.below(Self::NAME);
        settings.check().map_err(below)?;
        let map = settings.fixed_map().map_err(below)?;
        let settings = match &map {
            Some(map) => map_generator::like(map, settings),
            None => settings,
        };
        let fixed = map.map(|map| Arc::new(Transitions::new(map, &settings)));
        let generated = [(); 2].map(|()| vec![OnceLock::new(); settings.maps]);
        Ok(Self { settings, episode, fixed, generated })
    }

    /// The map of the task that a seed names in a split.
    ///
    /// # Errors
    /// As for starting it.
    pub fn map(&self, split: Split, task_seed: u64) -> Result<Map, EnvError> {
        Ok(self.ground(split, &mut stream(split, task_seed))?.map.clone())
    }

    fn ground(&self, split: Split, stream: &mut Stream) -> Result<Arc<Transitions>, EnvError> {
        let unseen = split == Split::Unseen;
        if let Some(ground) = self.fixed.as_ref().filter(|_| !unseen) {
            return Ok(ground.clone());
        }
        let known = &self.generated[usize::from(unseen)];
        let number = stream.below(known.len());
        if let Some(ground) = known[number].get() {
            return Ok(ground.clone());
        }
        let fixed = self.fixed.as_ref().map(|ground| &ground.map);
        let map = map_generator::generate(&self.settings, unseen, number, fixed)
            .map_err(|error| EnvError::new(Self::NAME, error))?;
        let ground = || Arc::new(Transitions::new(map, &self.settings));
        Ok(known[number].get_or_init(ground).clone())
    }
}

/// What a seed's task is drawn from.
fn stream(split: Split, task_seed: u64) -> Stream {
    Stream::new(task_seed, Purpose::GridTasks, [split as u64, 0])
}

impl Suite for Gridworld {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let mut stream = stream(split, task_seed);
        let ground = self.ground(split, &mut stream)?;
        Ok(Box::new(GridEpisode::draw(ground, split, self.episode, &mut stream)?))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(observation::vocabulary(self.settings.sight, &INSTRUCTIONS)))
    }
}
