//! Goals: the products that are asked for.
//!
//! Source: `web_agent_site/engine/goal.py` of WebShop (Yao et al., "WebShop: Towards Scalable Real-World
//! Web Interaction with Grounded Language Agents", 2022), as verl-agent seeds it.

use super::ShopError;
use super::catalogue::{Catalogue, Product};
use crate::random::python_random::PythonRandom;

/// Which goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that programs wrote: one for every combination of a product's options.
    Synthetic,
    /// Those that people wrote.
    Human,
}

/// A goal by its product: all else follows from the table of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Short {
    product: u32,
    /// Of synthetic goals, the number of the combination of options; of human ones, that of the
    /// instruction.
    variant: u32,
    /// The price limit in tens of dollars; 0 if there is none.
    limit: u8,
}

/// All goals of a shop, in the order of a seed.
#[derive(Clone, Debug)]
pub struct Goals {
    wanted: Wanted,
    goals: Vec<Short>,
}

/// An option that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedOption {
    /// Its name and its value.
    Named(String, String),
    /// Its value.
    Plain(String),
}

/// A goal, written out.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The place of its product.
    pub product: u32,
    /// What the agent is asked.
    pub instruction: String,
    /// The attributes that are wanted.
    pub attributes: Vec<String>,
    /// The options that are wanted.
    pub options: Vec<WantedOption>,
    /// What the product may cost.
    pub price_upper: f64,
}

/// Most goals: 1.2 GB of them. The products of the release have fewer.
const MOST_GOALS: usize = 100_000_000;

/// The price limit of goals that have none.
const NO_LIMIT: f64 = 1_000_000.0;

impl Goals {
    /// All goals under a seed, and what every product costs: prices and price limits are drawn in the
    /// order of products, and the goals shuffled by the seed's generator from its start.
    ///
    /// # Errors
    /// If there are none, or more than can be counted.
    pub fn draw(
        catalogue: &Catalogue,
        wanted: Wanted,
        seed: u64,
    ) -> Result<(Self, Vec<f64>), ShopError> {
        let mut random = PythonRandom::new(seed);
        let prices = catalogue.prices(&mut random);
        let mut goals = Vec::new();
        for (place, &price) in (0..).zip(&prices) {
            match wanted {
                Wanted::Synthetic => {
                    // The original draws no limit when it finds no instruction.
                    let Some(count) = catalogue.outline(place).and_then(|it| it.goals) else {
                        continue;
                    };
                    let limit = limit_above(price, &mut random);
                    if goals.len() + count as usize > MOST_GOALS {
                        return Err(ShopError::TooMany { what: "goals", most: MOST_GOALS });
                    }
                    let goal = |variant| Short { product: place, variant, limit };
                    goals.extend((0..count).map(goal));
                }
                Wanted::Human => {
                    for (variant, instruction) in (0..).zip(catalogue.human(place)) {
                        if !instruction.attributes.is_empty() {
                            let limit = limit_above(price, &mut random);
                            goals.push(Short { product: place, variant, limit });
                        }
                    }
                }
            }
        }
        if goals.is_empty() {
            return Err(ShopError::NoGoals { products: prices.len() });
        }
        PythonRandom::new(seed).shuffle(&mut goals);
        Ok((Self { wanted, goals }, prices))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// The place of a goal's product.
    #[must_use]
    pub fn product(&self, number: usize) -> Option<u32> {
        self.goals.get(number).map(|goal| goal.product)
    }

    /// Its number among the goals of its product.
    #[must_use]
    pub fn variant(&self, number: usize) -> Option<u32> {
        self.goals.get(number).map(|goal| goal.variant)
    }

    /// A goal, written out.
    #[must_use]
    pub fn get(&self, catalogue: &Catalogue, number: usize) -> Option<Goal> {
        let &Short { product: place, variant, limit } = self.goals.get(number)?;
        let product = catalogue.product(place)?;
        let (price_text, price_upper) = if limit == 0 {
            (String::new(), NO_LIMIT)
        } else {
            let price = 10.0 * f64::from(limit);
            (format!(", and price lower than {price:.2} dollars"), price)
        };
        let (text, attributes, options) = match self.wanted {
            Wanted::Synthetic => {
                let options = combination(&product, variant);
                let named = |(name, value): &(String, String)| format!("{name}: {value}");
                let texts: Vec<String> = options.iter().map(named).collect();
                let with = if texts.is_empty() { "" } else { " with " };
                let text = product.instruction.as_deref()?;
                let text = format!("{text}{with}{}", texts.join(", and "));
                let named = |(name, value)| WantedOption::Named(name, value);
                let options = options.into_iter().map(named).collect();
                (text, product.instruction_attributes.clone(), options)
            }
            Wanted::Human => {
                let human = product.human.get(variant as usize)?;
                let options = human.options.iter().cloned().map(WantedOption::Plain).collect();
                (human.instruction.trim_matches('.').to_owned(), human.attributes.clone(), options)
            }
        };
        let instruction = format!("{text}{price_text}");
        Some(Goal { product: place, instruction, attributes, options, price_upper })
    }
}

/// A limit above a price, in tens of dollars: the larger one of two that are drawn of the next four tens
/// below 1,000; 0 if there are not two.
fn limit_above(price: f64, random: &mut PythonRandom) -> u8 {
    let above = (1..100_u8).filter(|&tens| 10.0 * f64::from(tens) > price);
    let next: Vec<u8> = above.take(4).collect();
    if next.len() < 2 {
        return 0;
    }
    random.sample(&next, 2).into_iter().copied().max().unwrap_or(0)
}

/// A combination, in the order of the options' names: the values of the last option change first.
fn combination(product: &Product, number: u32) -> Vec<(String, String)> {
    let mut options: Vec<_> = product.options.iter().collect();
    options.sort_by(|one, other| one.0.cmp(&other.0));
    let mut rest = number as usize;
    let mut chosen: Vec<(String, String)> = Vec::new();
    for (name, values) in options.into_iter().rev() {
        let Some(value) = rest.checked_rem(values.len()).and_then(|place| values.get(place)) else {
            continue;
        };
        rest /= values.len();
        chosen.push((name.clone(), value.clone()));
    }
    chosen.reverse();
    chosen
}
