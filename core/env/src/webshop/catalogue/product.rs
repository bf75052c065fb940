//! Product, and what is read of it: its prices.

use serde::Deserialize;

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
    /// Its price as pages show it, in the digits that Python needs to read the same number again.
    #[must_use]
    pub fn price_tag(&self) -> String {
        match *self.prices {
            [low, high, ..] => format!("${low:?} to ${high:?}"),
            [price] => format!("${price:?}"),
            [] => format!("${UNPRICED:?}"),
        }
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
            [] => (UNPRICED, None),
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

/// What a product costs that has no price.
const UNPRICED: f64 = 100.0;

/// The prices in a text such as `$2.99$6.99`, the lowest and the highest: one or two.
///
/// # Errors
/// Says what cannot be read as a price.
pub(super) fn read_prices(text: Option<&str>) -> Result<Vec<f64>, String> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(vec![UNPRICED]) };
    let mut prices = Vec::with_capacity(2);
    for part in text.split('$').skip(1).take(2) {
        // Whatever else is written there does not count.
        let digits: String = part.chars().filter(|it| it.is_ascii_digit() || *it == '.').collect();
        let wrong = |_| format!("'{}' is no price", text.escape_debug());
        prices.push(digits.parse().map_err(wrong)?);
    }
    if prices.is_empty() {
        return Err(format!("'{}' is no price: it has no $", text.escape_debug()));
    }
    Ok(prices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_they_are_written() {
        let tagged = |text| {
            read_prices(text).map(|prices| Product { prices, ..Product::default() }.price_tag())
        };
        assert_eq!(tagged(Some("$877.8")), Ok("$877.8".into()));
        assert_eq!(tagged(Some("$1,299.00")), Ok("$1299.0".into()));
        assert_eq!(tagged(Some("$2.99$6.99")), Ok("$2.99 to $6.99".into()));
        assert_eq!(tagged(Some("$1 - $2 - $3")), Ok("$1.0 to $2.0".into()));
        assert_eq!([tagged(None), tagged(Some(""))], [Ok("$100.0".into()), Ok("$100.0".into())]);
        assert_eq!(tagged(Some("free")).unwrap_err(), "'free' is no price: it has no $");
        assert_eq!(tagged(Some("$1.2.3")).unwrap_err(), "'$1.2.3' is no price");
    }
}
