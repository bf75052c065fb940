//! Flat settings: a list of dotted names with values.

use std::collections::BTreeMap;

use serde_json::Value;

/// Settings by dotted names.
pub(crate) fn flattened(settings: &Value) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    add(&mut flat, "", settings);
    flat
}

fn add(flat: &mut BTreeMap<String, Value>, name: &str, value: &Value) {
    match value {
        Value::Object(fields) if !fields.is_empty() || name.is_empty() => {
            for (key, value) in fields {
                let dotted = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                add(flat, &dotted, value);
            }
        }
        _ => {
            flat.insert(name.to_owned(), value.clone());
        }
    }
}

/// A setting as it is read: a text without quotation marks.
pub(crate) fn render_value(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nested_settings_get_dotted_names() {
        let settings = json!({ "seed": 1, "estimator": { "name": "hgpo", "inner": { "k": [1, 2] } }, "none": {} });
        let flat: Vec<_> = flattened(&settings)
            .into_iter()
            .map(|(key, value)| (key, render_value(&value)))
            .collect();
        let expected = [
            ("estimator.inner.k", "[1,2]"),
            ("estimator.name", "hgpo"),
            ("none", "{}"),
            ("seed", "1"),
        ];
        assert_eq!(flat, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
