//! Errors of settings: where a setting was written, why it is refused, and the remedy.

use hgpo_train::config::ConfigError;
use toml::Table;

use crate::terminal::{program_command, quote_word};

/// A setting that cannot be used: where it was written, why, and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("cannot read the settings file `{path}`: {reason}{}", advice(path, reason))]
    Read {
        /// The file.
        path: String,
        /// Why.
        reason: std::io::Error,
    },
    /// No preset has this name.
    #[error("unknown preset `{name}`; choose from {known}")]
    Preset {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The text is not TOML.
    #[error("{origin}: invalid TOML: {message}; write `name = value`, with strings in quotes")]
    Syntax {
        /// Where.
        origin: String,
        /// What the parser says.
        message: String,
    },
    /// `--set` without `=`.
    #[error("--set {text}: write KEY=VALUE, for example --set estimator.alpha=1.0")]
    Assignment {
        /// What was written.
        text: String,
    },
    /// A setting is given two values.
    #[error("{second}: {first} gives the same setting another value; leave one of them out")]
    Twice {
        /// What came first.
        first: String,
        /// What contradicts it.
        second: String,
    },
    /// No setting has this name.
    #[error("{origin}: unknown field `{field}`; {advice}")]
    Unknown {
        /// Where.
        origin: String,
        /// What was written.
        field: String,
        /// The setting that was probably meant, or what there is.
        advice: String,
    },
    /// The settings have moved.
    #[error("{origin}: estimator settings have moved to [estimator]: {went}")]
    Moved {
        /// Where.
        origin: String,
        /// What every one of them is called now.
        went: String,
    },
    /// The setting belongs to another estimator.
    #[error(
        "{origin}: `{field}`: {estimator} does not have this option; leave it out. Available: {has}"
    )]
    Foreign {
        /// Where.
        origin: String,
        /// The setting.
        field: String,
        /// The estimator that was chosen.
        estimator: &'static str,
        /// Its options.
        has: String,
    },
    /// The value has the wrong type or range.
    #[error("{origin}: `{field}`: {message}; the default is `{default}`")]
    Value {
        /// Where.
        origin: String,
        /// The setting.
        field: String,
        /// Why it is refused.
        message: String,
        /// The default value, as an example.
        default: String,
    },
    /// The settings contradict each other.
    #[error("{origin}: {reason}")]
    Invalid {
        /// The layers read.
        origin: String,
        /// Why.
        reason: ConfigError,
    },
}

/// If there is no file, how to write one. One that cannot be read may be worth mending.
fn advice(path: &str, reason: &std::io::Error) -> String {
    if reason.kind() == std::io::ErrorKind::NotFound {
        format!("; `{} train --dry-run > {}` writes one", program_command(), quote_word(path))
    } else {
        String::new()
    }
}

/// What TOML cannot hold.
pub(crate) fn number_range() -> String {
    format!("out of range: integers go from {} to {}, other numbers to 1.8e308", i64::MIN, i64::MAX)
}

/// What no seed is.
pub(crate) fn seed_range() -> String {
    format!("out of range: seeds go from 0 to {}", i64::MAX)
}

/// Whether TOML was refused because of a number that it cannot hold.
pub(crate) fn is_out_of_range(message: &str) -> bool {
    ["value was too large", " as i128", " as u128", "floating-point number overflowed"]
        .iter()
        .any(|known| message.contains(known))
}

/// Why a value was refused that is no TOML, and a text only therefore: it holds a number that is too
/// large.
pub(crate) fn explain_out_of_range(assignment: &str, mut refused: SettingsError) -> SettingsError {
    let value = assignment.split_once('=').map_or("", |(_, value)| value.trim());
    let read = format!("v = {value}").parse::<Table>();
    if let SettingsError::Value { field, message, .. } = &mut refused
        && read.is_err_and(|error| is_out_of_range(error.message()))
    {
        let is_seed = matches!(field.rsplit('.').next(), Some("seed" | "seeds"));
        let range = if is_seed { seed_range() } else { number_range() };
        *message = format!("{value} is {range}");
    }
    refused
}
