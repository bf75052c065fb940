//! Purchase reward.
//!
//! Source: `web_agent_site/engine/goal.py` of WebShop (Yao et al. 2022).
//!
//! # Formula
//! `score = r_type · (attributes + options + [price ≤ limit]) / (wanted attributes + wanted options + 1)`
//!
//! An attribute is met if one of the product's is more than 85 % alike ([`token_set_ratio`]), or if
//! it stands in title, points or description. An option is met if one that was chosen is more than
//! 85 % alike, colours being told apart by their first known name ([`normalized`]).
//! `r_type` is 1 if the products are of one kind: found by the same question, or with two levels of the
//! shop's tree in common, or with more than a fifth of the wanted title's nouns; else 0.5; 0.1 if they
//! share less than a tenth of the nouns, and 0 if they share none.

mod fuzzy;
mod nouns;
mod option;

use std::collections::HashSet;

pub use self::fuzzy::{ratio, token_set_ratio};
pub use self::nouns::Nouns;
pub use self::option::normalized;

use super::catalogue::Product;
use super::goals::Goal;

/// How alike is alike enough.
const ALIKE: u32 = 85;

/// What a purchase earns, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reward {
    /// All of it: 0 to 1.
    pub score: f64,
    /// How much of it the kind of product leaves.
    pub r_type: f64,
    /// The share of the wanted attributes.
    pub r_att: f64,
    /// What all attributes weigh.
    pub w_att: f64,
    /// Whether both products were found by the same question.
    pub query_match: bool,
    /// Whether they have two levels of the shop's tree in common.
    pub category_match: bool,
    /// The share of the wanted title's nouns that the bought one has.
    pub title_score: f64,
    /// The share of the wanted options; none if none are wanted.
    pub r_option: Option<f64>,
    /// What all options weigh; none if none are wanted.
    pub w_option: Option<f64>,
    /// Whether the price is within the limit.
    pub r_price: bool,
    /// What the price weighs.
    pub w_price: f64,
}

impl Reward {
    /// What it earns to buy `bought` at `price` with the values `chosen`, when `goal`, whose product is
    /// `wanted`, was asked for.
    #[must_use]
    pub fn of(
        (bought, price, chosen): (&Product, f64, &[&str]),
        (goal, wanted): (&Goal, &Product),
        nouns: &Nouns,
    ) -> Self {
        let attributes = goal.attributes.iter().filter(|it| has_attribute(bought, it)).count();
        let options = option::count_met(chosen, &goal.options);
        let (all_attributes, all_options) = (goal.attributes.len(), goal.options.len());
        let all = (all_attributes + all_options + 1) as f64;
        let r_price = price <= goal.price_upper;

        let query_match = bought.query == wanted.query;
        let category_match = common_levels(&bought.product_category, &wanted.product_category) >= 2;
        let title_score = nouns.shared(&wanted.title, &bought.title);
        let r_type = match title_score {
            none if none <= 0.0 => 0.0,
            little if little < 0.1 => 0.1,
            score if query_match || category_match || score > 0.2 => 1.0,
            _ => 0.5,
        };
        let share = |met: usize, all: usize| met as f64 / all as f64;
        let wants_options = all_options > 0;
        Self {
            score: (attributes + options + usize::from(r_price)) as f64 / all * r_type,
            r_type,
            // The original fails if no attributes are wanted, but all of its goals want some.
            r_att: if all_attributes == 0 { 1.0 } else { share(attributes, all_attributes) },
            w_att: all_attributes as f64 / all,
            query_match,
            category_match,
            title_score,
            r_option: wants_options.then(|| share(options, all_options)),
            w_option: wants_options.then(|| all_options as f64 / all),
            r_price,
            w_price: 1.0 / all,
        }
    }
}

fn has_attribute(product: &Product, wanted: &str) -> bool {
    let alike = |it: &String| token_set_ratio(it, wanted) > ALIKE;
    let within = |text: &str| text.to_lowercase().contains(wanted);
    product.attributes.iter().any(alike)
        || within(&product.title)
        || within(&product.bullets.join(" "))
        || within(&product.description)
}

/// How many different levels of the shop's tree two places in it have in common.
fn common_levels(one: &str, other: &str) -> usize {
    let levels = |place: &'_ str| -> HashSet<String> {
        place.split('›').map(|level| level.trim().to_owned()).collect()
    };
    levels(one).intersection(&levels(other)).count()
}
