//! Products file reader: `items_shuffle*.json`.

use std::fmt;
use std::io::Read;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::error::ReadError;
use super::json_elements::Elements;
use super::{Product, product};

/// Reads one product after the other.
pub(super) fn products<E: From<ReadError>>(
    file: impl Read,
    take: &mut dyn FnMut(Product) -> Result<(), E>,
) -> Result<(), E> {
    let mut elements = Elements::new(file);
    while let Some(element) = elements.next()? {
        let written: Written =
            serde_json::from_slice(element.bytes).map_err(|error| element.json_error(&error))?;
        let refused = |problem: String| element.place.error(Some(element.number), &problem);
        take(written.product().map_err(refused)?)?;
    }
    Ok(())
}

/// A product as it is written; other fields are passed over.
#[derive(Deserialize)]
struct Written {
    asin: String,
    name: String,
    full_description: String,
    small_description: Points,
    pricing: Option<String>,
    #[serde(deserialize_with = "options")]
    customization_options: Options,
    category: String,
    query: String,
    product_category: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Points {
    Several(Vec<String>),
    One(String),
}

impl Written {
    fn product(self) -> Result<Product, String> {
        let prices = product::read_prices(self.pricing.as_deref())?;
        Ok(Product {
            asin: self.asin,
            title: self.name,
            description: self.full_description,
            bullets: match self.small_description {
                Points::Several(points) => points,
                Points::One(point) => vec![point],
            },
            category: self.category,
            query: self.query.to_lowercase().trim().to_owned(),
            product_category: self.product_category,
            prices,
            options: self.customization_options,
            attributes: product::no_attributes(),
            ..Product::default()
        })
    }
}

/// Reads options by their names: an empty text if there are none.
fn options<'de, D: Deserializer<'de>>(from: D) -> Result<Options, D::Error> {
    from.deserialize_any(OptionsVisitor)
}

type Options = Vec<(String, Vec<String>)>;

struct OptionsVisitor;

/// A value of an option; other fields are passed over.
#[derive(Deserialize)]
struct Value {
    value: String,
}

impl<'de> Visitor<'de> for OptionsVisitor {
    type Value = Options;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("options with lists of values, or an empty text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Options, E> {
        if text.is_empty() { Ok(Vec::new()) } else { Err(E::custom("options in a text")) }
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Options, E> {
        Ok(Vec::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Options, A::Error> {
        let mut options = IndexMap::new();
        while let Some((name, values)) = entries.next_entry::<String, Option<Vec<Value>>>()? {
            let Some(values) = values else { continue };
            let shown = |it: Value| it.value.trim().replace('/', " | ").to_lowercase();
            // The later one of two with the same name in small letters counts, at the first one's place.
            options.insert(name.to_lowercase(), values.into_iter().map(shown).collect());
        }
        Ok(options.into_iter().collect())
    }
}
