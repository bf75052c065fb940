//! Product.

use serde::Deserialize;

use super::pricing;

/// A product, as pages show it and goals ask for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Product {
    /// Its number.
    pub asin: String,
    /// Its name.
    pub title: String,
    /// What is said of it at length.
    pub description: String,
    /// What is said of it in points.
    pub bullets: Vec<String>,
    /// The part of the shop that it is in.
    pub category: String,
    /// The question that it was found by, in small letters.
    pub query: String,
    /// Where it is in the shop's tree, from the top, with `›` between the levels.
    pub product_category: String,
    /// Its price, or its lowest and highest.
    pub prices: Vec<f64>,
    /// The names of its options in small letters, each with its values.
    pub options: Vec<(String, Vec<String>)>,
    /// What it is like: those attributes that no page shows.
    pub attributes: Vec<String>,
    /// What is wanted, if anything is.
    pub instruction: Option<String>,
    /// The attributes that are wanted.
    pub instruction_attributes: Vec<String>,
    /// What people want.
    pub human: Vec<HumanInstruction>,
}

impl Product {
    /// Its price as pages show it.
    #[must_use]
    pub fn price_tag(&self) -> String {
        pricing::tag(&self.prices)
    }

    /// How many combinations of options there are: no more than can be counted.
    pub(super) fn combinations(&self) -> u32 {
        let counts = self.options.iter().map(|(_, values)| values.len());
        counts
            .fold(1_u32, |all, count| all.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// Whether there are goals for it, which are one for every combination of options.
    pub(super) fn has_goals(&self) -> bool {
        self.instruction.is_some() && !self.instruction_attributes.is_empty()
    }

    pub(super) fn outline(&self) -> Outline {
        let (lowest, highest) = match *self.prices {
            [low, high, ..] => (low, Some(high)),
            [price] => (price, None),
            [] => (pricing::UNPRICED, None),
        };
        Outline { lowest, highest, goals: self.has_goals().then(|| self.combinations()) }
    }

    /// What is searched in, in small letters: title, description, first point and options.
    #[must_use]
    pub fn searched_text(&self) -> String {
        let option =
            |(name, values): &(String, Vec<String>)| format!("{name}: {}", values.join(", "));
        let options: Vec<String> = self.options.iter().map(option).collect();
        let first = self.bullets.first().map_or("", String::as_str);
        let parts = [&*self.title, &*self.description, first, &*options.join(", and ")];
        parts.join(" ").to_lowercase()
    }
}

/// What goals are drawn by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Its price, or its lowest.
    pub lowest: f64,
    /// Its highest price, if it has two.
    pub highest: Option<f64>,
    /// How many synthetic goals there are, if it has an instruction.
    pub goals: Option<u32>,
}

/// What somebody asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct HumanInstruction {
    /// In their words.
    pub instruction: String,
    /// The attributes that they meant.
    #[serde(rename = "instruction_attributes")]
    pub attributes: Vec<String>,
    /// The options that they meant.
    #[serde(rename = "instruction_options")]
    pub options: Vec<String>,
}

/// The attributes of a product of which none are known.
pub(super) fn no_attributes() -> Vec<String> {
    vec!["DUMMY_ATTR".to_owned()]
}
