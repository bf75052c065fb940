//! Layers of settings: defaults, preset or file, `--set`, `--seed`.
//!
//! Every value is applied on its own, so that a refusal names the field, where it was written
//! and what to write instead; those of the estimator are applied together, layer by layer, since its
//! name says which of them there are.

use std::path::Path;

use hgpo_study::settings::setting_given_twice;
use hgpo_train::config::Config;
use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::error::{
    SettingsError, explain_out_of_range, is_out_of_range, number_range, seed_range,
};
use super::estimator_layer::{Assignment, apply_layer};
use super::keys::{insert, leaf_names, lookup, nested, parse_assignment, refuse_renamed};
use super::suggestion::suggest;

/// Settings under construction: the defaults and the layers laid over them.
#[derive(Clone, Debug)]
pub struct SettingsLayers {
    table: Table,
    origins: Vec<String>,
    dropped: Vec<String>,
}

impl SettingsLayers {
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
    pub fn apply_preset(&mut self, name: &str) -> Result<(), SettingsError> {
        let texts = super::presets::texts(name).ok_or_else(|| SettingsError::Preset {
            name: name.into(),
            known: super::presets::names().join(", "),
        })?;
        texts.iter().try_for_each(|text| self.apply_document(&format!("preset {name}"), text))
    }

    /// Lays the TOML file at `path` over the settings.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML, or the settings refuse a field.
    pub fn apply_file(&mut self, path: &Path) -> Result<(), SettingsError> {
        let shown = path.display().to_string();
        let text = hgpo_env::files::read_text(path)
            .map_err(|reason| SettingsError::Read { path: shown.clone(), reason })?;
        self.apply_document(&shown, &text)
    }

    /// Lays `KEY=VALUE`s over the settings, which are one layer together; a value that is not TOML is
    /// taken as a string.
    ///
    /// # Errors
    /// No `=`, or the settings refuse a field or its value.
    pub fn apply_assignments(&mut self, texts: &[impl AsRef<str>]) -> Result<(), SettingsError> {
        let mut of_estimator = Vec::new();
        for text in texts.iter().map(AsRef::as_ref) {
            let (field, value) = parse_assignment(text)?;
            let origin = format!("--set {text}");
            refuse_renamed(&origin, &nested(field, value.clone()))?;
            self.apply_leaf(&origin, field, value, &mut of_estimator)
                .map_err(|refused| explain_out_of_range(text, refused))?;
            self.origins.push(origin);
        }
        self.apply_estimator(&of_estimator)
    }

    /// Lays values by their dotted names over the settings, which are one layer together; errors call it
    /// `origin`.
    ///
    /// # Errors
    /// The settings refuse a field or its value.
    pub fn apply_values(&mut self, origin: &str, values: &Table) -> Result<(), SettingsError> {
        let mut of_estimator = Vec::new();
        for (field, value) in values {
            refuse_renamed(origin, &nested(field, value.clone()))?;
            self.apply_leaf(origin, field, value.clone(), &mut of_estimator)?;
        }
        self.origins.push(origin.to_owned());
        self.apply_estimator(&of_estimator)
    }

    /// Lays the language model of the command line over the settings.
    ///
    /// # Errors
    /// Never: every name is a text.
    pub fn apply_model(&mut self, name: &str) -> Result<(), SettingsError> {
        let value = [("pretrained.model".to_owned(), name.into())];
        self.apply_values(&format!("--model {name}"), &Table::from_iter(value))
    }

    /// Lays the seed of the command line over the settings.
    ///
    /// # Errors
    /// The seed does not fit TOML's integers.
    pub fn apply_seed(&mut self, seed: u64) -> Result<(), SettingsError> {
        let origin = format!("--seed {seed}");
        let value = i64::try_from(seed).map_err(|_| SettingsError::Value {
            origin: origin.clone(),
            field: "seed".into(),
            message: format!("{seed} is {}", seed_range()),
            default: Config::default().seed.to_string(),
        })?;
        self.apply_values(&origin, &Table::from_iter([("seed".to_owned(), value.into())]))
    }

    /// Settings that change nothing, a sentence each: those that a later layer has made meaningless,
    /// and an option of the estimator that has no effect beside the others.
    ///
    /// # Errors
    /// The settings are no configuration.
    pub fn notes(&self) -> Result<Vec<String>, SettingsError> {
        Ok(self.dropped.iter().cloned().chain(self.read()?.without_effect()).collect())
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
    pub fn apply_document(&mut self, name: &str, text: &str) -> Result<(), SettingsError> {
        let origin = |offset| line_position(name, text, offset);
        let syntax = |error: toml::de::Error| SettingsError::Syntax {
            origin: error.span().map_or_else(|| name.to_owned(), |span| origin(span.start)),
            message: match error.message() {
                message if is_out_of_range(message) => format!("a number is {}", number_range()),
                message => message.replace('\n', " "),
            },
        };
        let spans = DeTable::parse(text).map_err(syntax)?;
        let values = text.parse::<Table>().map_err(syntax)?;
        refuse_renamed(name, &values)?;
        if let Some(twice) = setting_given_twice(&values) {
            let (first, second) = (format!("`{twice}`"), name.to_owned());
            return Err(SettingsError::Twice { first, second });
        }
        let mut of_estimator = Vec::new();
        for (place, field, value) in leaves("", spans.get_ref(), values) {
            self.apply_leaf(&origin(place), &field, value, &mut of_estimator)?;
        }
        self.origins.push(name.to_owned());
        self.apply_estimator(&of_estimator)
    }

    /// Lays what a layer says of the estimator over the settings.
    fn apply_estimator(&mut self, layer: &[Assignment]) -> Result<(), SettingsError> {
        if layer.is_empty() {
            return Ok(());
        }
        let mut config = self.read()?;
        let (estimator, dropped) = apply_layer(&config.estimator, layer)?;
        config.estimator = estimator;
        self.table = Self::from(&config).table;
        self.dropped.extend(dropped);
        Ok(())
    }

    /// Applies a value, or collects it if it is the estimator's.
    fn apply_leaf(
        &mut self,
        origin: &str,
        field: &str,
        value: Value,
        of_estimator: &mut Vec<Assignment>,
    ) -> Result<(), SettingsError> {
        if let Some(said) = Assignment::of(origin, field, &value) {
            of_estimator.push(said);
            return Ok(());
        }
        let refused = |message: String| {
            // What is declared names its option, which is said before.
            let name = field.rsplit('.').next().unwrap_or(field);
            let own = message.strip_prefix(&format!("option {name}: ")).map(str::to_owned);
            let message = own.unwrap_or(message);
            let (origin, field) = (origin.to_owned(), field.to_owned());
            let of_agent = agent_setting(&field);
            let default = of_agent.as_ref().and_then(|(_, default)| default.map(str::to_owned));
            match lookup(&self.table, &field).map(ToString::to_string).or(default) {
                Some(default) if !message.starts_with("unknown field") => {
                    SettingsError::Value { origin, field, message, default }
                }
                _ => {
                    let mut names = leaf_names(&Self::defaults().table);
                    names.extend(of_agent.into_iter().flat_map(|(names, _)| names));
                    let advice = suggest(&field, &names);
                    SettingsError::Unknown { origin, field, advice }
                }
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

/// Of a setting of an agent, those that it has, and the default of this one: no agent has settings by default, so that
/// the defaults do not have their names.
fn agent_setting(field: &str) -> Option<([String; 2], Option<&'static str>)> {
    const DEFAULTS: [(&str, &str); 2] =
        [("policy", "\"shared\""), ("learning_rate", "that of learn.learning_rate")];
    let (agent, name) = field.strip_prefix("agents.")?.rsplit_once('.')?;
    let default = DEFAULTS.iter().find(|(known, _)| *known == name).map(|(_, default)| *default);
    Some((DEFAULTS.map(|(known, _)| format!("agents.{agent}.{known}")), default))
}

impl From<&Config> for SettingsLayers {
    fn from(config: &Config) -> Self {
        let table = Table::try_from(config).expect("settings are plain TOML values");
        Self { table, origins: Vec::new(), dropped: Vec::new() }
    }
}

/// Every leaf of a parsed table: its place in the text, in bytes, its dotted name and its value.
fn leaves(prefix: &str, spans: &DeTable<'_>, mut values: Table) -> Vec<(usize, String, Value)> {
    let mut all = Vec::new();
    for (key, span) in spans {
        let name = key.get_ref();
        let Some(value) = values.remove(name.as_ref()) else { continue };
        let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
        match (span.get_ref(), value) {
            (DeValue::Table(inner), Value::Table(table)) => all.extend(leaves(&path, inner, table)),
            (_, value) => all.push((key.span().start, path, value)),
        }
    }
    all
}

fn line_position(name: &str, text: &str, offset: usize) -> String {
    let line = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
    format!("{name}:{line}")
}

#[cfg(test)]
mod tests {
    use hgpo_core::Objective;

    use super::*;

    #[test]
    fn documented_preset_has_every_default() {
        let mut settings = SettingsLayers::defaults();
        settings.apply_preset("chores").unwrap();
        assert_eq!(settings.resolve().unwrap(), Config::default());
        let text = crate::settings::presets::texts("chores").unwrap()[0];
        assert!(hgpo_env::registry::entries().all(|it| text.contains(&format!("`{}`", it.name))));
        let documented = leaf_names(&text.parse().unwrap());
        assert_eq!(documented, leaf_names(&SettingsLayers::defaults().table));
    }

    #[test]
    fn options_of_the_objective_are_documented_as_they_are_declared() {
        let text = crate::settings::presets::texts("chores").unwrap()[0].replace("\n# ", " ");
        for (of, about) in Objective::declarations().iter().zip(Objective::about()) {
            let documented = format!("# {}.\n{} = ", about.meaning, of.name);
            let spaced = documented.replacen("# ", " ", 1);
            assert!(
                text.contains(&documented) || text.contains(&spaced),
                "chores.toml lacks: {documented}"
            );
        }
    }

    #[test]
    fn settings_of_agents_are_refused_by_their_names() {
        let refused = |text: &str| {
            SettingsLayers::defaults().apply_assignments(&[text]).unwrap_err().to_string()
        };
        let policy = refused("agents.solver.policy=mine");
        assert!(policy.contains("unknown variant `mine`") && policy.contains("shared"), "{policy}");
        let rate = refused("agents.solver.rate=1");
        assert!(rate.contains("did you mean `agents.solver.learning_rate`"), "{rate}");
        let mut settings = SettingsLayers::defaults();
        settings.apply_assignments(&["agents.solver.policy=own"]).unwrap();
        assert_eq!(settings.resolve().unwrap().most_policies(), 2);
    }

    #[test]
    fn every_preset_resolves() {
        for name in crate::settings::presets::names() {
            let mut settings = SettingsLayers::defaults();
            settings.apply_preset(&name).unwrap();
            settings.resolve().unwrap();
        }
    }

    #[test]
    fn later_layers_win_and_bare_words_are_strings() {
        let mut settings = SettingsLayers::defaults();
        settings.apply_assignments(&["estimator.alpha = 3"]).unwrap();
        settings.apply_assignments(&["estimator.alpha=4", "estimator.history=summary"]).unwrap();
        settings
            .apply_assignments(&["evaluation.seeds=[1, 2]", "pretrained.prompt=reasoning"])
            .unwrap();
        settings.apply_seed(9).unwrap();
        let config = settings.resolve().unwrap();
        assert_eq!(config.estimator.get("alpha"), Some(4.0.into()));
        assert_eq!(config.estimator.get("history"), Some("summary".into()));
        assert_eq!(config.pretrained.prompt, "reasoning");
        assert_eq!(config.evaluation.seeds, [1, 2]);
        assert_eq!(config.seed, 9);
    }

    #[test]
    fn refused_values_change_nothing() {
        let mut settings = SettingsLayers::defaults();
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
            assert!(settings.apply_assignments(&[text]).is_err(), "{text}");
        }
        assert_eq!(settings.resolve().unwrap(), Config::default());
    }
}
