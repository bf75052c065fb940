//! Hugging Face's files of a model: `config.json`, safetensors, and adapters, which are refused.

mod config_fields;
mod parse_config;
mod render_config;
mod rope_config;
pub mod safetensors;

use serde::de::{DeserializeOwned, Error};

/// Reads a value; keys that an object has twice are refused wherever they are, as readers of JSON
/// differ in which of the two counts.
///
/// # Errors
/// `serde_json`'s, and a key that is there twice, with line and column.
pub fn strict_json<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    hgpo_core::read_json(std::str::from_utf8(bytes).map_err(serde_json::Error::custom)?)?;
    serde_json::from_slice(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::strict_json;

    #[test]
    fn keys_are_there_once_in_every_object() {
        let text = r#"{"a":[{"b":1},{"b":null}],"c":{"a":-1.5,"b":true,"é":"x"}}"#;
        let expected = json!({"a": [{"b": 1}, {"b": null}], "c": {"a": -1.5, "b": true, "é": "x"}});
        assert_eq!(strict_json::<Value>(text.as_bytes()).unwrap(), expected);
        for text in [r#"{"a":1,"a":1}"#, r#"[{"x":{"b":{},"a":1,"a":2}}]"#, r#"{"a":1,"\u0061":1}"#]
        {
            let error = strict_json::<Value>(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("duplicate field `a` at line 1 column"), "{error}");
        }
        assert!(strict_json::<Value>(b"{").is_err());
    }
}
