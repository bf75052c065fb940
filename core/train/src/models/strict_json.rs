//! Strict JSON, whose objects have every key once.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a value; keys that an object has twice are refused wherever they are, as readers of JSON
/// differ in which of the two counts.
///
/// # Errors
/// `serde_json`'s, and a key that is there twice, with line and column.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice::<Checked>(bytes)?;
    serde_json::from_slice(bytes)
}

/// A value that was looked through, and not kept.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Checked;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_str<E>(self, _: &str) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_unit<E>(self) -> Result<Checked, E> {
        Ok(Checked)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Checked, A::Error> {
        while items.next_element::<Checked>()?.is_some() {}
        Ok(Checked)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Checked, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
            }
            keys.insert(key);
            entries.next_value::<Checked>()?;
        }
        Ok(Checked)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parse;

    #[test]
    fn keys_are_there_once_in_every_object() {
        let text = r#"{"a":[{"b":1},{"b":null}],"c":{"a":-1.5,"b":true,"é":"x"}}"#;
        let expected = json!({"a": [{"b": 1}, {"b": null}], "c": {"a": -1.5, "b": true, "é": "x"}});
        assert_eq!(parse::<Value>(text.as_bytes()).unwrap(), expected);
        for text in [r#"{"a":1,"a":1}"#, r#"[{"x":{"b":{},"a":1,"a":2}}]"#, r#"{"a":1,"\u0061":1}"#]
        {
            let error = parse::<Value>(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("duplicate key \"a\" at line 1 column"), "{error}");
        }
        assert!(parse::<Value>(b"{").is_err());
    }
}
