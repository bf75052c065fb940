//! What is wanted of products, by their numbers: `items_ins_v2*.json`, `items_human_ins.json`.

use std::fmt;
use std::io::{BufReader, Read};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::Error;

/// What is wanted of a product, as a program wrote it.
#[derive(Debug, Deserialize)]
pub(super) struct Instruction {
    pub(super) attributes: Option<Vec<String>>,
    #[serde(rename = "instruction")]
    pub(super) text: Option<String>,
    #[serde(rename = "instruction_attributes")]
    pub(super) wanted: Option<Vec<String>>,
}

/// Reads one entry after the other.
pub(super) fn read<T: DeserializeOwned>(
    file: impl Read,
    take: &mut dyn FnMut(&str, T),
) -> Result<(), Error> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(file));
    json.deserialize_map(Entries { take, kind: PhantomData })?;
    json.end()
}

struct Entries<'a, T> {
    take: &'a mut dyn FnMut(&str, T),
    kind: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Entries<'_, T> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object with an entry for every product")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(asin) = entries.next_key::<String>()? {
            (self.take)(&asin, entries.next_value()?);
        }
        Ok(())
    }
}
