//! JSON values of any shape: strict reading, and one canonical text of a value.
//!
//! Readers of JSON differ in which of two equal keys of an object counts, so that a file with such an
//! object has no meaning to rely on.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::text::escape::quoted;

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
    read(text, DuplicateKeys::Once)
}

/// Reads a value of which `keys` are expected.
pub(crate) fn read(text: &str, keys: DuplicateKeys) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = keys.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// How often an object may have a key. Reads any value: there is one such reader, as each has code of
/// its own in the page.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DuplicateKeys {
    /// Once.
    Once,
    /// Any number of times; the last one counts.
    Often,
}

/// A key that was there already.
pub(crate) fn twice<E: Error>(key: &str) -> E {
    E::custom(format_args!("duplicate field `{key}`"))
}

impl<'de> DeserializeSeed<'de> for DuplicateKeys {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for DuplicateKeys {
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

/// The one text of a value, by which states that are no texts are compared: keys in their order by bytes, whole numbers
/// without a point, no white space. Equal values have equal texts, however they were written.
///
/// # Errors
/// The number of which digits were lost when it was read: a whole one outside of 64 bits, which would equal others.
pub(crate) fn canonical(value: &Value) -> Result<String, &Value> {
    Ok(written(&in_order(value)?))
}

fn in_order(value: &Value) -> Result<Value, &Value> {
    Ok(match value {
        Value::Array(items) => Value::Array(items.iter().map(in_order).collect::<Result<_, _>>()?),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(key, _)| *key);
            let fields = fields.into_iter().map(|(key, value)| Ok((key.clone(), in_order(value)?)));
            Value::Object(fields.collect::<Result<_, _>>()?)
        }
        // 1 and 1.0, and 0 and -0, are equal.
        Value::Number(number) => match number.as_f64().filter(|float| float.fract() == 0.0) {
            Some(float) if number.is_f64() => {
                let whole = float as i128;
                let unsigned = || u64::try_from(whole).ok().map(Value::from);
                i64::try_from(whole).ok().map(Value::from).or_else(unsigned).ok_or(value)?
            }
            _ => value.clone(),
        },
        other => other.clone(),
    })
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

#[cfg(test)]
mod tests {
    use super::{canonical, read_json};

    #[test]
    fn equal_values_have_one_text() {
        let text = |written: &str| canonical(&read_json(written).expect("JSON")).expect("64 bits");
        for same in [r#"{"x":1,"y":[{"b":2,"a":-0.0}]}"#, r#"{ "y": [{"a":0,"b":2.0}], "x": 1.0 }"#]
        {
            assert_eq!(text(same), r#"{"x":1,"y":[{"a":0,"b":2}]}"#);
        }
        assert_ne!(text("[1.5]"), text("[1]"));
        assert_ne!(text("[1,2]"), text("[2,1]"));
        assert_eq!(text("18446744073709551615"), "18446744073709551615");
        assert_eq!(text("1e16"), text("10000000000000000"));
        for lost in ["18446744073709551616", "[18446744073709551617]", r#"{"x":-1e19}"#] {
            assert!(canonical(&read_json(lost).expect("JSON")).is_err(), "{lost}");
        }
    }
}
