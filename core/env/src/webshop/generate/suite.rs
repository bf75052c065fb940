//! The goals of a generated shop as a family of tasks.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::catalogue::Catalogue;
use super::super::goals::Wanted;
use super::super::reward::Nouns;
use super::super::{Session, Shop, Telling, WebshopEnvironment};
use super::products::product;
use super::stock::DEPARTMENTS;
use super::{Settings, Shopper, words};
use crate::registry::Table as _;
use crate::{EnvError, Environment, EpisodeSettings, Player, Split, Suite};

/// Of so many products the last is wanted in unseen tasks alone; of so many goals the first is kept for
/// seen ones.
const KEPT: usize = 4;

/// A generated shop, and its goals by split.
#[derive(Debug)]
pub struct Generated {
    shop: Arc<Shop>,
    settings: Settings,
    episode: EpisodeSettings,
    /// The numbers of goals, in the order of the seed, for every split.
    goals: [Vec<usize>; 3],
}

impl Generated {
    /// Its name in settings.
    pub const NAME: &str = "webshop-generated";

    /// The shop that settings describe.
    ///
    /// # Errors
    /// Names a setting that is out of range.
    pub fn new(settings: Settings, episode: EpisodeSettings) -> Result<Self, EnvError> {
        settings.check().map_err(|error| error.below(Settings::NAME))?;
        let products = (0..settings.products).map(|number| product(settings.seed, number));
        let catalogue =
            Catalogue::of(products).map_err(|error| EnvError::new(Self::NAME, error))?;
        let kinds: HashSet<&str> = DEPARTMENTS.iter().flat_map(|it| it.kinds).collect();
        let shop =
            Shop::new(Arc::new(catalogue), Nouns::Known(kinds), Wanted::Synthetic, settings.seed);
        let shop = shop.map_err(|error| EnvError::new(Self::NAME, error))?;
        let shop = Arc::new(shop.showing(settings.results_per_page));
        let mut goals = [const { Vec::new() }; 3];
        for goal in 0..shop.goals().len() {
            let product = shop.goals().product(goal).unwrap_or_default() as usize;
            let split = if product % KEPT == KEPT - 1 {
                Split::Unseen
            } else if goal % KEPT == 0 {
                Split::Seen
            } else {
                Split::Train
            };
            goals[split as usize].push(goal);
        }
        Ok(Self { shop, settings, episode, goals })
    }

    /// The shop.
    #[must_use]
    pub fn shop(&self) -> &Arc<Shop> {
        &self.shop
    }

    /// The numbers of a split's goals among those of the shop.
    #[must_use]
    pub fn goals(&self, split: Split) -> &[usize] {
        &self.goals[split as usize]
    }
}

impl Suite for Generated {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The goal of this number among those of the split, which are gone through again and again.
    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let goals = self.goals(split);
        let goal = task_seed.checked_rem(goals.len() as u64).map(|place| goals[place as usize]);
        let session = goal.and_then(|goal| Session::new(self.shop.clone(), goal));
        let none = || EnvError::new(Self::NAME, format!("no goals in the split {}", split.name()));
        let session = session.ok_or_else(none)?;
        Ok(Box::new(WebshopEnvironment::new(session, Telling::Lines, self.episode)))
    }

    fn player(&self, episode: &dyn Environment, _: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(Shopper::new(episode.instruction())))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(words::vocabulary(&self.settings)))
    }
}
