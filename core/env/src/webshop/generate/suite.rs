//! Suite of the goals of a generated shop, and the vocabulary of all its texts.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::catalogue::Catalogue;
use super::super::goals::Wanted;
use super::super::reward::Nouns;
use super::super::shop::FOUND;
use super::super::{Session, Shop, Telling, WebshopEnvironment};
use super::GeneratedShopSettings;
use super::departments::{BRANDS, DEPARTMENTS, PLACES, PRICES};
use super::products::{asin, product};
use super::scripted_player::{ScriptedShopper, Wish};
use crate::registry::table::Table as _;
use crate::{EnvError, Environment, EpisodeSettings, Player, Split, Suite};

/// Of so many products, the last is never asked for in training.
const PRODUCTS_PER_UNSEEN: usize = 4;

/// A generated shop, and its goals by split.
#[derive(Debug)]
pub struct GeneratedWebshop {
    shop: Arc<Shop>,
    settings: GeneratedShopSettings,
    episode: EpisodeSettings,
    /// The numbers of goals, in the order of the seed, for every split.
    goals: [Vec<usize>; 3],
}

impl GeneratedWebshop {
    /// Its name in settings.
    pub const NAME: &str = "webshop-generated";

    /// The shop that settings describe.
    ///
    /// # Errors
    /// Names a setting that is out of range.
    pub fn new(
        settings: GeneratedShopSettings,
        episode: EpisodeSettings,
    ) -> Result<Self, EnvError> {
        settings.check().map_err(|error| error.below(GeneratedShopSettings::NAME))?;
        let products = (0..settings.products).map(|number| product(settings.seed, number));
        let catalogue =
            Catalogue::of(products).map_err(|error| EnvError::new(Self::NAME, error))?;
        let nouns = Nouns::Known(DEPARTMENTS.iter().flat_map(|it| it.kinds).collect());
        let shop = Shop::new(Arc::new(catalogue), nouns, Wanted::Synthetic, settings.seed)
            .map_err(|error| EnvError::new(Self::NAME, error))?;
        let shop = Arc::new(shop.showing(settings.results_per_page));
        let goals = split_goals(&shop);
        if let Some(split) = Split::ALL.into_iter().find(|&split| goals[split as usize].is_empty())
        {
            let none = format!(
                "{} products with the seed {} have no goals for the split {}; choose more products, or another seed",
                settings.products,
                settings.seed,
                split.name()
            );
            return Err(EnvError::new(Self::NAME, none));
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

    /// The number of the goal that a seed means in a split.
    fn goal(&self, split: Split, task_seed: u64) -> usize {
        let goals = self.goals(split);
        goals[(task_seed % goals.len() as u64) as usize]
    }
}

/// The numbers of all goals, by split. What a goal of evaluation asks for, no goal of training does, for this
/// product or another: a wish falls to one or the other by its digest.
fn split_goals(shop: &Shop) -> [Vec<usize>; 3] {
    let mut goals = [const { Vec::new() }; 3];
    for number in 0..shop.goals().len() {
        let Some(goal) = shop.goal(number) else { continue };
        let is_unseen = goal.product as usize % PRODUCTS_PER_UNSEEN == PRODUCTS_PER_UNSEEN - 1;
        let split = match (Wish::read(&goal.instruction).is_held_out(), is_unseen) {
            (true, true) => Split::Unseen,
            (true, false) => Split::Seen,
            (false, false) => Split::Train,
            // Training would know what is asked for, or the product.
            (false, true) => continue,
        };
        goals[split as usize].push(number);
    }
    goals
}

fn no_goals(split: Split) -> EnvError {
    EnvError::new(GeneratedWebshop::NAME, format!("no goals in the split {}", split.name()))
}

impl Suite for GeneratedWebshop {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The goal of this number among those of the split, which are gone through again and again.
    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        let session = Session::new(self.shop.clone(), self.goal(split, task_seed));
        let session = session.ok_or_else(|| no_goals(split))?;
        Ok(Box::new(WebshopEnvironment::new(session, Telling::Lines, self.episode)))
    }

    fn task_count(&self, split: Split) -> Option<usize> {
        Some(self.goals(split).len())
    }

    fn task_id(&self, split: Split, task_seed: u64) -> Option<String> {
        self.shop.goal_id(self.goal(split, task_seed))
    }

    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        let content = self.shop.goal_content(self.goal(split, task_seed));
        content.ok_or_else(|| no_goals(split))
    }

    fn player(&self, episode: &dyn Environment, _: u64) -> Option<Box<dyn Player>> {
        Some(Box::new(ScriptedShopper::new(episode.instruction())))
    }

    fn max_steps(&self) -> usize {
        self.episode.max_steps
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(Some(vocabulary(self.settings.products)))
    }
}

/// Words of pages, goals and actions that are no names, and the marks that count as words.
const WORDS: &str = ". , : ] < > <your query> (chosen) 00 a and back buy by click[ description dollars \
    features find for lower made me next no nothing now of prev price results reviews search search[ \
    searched seen than the to with";

/// Tens of dollars between a price and its limit, at most.
const ABOVE: usize = 4;

/// Every word that goals, pages and actions can contain, sorted, the numbers of products among them; `search[` and `click[` begin actions, and
/// `]` ends them.
fn vocabulary(products: usize) -> Vec<String> {
    let departments = DEPARTMENTS.iter();
    let names = departments.flat_map(|department| {
        let options = department.options.iter();
        let options = options.flat_map(|(name, values)| values.iter().chain([name]));
        department.kinds.iter().chain(&department.attributes).chain(options).copied()
    });
    let fixed = WORDS.split_whitespace().chain(PLACES).chain(names).map(str::to_owned);
    let brands = BRANDS.iter().map(|brand| brand.to_lowercase());
    let (least, most) = PRICES;
    let prices = (least..=most).map(|price| format!("${price}"));
    let limits = (1..=most / 10 + ABOVE).map(|tens| (10 * tens).to_string());
    let counts = (0..=FOUND).map(|count| count.to_string());
    let numbers = (0..products).map(|number| asin(number).to_lowercase());
    let words = fixed.chain(brands).chain(prices).chain(limits).chain(counts).chain(numbers);
    words.collect::<BTreeSet<_>>().into_iter().collect()
}
