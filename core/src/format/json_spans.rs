//! Spans of valid JSON: where the parts of a value stand in its text, so that the rest can stay as it was written.

/// Fields of an object, each with its value as it is written; none if it is no object.
pub(super) fn fields(object: &str) -> Option<Vec<(String, &str)>> {
    let mut rest = object.trim_start().strip_prefix('{')?.trim_start();
    let mut fields = Vec::new();
    while rest.starts_with('"') {
        let (name, after) = split_value(rest)?;
        let (value, after) = split_value(after.trim_start().strip_prefix(':')?.trim_start())?;
        fields.push((serde_json::from_str(name).ok()?, value));
        rest = after_comma(after);
    }
    rest.starts_with('}').then_some(fields)
}

/// What an object has from the value of a field on, which is found without reading on; none if there is none before it.
pub(super) fn find_value<'a>(object: &'a str, field: &str) -> Option<&'a str> {
    let mut rest = object.trim_start().strip_prefix('{')?.trim_start();
    while rest.starts_with('"') {
        let (name, after) = split_value(rest)?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        if name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) == Some(field) {
            return Some(value);
        }
        rest = after_comma(split_value(value)?.1);
    }
    None
}

/// Elements of a list as they are written; none if it is no list.
pub(super) fn elements(list: &str) -> Option<Vec<&str>> {
    each_element(list)?.collect()
}

/// Elements of a list that a text begins with, one after the other; none for one that has no end.
pub(super) fn each_element(text: &str) -> Option<impl Iterator<Item = Option<&str>>> {
    let mut rest = text.trim_start().strip_prefix('[')?.trim_start();
    Some(std::iter::from_fn(move || {
        if rest.starts_with(']') {
            return None;
        }
        let Some((element, after)) = split_value(rest) else {
            // What comes after it is not known.
            rest = "]";
            return Some(None);
        };
        rest = after_comma(after);
        Some(Some(element))
    }))
}

fn after_comma(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix(',').unwrap_or(text).trim_start()
}

/// Splits a text after the value that it begins with; none if that has no end.
fn split_value(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (place, byte) in text.bytes().enumerate() {
        let end = match byte {
            _ if is_escaped => {
                is_escaped = false;
                continue;
            }
            b'\\' if in_string => {
                is_escaped = true;
                continue;
            }
            b'"' => {
                in_string = !in_string;
                (!in_string && depth == 0).then_some(place + 1)
            }
            _ if in_string => None,
            b'{' | b'[' => {
                depth += 1;
                None
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                (depth == 0).then_some(place + 1)
            }
            // The end of a number, or of a word.
            b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 && place > 0 => {
                Some(place)
            }
            _ => None,
        };
        if let Some(end) = end {
            return text.split_at_checked(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{elements, fields};
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn what_is_no_object_or_list_has_no_parts() {
        for text in ["", "1", "[1]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":\"x", "{1:2}"] {
            assert_eq!(fields(text), None, "{text}");
        }
        for text in ["", "{}", "[", "[1", "[\"a]"] {
            assert_eq!(elements(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn parts_are_those_that_serde_json_reads(texts in prop::collection::vec(r#"[a-c{}\[\],:"\\ \u{e9}]{0,6}"#, 0..6), seed: i64) {
            let deep = serde_json::json!({"a": texts, "b": [seed, {"c": texts}, null, true], "d": seed as f64 / 3.0});
            for text in [deep.to_string(), serde_json::to_string_pretty(&deep).expect("JSON")] {
                let read = |part: &str| serde_json::from_str::<Value>(part).expect(part);
                let found = fields(&text).expect("an object");
                let whole: serde_json::Map<String, Value> =
                    found.iter().map(|(name, part)| (name.clone(), read(part))).collect();
                prop_assert_eq!(&Value::Object(whole), &deep);
                for name in ["a", "b"] {
                    let list = found.iter().find(|(own, _)| own == name).expect("there").1;
                    let list: Vec<Value> = elements(list).expect("a list").into_iter().map(read).collect();
                    prop_assert_eq!(&Value::Array(list), &deep[name]);
                }
            }
        }
    }
}
