//! Run names, which say how a run differs from others.

use hgpo_core::Estimator;
use hgpo_train::config::{Config, RolloutConfig};
use serde_json::Value;

/// Options by which runs are told apart, if a value is not the estimator's default: the option, and the word
/// before the value in a name.
const TOLD_APART: [(&str, &str); 3] =
    [("context_length", "k"), ("alpha", "alpha"), ("base_group", "base-group")];

/// The name of a run that is given none: `<environment>-<estimator>-seed<seed>`, with K, α, the base group
/// and the agent's memory in front of the seed if they are not the usual ones, as in
/// `alfworld-hgpo-k4-alpha0-seed1`.
pub(crate) fn run_name(config: &Config) -> String {
    let estimator = &config.estimator;
    let mut parts = vec![config.environment.name.clone(), estimator.name().to_owned()];
    let usual = Estimator::default_named(estimator.name()).ok();
    for (option, word) in TOLD_APART {
        let value = estimator.get(option);
        if value != usual.as_ref().and_then(|usual| usual.get(option)) {
            parts.extend(value.and_then(|value| part(word, &value)));
        }
    }
    let (memory, context) = (config.rollout.history_length, compared(estimator));
    let expected = match context {
        Some(context) if usual.as_ref().and_then(compared) != Some(context) => context,
        _ => RolloutConfig::default().history_length,
    };
    if memory != expected {
        parts.push(format!("memory{memory}"));
    }
    parts.push(format!("seed{}", config.seed));
    parts.join("-")
}

/// Whether a run can be called so.
pub(crate) fn is_name(name: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.+=,@%".contains(it);
    !name.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(is_plain)
}

/// A name, and those that are tried if it is taken: `NAME`, `NAME-2`, `NAME-3`, ….
pub(crate) fn numbered_names(name: &str) -> impl Iterator<Item = String> {
    let others = (2..=u32::MAX).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(others)
}

/// A part of a name: a word, and its value unless that is a mere yes.
fn part(word: &str, value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some(word.to_owned()),
        // Without the zero of 2.0.
        value => value.as_f64().map(|number| format!("{word}{number}")),
    }
}

/// If the agent remembers another number of steps than the estimator compares states: both. The two are
/// told apart by nothing else, as both are called K.
pub(crate) fn memory_and_context(config: &Config) -> Option<String> {
    let (memory, context) = (config.rollout.history_length, compared(&config.estimator)?);
    (memory != context).then(|| {
        format!(
            "the agent remembers {memory} steps (rollout.history_length); the estimator compares \
             contexts of up to {context} earlier states (K, estimator.context_length)"
        )
    })
}

/// The K of the estimator, if it has one of its own.
fn compared(estimator: &Estimator) -> Option<usize> {
    let context = estimator.get("context_length")?.as_u64()?;
    usize::try_from(context).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(settings: &[(&str, Value)], memory: usize) -> Config {
        let mut config = Config::default();
        for (option, value) in settings {
            config.estimator.set(option, value.clone()).unwrap();
        }
        config.rollout.history_length = memory;
        config
    }

    #[test]
    fn run_names_have_the_settings_that_are_not_default() {
        let name = |settings: &[(&str, Value)], memory| run_name(&config(settings, memory));
        assert_eq!(name(&[], 2), "chores-hgpo-seed1");
        let k4 = ("context_length", Value::from(4));
        assert_eq!(name(std::slice::from_ref(&k4), 4), "chores-hgpo-k4-seed1");
        assert_eq!(name(&[k4], 2), "chores-hgpo-k4-memory2-seed1");
        assert_eq!(name(&[("alpha", 0.5.into())], 2), "chores-hgpo-alpha0.5-seed1");
        assert_eq!(name(&[("alpha", 2.0.into())], 2), "chores-hgpo-alpha2-seed1");
        let base = [("weights", "verl".into()), ("base_group", true.into())];
        assert_eq!(name(&base, 2), "chores-hgpo-base-group-seed1");
        // An estimator without a K: the name has the memory if it is not the default run's.
        let mut gigpo = config(&[], 4);
        gigpo.estimator = Estimator::default_named("gigpo").unwrap();
        assert_eq!(run_name(&gigpo), "chores-gigpo-memory4-seed1");
        gigpo.rollout.history_length = 2;
        assert_eq!(run_name(&gigpo), "chores-gigpo-seed1");
        // One whose own K is 0.
        gigpo.estimator = Estimator::default_named("crbc").unwrap();
        assert_eq!(run_name(&gigpo), "chores-crbc-seed1");
    }

    #[test]
    fn memory_and_context_are_described_if_they_differ() {
        assert_eq!(memory_and_context(&config(&[], 2)), None);
        let told = memory_and_context(&config(&[], 4)).unwrap();
        assert!(told.contains("remembers 4 steps") && told.contains("up to 2 earlier"), "{told}");
    }
}
