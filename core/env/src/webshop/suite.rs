//! Suite of goals.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Session, Shop, WebshopEnvironment, WebshopSettings};
use crate::random::numpy_random::RandomState;
use crate::{EnvError, Environment, EpisodeSettings, Split, Suite};

/// Goals that the reference evaluates on, the first of all.
const EVALUATED: usize = 500;

/// Goals of a shop, by their numbers in the order of a seed.
#[derive(Debug)]
pub struct Webshop {
    shop: Arc<Shop>,
    settings: WebshopSettings,
    episode: EpisodeSettings,
    /// How many goals are kept for evaluation.
    evaluated: usize,
    /// Those of them that ask for products that no other goal asks for.
    unseen: Vec<usize>,
    drawn: Mutex<Option<Drawn>>,
}

/// Where the draws of an iteration have come to.
#[derive(Debug)]
struct Drawn {
    seed: u64,
    iteration: u64,
    random: RandomState,
    order: Vec<usize>,
}

/// Goals of which it is told how many are asked twice; writing out those of the whole catalogue would take a minute.
const COMPARED: usize = 100_000;

impl Webshop {
    /// Its name in settings.
    pub const NAME: &str = "webshop";

    /// The goals of a shop that is open.
    #[must_use]
    pub fn new(
        shop: impl Into<Arc<Shop>>,
        settings: WebshopSettings,
        episode: EpisodeSettings,
    ) -> Self {
        let shop = shop.into();
        let goals = shop.goals();
        // A small shop has goals for training, too.
        let evaluated = EVALUATED.min(goals.len().div_ceil(2));
        let trained: HashSet<u32> =
            (evaluated..goals.len()).filter_map(|goal| goals.product(goal)).collect();
        let is_unseen =
            |&goal: &usize| goals.product(goal).is_some_and(|product| !trained.contains(&product));
        let unseen = (0..evaluated).filter(is_unseen).collect();
        Self { shop, settings, episode, evaluated, unseen, drawn: Mutex::default() }
    }

    /// The shop.
    #[must_use]
    pub fn shop(&self) -> &Arc<Shop> {
        &self.shop
    }

    /// The number of the goal that a seed means in a split.
    fn goal(&self, split: Split, task_seed: u64) -> Option<usize> {
        let within = |count: usize| task_seed.checked_rem(count as u64).map(|goal| goal as usize);
        match split {
            Split::Train => within(self.shop.goals().len()),
            Split::Seen => within(self.evaluated),
            Split::Unseen => within(self.unseen.len()).map(|place| self.unseen[place]),
        }
    }
}

fn no_goals(split: Split) -> EnvError {
    EnvError::new(Webshop::NAME, format!("no goals in the split {}", split.name()))
}

impl Suite for Webshop {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The goal of this number, counted in the order of the setting's seed; in the splits of evaluation,
    /// of those that belong to it.
    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let session =
            self.goal(split, task_seed).and_then(|goal| Session::new(self.shop.clone(), goal));
        let session = session.ok_or_else(|| no_goals(split))?;
        Ok(Box::new(WebshopEnvironment::new(session, self.settings.observation, self.episode)))
    }

    fn task_count(&self, split: Split) -> Option<usize> {
        match split {
            // Its seeds are those of all goals, but training draws from fewer.
            Split::Train => None,
            Split::Seen => Some(self.evaluated),
            Split::Unseen => Some(self.unseen.len()),
        }
    }

    fn task_id(&self, split: Split, task_seed: u64) -> Option<String> {
        self.shop.goal_id(self.goal(split, task_seed)?)
    }

    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        let content = self.goal(split, task_seed).and_then(|goal| self.shop.goal_content(goal));
        content.ok_or_else(|| no_goals(split))
    }

    /// Goals with the same instruction, whatever the limit of the price.
    fn repeated(&self, split: Split) -> Option<(usize, usize)> {
        let count = self.shop.goals().len();
        if split == Split::Train || count > COMPARED {
            return None;
        }
        let instruction = |goal| {
            let told = self.shop.goal(goal)?.instruction;
            Some(told.split(", and price").next().unwrap_or_default().to_owned())
        };
        let trained: HashSet<String> = (self.evaluated..count).filter_map(instruction).collect();
        let goals: Vec<usize> = match split {
            Split::Unseen => self.unseen.clone(),
            _ => (0..self.evaluated).collect(),
        };
        let is_trained =
            |goal: &&usize| instruction(**goal).is_some_and(|it| trained.contains(&it));
        Some((goals.iter().filter(is_trained).count(), goals.len()))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    /// The places that the reference trains on, in its order, though of lists that its workers shuffle each by a
    /// seed of its own: every iteration draws from all that are not kept for evaluation, none twice.
    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        let trained = self.shop.goals().len() - self.evaluated;
        let draw = |random: &mut RandomState| random.choice(self.evaluated, trained, trained);
        // An order is whole before it is kept, so that a panic elsewhere leaves none broken.
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let known = drawn.take().filter(|it| it.seed == seed && it.iteration <= iteration);
        let mut now = known.unwrap_or_else(|| {
            let mut random = RandomState::folded(seed);
            let order = draw(&mut random);
            Drawn { seed, iteration: 1, random, order }
        });
        while now.iteration < iteration {
            now.order = draw(&mut now.random);
            now.iteration += 1;
        }
        let goal = place.checked_rem(trained).map_or(0, |place| now.order[place]);
        *drawn = Some(now);
        goal as u64
    }

    /// The goals that the reference evaluates first with this seed.
    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        let goals = if split == Split::Unseen { self.unseen.len() } else { self.evaluated };
        let order = RandomState::folded(seed).choice(0, goals, goals);
        place.checked_rem(goals).map_or(0, |place| order[place]) as u64
    }
}
