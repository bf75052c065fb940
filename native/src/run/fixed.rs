//! Settings that a checkpoint fixes: those that its weights were made with. All others may change when
//! a run goes on.

use hgpo_train::config::Config;
use toml::{Table, Value};

use super::{Checkpoint, RunError};

/// The tables and settings that are fixed.
const FIXED: [&str; 7] =
    ["seed", "environment", "policy", "model", "initialization", "pretrained", "warm_start"];

/// Whether a setting, written as `table.key`, is fixed.
#[must_use]
pub fn is_fixed(setting: &str) -> bool {
    FIXED.contains(&setting.split('.').next().unwrap_or_default().trim())
}

/// Checks settings against those that a checkpoint was made with, where it says so.
///
/// # Errors
/// Names the first fixed setting that is another one, and what it was.
pub fn check(checkpoint: &Checkpoint, now: &Config) -> Result<(), RunError> {
    let Some(was) = checkpoint.settings() else { return Ok(()) };
    let refused = |reason: String| RunError::Settings { path: checkpoint.path.clone(), reason };
    let was: Table = was.parse().map_err(|error: toml::de::Error| refused(error.to_string()))?;
    let now = Table::try_from(now).map_err(|error| refused(error.to_string()))?;
    for name in FIXED {
        if let Some((setting, was, now)) = difference(name, was.get(name), now.get(name)) {
            return Err(refused(format!("{setting} was {was} and is {now}")));
        }
    }
    Ok(())
}

/// The first setting that differs, with both of its values. Where one of two tables lacks a setting,
/// another version wrote it, which is no change.
fn difference(
    name: &str,
    was: Option<&Value>,
    now: Option<&Value>,
) -> Option<(String, String, String)> {
    match (was?, now?) {
        (Value::Table(was), Value::Table(now)) => was.iter().find_map(|(inner, value)| {
            difference(&format!("{name}.{inner}"), Some(value), now.get(inner))
        }),
        (was, now) if was == now => None,
        (was, now) => Some((name.to_owned(), was.to_string(), now.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_with_both_values() {
        let of = |text: &str| Value::Table(text.parse().unwrap());
        let was = of("a = 1\nb.c = [1, 2]\nb.d = 3\nold = 1");
        let same = difference("x", Some(&was), Some(&of("a = 1\nb.c = [1, 2]\nb.d = 3\nnew = 1")));
        assert_eq!(same, None);
        let other = difference("x", Some(&was), Some(&of("a = 1\nb.c = [1, 3]\nb.d = 4")));
        let expected = ["x.b.c", "[1, 2]", "[1, 3]"].map(str::to_owned);
        assert_eq!(other.map(<[String; 3]>::from), Some(expected));
    }

    #[test]
    fn tables_are_fixed_with_all_that_is_in_them() {
        assert!(is_fixed("seed") && is_fixed(" environment.name") && is_fixed("model"));
        assert!(!is_fixed("learn.iterations") && !is_fixed("seeds") && !is_fixed(""));
    }
}
