//! Difference of what was recorded from what is now, for all tests of witnesses: what is new is none.

use serde_json::Value;

/// Where the rule is that says what to do with a difference.
pub(crate) const RULE: &str =
    "a witness of what users have is broken: scripts/witnesses/README.md, \"Where one fails\"";

/// The first value recorded that is another now, or gone, with its place. Numbers may differ by a share
/// `near` of the larger one, or of 1 where both are smaller.
pub(crate) fn difference(place: &str, was: &Value, is: &Value, near: f64) -> Option<String> {
    let numbers = was.as_f64().zip(is.as_f64());
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => was.iter().find_map(|(key, was)| {
            let place = format!("{place}.{key}");
            let gone = || Some(format!("`{place}` was {was} and is gone"));
            is.get(key).map_or_else(gone, |is| difference(&place, was, is, near))
        }),
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            let mut pairs = was.iter().zip(is).enumerate();
            pairs.find_map(|(at, (was, is))| difference(&format!("{place}[{at}]"), was, is, near))
        }
        (was, is) if was == is || numbers.is_some_and(|pair| are_near(pair, near)) => None,
        _ => Some(format!("`{place}` was {was} and is {is}")),
    }
}

fn are_near((was, is): (f64, f64), near: f64) -> bool {
    (was - is).abs() <= near * was.abs().max(is.abs()).max(1.0)
}
