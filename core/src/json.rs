//! JSON of any shape.
//!
//! Readers of JSON differ in which of two equal keys of an object counts, so that a file with such an
//! object has no meaning to rely on.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::quoted::quoted;

/// Reads a value whose objects, however deep in it they are, have every key once.
///
/// ```
/// use hgpo_core::read_json;
/// assert_eq!(read_json(r#"{"a":{"b":1}}"#)?["a"]["b"], 1);
/// let twice = read_json(r#"{"a":{"b":1,"b":2}}"#).unwrap_err().to_string();
/// assert_eq!(twice, "duplicate field `b` at line 1 column 15");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// A text that is no JSON, and a key that is there twice, with line and column.
pub fn read_json(text: &str) -> serde_json::Result<Value> {
    read(text, Keys::Once)
}

/// Reads a value of which `keys` are expected.
pub(crate) fn read(text: &str, keys: Keys) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = keys.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// How often an object may have a key. Reads any value: there is one such reader, as each has code of
/// its own in the page.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// Once.
    Once,
    /// Any number of times; the last one counts.
    Often,
}

/// A key that was there already.
pub(crate) fn twice<E: Error>(key: &str) -> E {
    E::custom(format_args!("duplicate field `{key}`"))
}

impl<'de> DeserializeSeed<'de> for Keys {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keys {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if self == Self::Once && object.contains_key(&key) {
                return Err(twice(&key));
            }
            object.insert(key, fields.next_value_seed(self)?);
        }
        Ok(Value::Object(object))
    }
}

/// A value as JSON on one line.
pub(crate) fn written(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A value in a few words.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => written(value),
        Value::String(text) => {
            ["the text ", &quoted(&text.chars().take(24).collect::<String>())].concat()
        }
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
