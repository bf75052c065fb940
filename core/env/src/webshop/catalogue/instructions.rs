//! Instructions by product number: `items_ins_v2*.json`, `items_human_ins.json`.

use std::fmt;
use std::io::{BufReader, Read};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};

use super::error::ReadError;
use super::{Product, product};

/// What is wanted of a product, as a program wrote it.
#[derive(Debug, Deserialize)]
pub(super) struct Instruction {
    pub(super) attributes: Option<Vec<String>>,
    #[serde(rename = "instruction")]
    pub(super) text: Option<String>,
    #[serde(rename = "instruction_attributes")]
    pub(super) wanted: Option<Vec<String>>,
}

impl Instruction {
    /// Says it of a product.
    pub(super) fn give(self, product: &mut Product) {
        product.attributes = self.attributes.unwrap_or_else(product::no_attributes);
        product.instruction = self.text;
        product.instruction_attributes = self.wanted.unwrap_or_default();
    }
}

/// Reads one entry after the other, as long as it goes on.
pub(super) fn read<T: DeserializeOwned>(
    file: impl Read,
    take: &mut dyn FnMut(&str, T) -> bool,
) -> Result<(), ReadError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, file));
    json.deserialize_map(Entries { take, kind: PhantomData })?;
    Ok(json.end()?)
}

struct Entries<'a, T> {
    take: &'a mut dyn FnMut(&str, T) -> bool,
    kind: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Entries<'_, T> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object with an entry for every product")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(asin) = entries.next_key::<String>()? {
            if !(self.take)(&asin, entries.next_value()?) {
                return Err(A::Error::custom("it is not read on"));
            }
        }
        Ok(())
    }
}
