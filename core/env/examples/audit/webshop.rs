//! WebShop's goals as verl-agent draws them, and which of those that are evaluated were trained on.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use hgpo_env::files::Folder;
use hgpo_env::random::numpy_random::RandomState;
use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::{Goals, Wanted};

use crate::{head, percent, row};

/// Goals that are held back for evaluation: the first of a list.
const EVALUATED: usize = 500;

/// Places of validation, and what is added to the seed there.
const PLACES: usize = 128;
const VALIDATION: u64 = 1000;

/// Groups of training.
const GROUPS: usize = 16;

/// What of a goal is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Content {
    /// The product and the whole instruction.
    Task(u32, String),
    /// The same, whatever it may cost.
    AnyPrice(u32, String),
    /// The product alone.
    Product(u32),
}

/// The lists of goals of some places: every worker shuffles its own by its own seed.
struct Lists<'a> {
    catalogue: &'a Catalogue,
    lists: Vec<Goals>,
}

impl<'a> Lists<'a> {
    /// Those of places that count from a seed, or all by the same seed.
    fn new(
        catalogue: &'a Catalogue,
        seeds: impl Iterator<Item = u64>,
    ) -> Result<Self, Box<dyn Error>> {
        let draw =
            |seed| Ok::<_, Box<dyn Error>>(Goals::draw(catalogue, Wanted::Synthetic, seed)?.0);
        Ok(Self { catalogue, lists: seeds.map(draw).collect::<Result<_, _>>()? })
    }

    /// What a goal of a place's list is.
    fn contents(&self, place: usize, goal: usize) -> Option<[Content; 3]> {
        let goal = self.lists[place].get(self.catalogue, goal)?;
        let any_price = goal.instruction.split(", and price").next().unwrap_or_default().to_owned();
        let product = goal.product;
        Some([
            Content::Task(product, goal.instruction),
            Content::AnyPrice(product, any_price),
            Content::Product(product),
        ])
    }

    /// The goals of several rounds in a row, of which the first `skipped` are not looked at.
    fn play(
        &self,
        seed: u64,
        (first, count): (usize, usize),
        rounds: std::ops::Range<usize>,
    ) -> Vec<[Content; 3]> {
        let mut random = RandomState::folded(seed);
        let mut contents = Vec::new();
        for round in 0..rounds.end {
            let drawn = random.choice(first, count, self.lists.len());
            if rounds.contains(&round) {
                let of = |(place, goal): (usize, usize)| self.contents(place, goal);
                contents.extend(drawn.into_iter().enumerate().filter_map(of));
            }
        }
        contents
    }
}

/// A published way to train and evaluate.
struct Published {
    name: &'static str,
    iterations: usize,
    /// The seed of the evaluation.
    evaluation: u64,
    /// Its rounds: those of earlier validations come before.
    rounds: std::ops::Range<usize>,
}

pub(crate) fn print(folder: &Path) -> Result<(), Box<dyn Error>> {
    let shop = hgpo_env::webshop::open(&Folder::new(folder), Wanted::Synthetic, 0)?;
    let catalogue = shop.catalogue();
    let goals = shop.goals().len();
    println!("{} products, {goals} goals", catalogue.len());
    let published = [
        Published {
            name: "GiGPO, last validation",
            iterations: 150,
            evaluation: 0,
            rounds: 60..62,
        },
        Published { name: "HGPO, seed 123", iterations: 160, evaluation: 123, rounds: 0..4 },
        Published { name: "HGPO, seed 456", iterations: 160, evaluation: 456, rounds: 0..4 },
        Published { name: "HGPO, seed 789", iterations: 160, evaluation: 789, rounds: 0..4 },
        Published {
            name: "HGPO, seed 123, one round",
            iterations: 160,
            evaluation: 123,
            rounds: 0..1,
        },
    ];
    head(&[
        "lists of goals",
        "evaluation",
        "drawn",
        "different",
        "trained on, %",
        "at any price, %",
        "the product, %",
    ]);
    for shared in [false, true] {
        let seeds = |seed: u64, places: usize| {
            (0..places as u64).map(move |it| if shared { 0 } else { seed + it })
        };
        let trained = Lists::new(catalogue, seeds(0, GROUPS))?;
        for Published { name, iterations, evaluation, rounds } in &published {
            let seed = evaluation + VALIDATION;
            let evaluated = Lists::new(catalogue, seeds(seed, PLACES))?;
            let known = trained.play(0, (EVALUATED, goals - EVALUATED), 0..*iterations);
            let known: HashSet<Content> = known.into_iter().flatten().collect();
            let drawn = evaluated.play(seed, (0, EVALUATED), rounds.clone());
            let different: HashSet<&Content> = drawn.iter().map(|contents| &contents[0]).collect();
            let share = |kind: usize| {
                let count = drawn.iter().filter(|contents| known.contains(&contents[kind])).count();
                percent(count as f64 / drawn.len() as f64)
            };
            let list = if shared { "one" } else { "each worker's" };
            let counts = [drawn.len(), different.len()].map(|it| it.to_string());
            let cells = [list.to_owned(), (*name).to_owned()].into_iter().chain(counts);
            row(&cells.chain([0, 1, 2].map(share)).collect::<Vec<_>>());
        }
    }
    by_seed(catalogue, goals)
}

/// The share that was trained on, for other seeds of training: its last validation, of 150 iterations.
fn by_seed(catalogue: &Catalogue, goals: usize) -> Result<(), Box<dyn Error>> {
    head(&[
        "seed",
        "iterations",
        "groups",
        "goals trained on",
        "evaluated",
        "at any price, trained on, %",
    ]);
    for (seed, iterations, groups) in [
        (0, 50, 16),
        (0, 100, 16),
        (0, 150, 16),
        (1, 150, 16),
        (2, 150, 16),
        (42, 150, 16),
        (0, 150, 8),
        (0, 150, 32),
        (0, 150, 64),
    ] {
        let trained = Lists::new(catalogue, seed..seed + groups)?;
        let known = trained.play(seed, (EVALUATED, goals - EVALUATED), 0..iterations);
        let known: HashSet<Content> =
            known.into_iter().map(|[_, any_price, _]| any_price).collect();
        let validation = seed + VALIDATION;
        let evaluated = Lists::new(catalogue, validation..validation + PLACES as u64)?;
        let before = 2 * (iterations / 5);
        let drawn = evaluated.play(validation, (0, EVALUATED), before..before + 2);
        let count = drawn.iter().filter(|contents| known.contains(&contents[1])).count();
        let numbers = [seed as usize, iterations, groups as usize, known.len(), drawn.len()];
        let cells = numbers.iter().map(ToString::to_string);
        row(&cells.chain([percent(count as f64 / drawn.len() as f64)]).collect::<Vec<_>>());
    }
    Ok(())
}
