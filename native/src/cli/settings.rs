//! The settings of a run, layer by layer: defaults, preset or file, `--set`, `--seed`.
//!
//! Every value is applied on its own, so that a refusal names the field, where it was written
//! and what to write instead; those of the estimator are applied together, layer by layer, since its
//! name says which of them there are.

use std::path::Path;

use hgpo_core::Error;
use hgpo_study::arms::set_twice;
use hgpo_train::config::Config;
use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::dotted::{fields, insert, lookup};
use super::estimator_layer::{Assignment, TABLE, lay};
use super::moved::moved;
use super::nearest::advice;
pub use super::settings_error::SettingsError;
use super::settings_error::{in_range, is_too_large, too_large, too_large_seed};

/// Settings under construction: the defaults and the layers laid over them.
#[derive(Clone, Debug)]
pub struct Settings {
    table: Table,
    origins: Vec<String>,
    dropped: Vec<String>,
}

impl Settings {
    /// The defaults.
    ///
    /// # Panics
    /// Never: the defaults are plain numbers, words and lists.
    #[must_use]
    pub fn defaults() -> Self {
        Self::from(&Config::default())
    }

    /// Lays the built-in preset `name` over the settings.
    ///
    /// # Errors
    /// No such preset, or one that the settings refuse.
    pub fn preset(&mut self, name: &str) -> Result<(), SettingsError> {
        let texts = super::presets::texts(name).ok_or_else(|| SettingsError::Preset {
            name: name.into(),
            known: super::presets::names().join(", "),
        })?;
        texts.iter().try_for_each(|text| self.document(&format!("preset {name}"), text))
    }

    /// Lays the TOML file at `path` over the settings.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML, or the settings refuse a field.
    pub fn file(&mut self, path: &Path) -> Result<(), SettingsError> {
        let shown = path.display().to_string();
        let text = hgpo_env::files::read_text(path)
            .map_err(|reason| SettingsError::Read { path: shown.clone(), reason })?;
        self.document(&shown, &text)
    }

    /// Lays `KEY=VALUE`s over the settings, which are one layer together; a value that is not TOML is
    /// taken as a string.
    ///
    /// # Errors
    /// No `=`, or the settings refuse a field or its value.
    pub fn set(&mut self, texts: &[impl AsRef<str>]) -> Result<(), SettingsError> {
        let mut of_estimator = Vec::new();
        for text in texts.iter().map(AsRef::as_ref) {
            let (field, value) = assignment(text)?;
            let origin = format!("--set {text}");
            let mut document = Table::new();
            insert(&mut document, field, value.clone());
            if let Some(went) = moved(&document) {
                return Err(SettingsError::Moved { origin, went });
            }
            if let Some(said) = Assignment::of(&origin, field, &value) {
                of_estimator.push(said);
            } else {
                let assigned = self.assign(&origin, field, value);
                assigned.map_err(|refused| in_range(text, refused))?;
            }
            self.origins.push(origin);
        }
        self.estimate_by(&of_estimator)
    }

    /// Lays values by their dotted names over the settings, which are one layer together; errors call it
    /// `origin`.
    ///
    /// # Errors
    /// The settings refuse a field or its value.
    pub fn values(&mut self, origin: &str, values: &Table) -> Result<(), SettingsError> {
        let mut of_estimator = Vec::new();
        for (field, value) in values {
            let mut document = Table::new();
            insert(&mut document, field, value.clone());
            if let Some(went) = moved(&document) {
                return Err(SettingsError::Moved { origin: origin.to_owned(), went });
            }
            match Assignment::of(origin, field, value) {
                Some(said) => of_estimator.push(said),
                None => self.assign(origin, field, value.clone())?,
            }
        }
        self.origins.push(origin.to_owned());
        self.estimate_by(&of_estimator)
    }

    /// Lays the language model of the command line over the settings.
    ///
    /// # Errors
    /// Never: every name is a text.
    pub fn model(&mut self, name: &str) -> Result<(), SettingsError> {
        let origin = format!("--model {name}");
        self.assign(&origin, "pretrained.model", Value::String(name.to_owned()))?;
        self.origins.push(origin);
        Ok(())
    }

    /// Lays the seed of the command line over the settings.
    ///
    /// # Errors
    /// The seed does not fit TOML's integers.
    pub fn seed(&mut self, seed: u64) -> Result<(), SettingsError> {
        let origin = format!("--seed {seed}");
        let value = i64::try_from(seed).map_err(|_| SettingsError::Value {
            origin: origin.clone(),
            field: "seed".into(),
            message: format!("{seed} is {}", too_large_seed()),
            default: Config::default().seed.to_string(),
        })?;
        self.assign(&origin, "seed", Value::Integer(value))?;
        self.origins.push(origin);
        Ok(())
    }

    /// Settings that change nothing, a sentence each: those that a later layer has made meaningless,
    /// and an option of the estimator that has no effect beside the others.
    ///
    /// # Errors
    /// The settings are no configuration.
    pub fn notes(&self) -> Result<Vec<String>, SettingsError> {
        let checked = self.read()?.estimator.check_effects();
        let idle = checked.err().map(|error| match error {
            Error::Option { option, problem } => format!("{TABLE}.{option} {problem}"),
            other => other.to_string(),
        });
        Ok(self.dropped.iter().cloned().chain(idle).collect())
    }

    /// The settings as a whole, checked against each other.
    ///
    /// # Errors
    /// Settings that contradict each other.
    pub fn resolve(self) -> Result<Config, SettingsError> {
        let config = self.read()?;
        let invalid = |reason| SettingsError::Invalid { origin: self.origins.join(", "), reason };
        config.validate().map_err(invalid)?;
        Ok(config)
    }

    fn read(&self) -> Result<Config, SettingsError> {
        Config::deserialize(self.table.clone()).map_err(|error| SettingsError::Syntax {
            origin: self.origins.join(", "),
            message: error.message().into(),
        })
    }

    /// Lays TOML that errors call `name` over the settings.
    ///
    /// # Errors
    /// It is not TOML, or the settings refuse a field.
    pub fn document(&mut self, name: &str, text: &str) -> Result<(), SettingsError> {
        let syntax = |error: toml::de::Error| SettingsError::Syntax {
            origin: error
                .span()
                .map_or_else(|| name.to_owned(), |span| place(name, text, span.start)),
            message: match error.message() {
                message if is_too_large(message) => format!("a number is {}", too_large()),
                message => message.replace('\n', " "),
            },
        };
        let spans = DeTable::parse(text).map_err(syntax)?;
        let values = text.parse::<Table>().map_err(syntax)?;
        if let Some(went) = moved(&values) {
            return Err(SettingsError::Moved { origin: name.to_owned(), went });
        }
        if let Some(twice) = set_twice(&values) {
            let (first, second) = (format!("`{twice}`"), name.to_owned());
            return Err(SettingsError::Twice { first, second });
        }
        let origin = |offset| place(name, text, offset);
        let mut of_estimator = Vec::new();
        self.table_at(&origin, "", spans.get_ref(), values, &mut of_estimator)?;
        self.origins.push(name.to_owned());
        self.estimate_by(&of_estimator)
    }

    /// Lays what a layer says of the estimator over the settings.
    fn estimate_by(&mut self, layer: &[Assignment]) -> Result<(), SettingsError> {
        if layer.is_empty() {
            return Ok(());
        }
        let mut config = self.read()?;
        let (estimator, dropped) = lay(&config.estimator, layer)?;
        config.estimator = estimator;
        self.table = Self::from(&config).table;
        self.dropped.extend(dropped);
        Ok(())
    }

    /// Applies every leaf of a parsed table but those of the estimator, which it collects; `origin`
    /// turns a byte offset into a place.
    fn table_at(
        &mut self,
        origin: &dyn Fn(usize) -> String,
        prefix: &str,
        spans: &DeTable<'_>,
        mut values: Table,
        of_estimator: &mut Vec<Assignment>,
    ) -> Result<(), SettingsError> {
        for (key, span) in spans {
            let Some(value) = values.remove(key.get_ref().as_ref()) else {
                continue;
            };
            let path = match prefix {
                "" => key.get_ref().to_string(),
                _ => format!("{prefix}.{}", key.get_ref()),
            };
            match (span.get_ref(), value) {
                (DeValue::Table(inner), Value::Table(table)) => {
                    self.table_at(origin, &path, inner, table, of_estimator)?;
                }
                (_, value) => {
                    let origin = origin(start(key));
                    match Assignment::of(&origin, &path, &value) {
                        Some(said) => of_estimator.push(said),
                        None => self.assign(&origin, &path, value)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, origin: &str, field: &str, value: Value) -> Result<(), SettingsError> {
        let refused = |message: String| {
            let default = lookup(&self.table, field).map(ToString::to_string);
            match default {
                Some(default) if !message.starts_with("unknown field") => SettingsError::Value {
                    origin: origin.into(),
                    field: field.into(),
                    message,
                    default,
                },
                _ => SettingsError::Unknown {
                    origin: origin.into(),
                    field: field.into(),
                    advice: advice(field, &fields(&Self::defaults().table)),
                },
            }
        };
        if value.as_float().is_some_and(|number| !number.is_finite()) {
            return Err(refused(format!("{value} is not a finite number")));
        }
        let mut table = self.table.clone();
        if !insert(&mut table, field, value) {
            return Err(refused("unknown field".into()));
        }
        Config::deserialize(table.clone()).map_err(|error| refused(error.message().into()))?;
        self.table = table;
        Ok(())
    }
}

impl From<&Config> for Settings {
    fn from(config: &Config) -> Self {
        let table = Table::try_from(config).expect("settings are plain TOML values");
        Self { table, origins: Vec::new(), dropped: Vec::new() }
    }
}

/// The two sides of `KEY=VALUE`.
pub(super) fn assignment(text: &str) -> Result<(&str, Value), SettingsError> {
    let malformed = || SettingsError::Assignment { text: text.into() };
    let (field, value) = text.split_once('=').ok_or_else(malformed)?;
    let (field, value) = (field.trim(), value.trim());
    if field.is_empty() {
        return Err(malformed());
    }
    let value = format!("v = {value}")
        .parse::<Table>()
        .ok()
        .and_then(|mut table| table.remove("v").filter(|_| table.is_empty()))
        .unwrap_or_else(|| Value::String(value.into()));
    Ok((field, value))
}

/// Refuses a short form such as `--seed 3` beside a `--set` that gives its setting another value: which of them counts
/// does not follow from their order.
///
/// # Errors
/// Names both.
pub(super) fn refuse_contradiction(
    set: &[String],
    (flag, field): (&str, &str),
    value: &Value,
) -> Result<(), SettingsError> {
    for text in set {
        let (other_field, other) = assignment(text)?;
        if other_field == field && other != *value {
            let (first, second) = (format!("{flag} {value}"), format!("--set {text}"));
            return Err(SettingsError::Twice { first, second });
        }
    }
    Ok(())
}

fn start<T>(span: &Spanned<T>) -> usize {
    span.span().start
}

fn place(name: &str, text: &str, offset: usize) -> String {
    let line = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
    format!("{name}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_preset_holds_every_default() {
        let mut settings = Settings::defaults();
        settings.preset("chores").unwrap();
        assert_eq!(settings.resolve().unwrap(), Config::default());
        let text = super::super::presets::texts("chores").unwrap()[0];
        assert!(hgpo_env::registry::entries().all(|it| text.contains(&format!("`{}`", it.name))));
        let documented = fields(&text.parse().unwrap());
        assert_eq!(documented, fields(&Settings::defaults().table));
    }

    #[test]
    fn every_preset_resolves() {
        for name in super::super::presets::names() {
            let mut settings = Settings::defaults();
            settings.preset(&name).unwrap();
            settings.resolve().unwrap();
        }
    }

    #[test]
    fn later_layers_win_and_bare_words_are_strings() {
        let mut settings = Settings::defaults();
        settings.set(&["estimator.alpha = 3"]).unwrap();
        settings.set(&["estimator.alpha=4", "estimator.history=summary"]).unwrap();
        settings.set(&["evaluation.seeds=[1, 2]", "pretrained.prompt=reasoning"]).unwrap();
        settings.seed(9).unwrap();
        let config = settings.resolve().unwrap();
        assert_eq!(config.estimator.get("alpha"), Some(4.0.into()));
        assert_eq!(config.estimator.get("history"), Some("summary".into()));
        assert_eq!(config.pretrained.prompt, "reasoning");
        assert_eq!(config.evaluation.seeds, [1, 2]);
        assert_eq!(config.seed, 9);
    }

    #[test]
    fn a_refused_value_changes_nothing() {
        let mut settings = Settings::defaults();
        for text in [
            "learn=1",
            "learn.discount.x=1",
            "estimator.alpha.x=1",
            "estimator.alpha={a=1}",
            "estimator=1",
            "estimator={name=1}",
            "rollout.tasks=1.5",
            "=1",
        ] {
            assert!(settings.set(&[text]).is_err(), "{text}");
        }
        assert_eq!(settings.resolve().unwrap(), Config::default());
    }
}
