//! Immutable settings of a run: those that the weights of a checkpoint were made with. All others may change when a run
//! is resumed.

use hgpo_study::settings::is_immutable;
use hgpo_train::config::Config;
use toml::{Table, Value};

use crate::run::{Checkpoint, RunError};

/// Checks settings against those that a checkpoint was made with, if it says so.
///
/// # Errors
/// Names the first fixed setting that is another one, and what it was.
pub fn check(checkpoint: &Checkpoint, now: &Config) -> Result<(), RunError> {
    let Some(was) = checkpoint.settings() else { return Ok(()) };
    let refused = |reason: String| RunError::Settings { path: checkpoint.path.clone(), reason };
    let was: Table = was.parse().map_err(|error: toml::de::Error| refused(error.to_string()))?;
    let now = Table::try_from(now).map_err(|error| refused(error.to_string()))?;
    let mut all = differences("", &Value::Table(was), &Value::Table(now)).into_iter();
    match all.find(|(setting, ..)| is_immutable(setting)) {
        Some((setting, was, now)) => Err(refused(format!("{setting} was {was} and is {now}"))),
        None => Ok(()),
    }
}

/// The settings that differ, with both of their values. If one of two tables lacks a setting, another version
/// wrote it, which is no change.
pub(crate) fn differences(name: &str, was: &Value, now: &Value) -> Vec<(String, Value, Value)> {
    match (was, now) {
        (Value::Table(was), Value::Table(now)) => {
            let below = |inner: &str| match name {
                "" => inner.to_owned(),
                name => format!("{name}.{inner}"),
            };
            let of = |(inner, was): (&String, &Value)| {
                now.get(inner).map(|now| differences(&below(inner), was, now)).unwrap_or_default()
            };
            was.iter().flat_map(of).collect()
        }
        (was, now) if was == now => Vec::new(),
        (was, now) => vec![(name.to_owned(), was.clone(), now.clone())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_with_both_values() {
        let of = |text: &str| Value::Table(text.parse().unwrap());
        let was = of("a = 1\nb.c = [1, 2]\nb.d = 3\nold = 1");
        let told = |now: &str| -> Vec<String> {
            let all = differences("", &was, &of(now)).into_iter();
            all.map(|(setting, was, now)| format!("{setting}: {was}, {now}")).collect()
        };
        assert_eq!(told("a = 1\nb.c = [1, 2]\nb.d = 3\nnew = 1"), <[&str; 0]>::default());
        assert_eq!(told("a = 1\nb.c = [1, 3]\nb.d = 4"), ["b.c: [1, 2], [1, 3]", "b.d: 3, 4"]);
    }
}
