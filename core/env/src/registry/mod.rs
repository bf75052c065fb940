//! Environment registry: one entry each, from which settings, training, playing by hand, generated
//! files and help follow.

mod entry;
pub(crate) mod table;

pub use self::entry::{
    Data, Entry, Flag, GameFile, Generate, GeneratedFile, Generation, OpenedGame, Opening,
    PanelEntry, Preset, Prompt,
};
pub use self::table::{Table, TableEntry};

use std::sync::Arc;

use crate::files::Files;
use crate::{EnvError, EnvironmentConfig, SettingError, Suite};

/// The environments of this build, in the order of the documentation.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    crate::ENVIRONMENTS.iter().copied()
}

/// The environment of this name.
///
/// # Errors
/// Names those that there are.
pub fn entry(name: &str) -> Result<&'static Entry, SettingError> {
    entries().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<&str> = entries().map(|entry| entry.name).collect();
        let reason = format!("unknown environment '{name}'; choose from {}", known.join(", "));
        SettingError::new("name", &reason)
    })
}

/// The suite that settings describe. `files` is what the variable of the environment's
/// [`Entry::data`] names, if it is set.
///
/// # Errors
/// When the name is unknown, a setting does not make sense, or data is missing or broken.
pub fn suite(
    config: &EnvironmentConfig,
    files: Option<Arc<dyn Files>>,
) -> Result<Arc<dyn Suite>, EnvError> {
    config.validate()?;
    let entry = entry(&config.name)?;
    (entry.open)(&Opening { entry, config, files })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Split;

    #[test]
    fn names_of_environments_tables_and_presets_are_told_apart() {
        let unique = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.windows(2).all(|pair| pair[0] != pair[1])
        };
        assert!(unique(entries().map(|entry| entry.name).collect()));
        assert!(unique(entries().filter_map(|entry| Some(entry.table?.name)).collect()));
        assert!(unique(entries().flat_map(|entry| entry.presets).map(|it| it.name).collect()));
        let generated = entries().filter_map(|entry| Some(entry.generation.as_ref()?.name));
        assert!(unique(generated.collect()));
    }

    #[test]
    fn every_environment_is_a_default_feature() {
        let manifest: toml::Table = include_str!("../../Cargo.toml").parse().unwrap();
        let default = manifest["features"]["default"].as_array().unwrap();
        let modules = include_str!("../lib.rs").split("feature = \"").skip(1);
        for feature in modules.filter_map(|it| it.split('"').next()) {
            let is_default = default.iter().any(|it| it.as_str() == Some(feature));
            assert!(is_default, "Cargo.toml: '{feature}' is not among the default features");
        }
    }

    #[test]
    fn every_environment_is_in_the_documentation() {
        let documentation = include_str!("../../../../docs/environments.md");
        for Entry { name, .. } in entries() {
            let is_listed = documentation.contains(&format!("\n| `{name}` |"));
            assert!(is_listed, "docs/environments.md: no row of its table begins with `{name}`");
            let mut texts = documentation.lines().filter(|line| !line.starts_with('|'));
            let is_described = texts.any(|line| line.contains(name));
            assert!(is_described, "docs/environments.md: no section says what `{name}` is");
        }
    }

    #[test]
    fn every_environment_that_needs_no_data_starts_and_says_what_it_is() {
        for entry in entries().filter(|entry| entry.data.is_none()) {
            let config = EnvironmentConfig {
                name: entry.name.to_owned(),
                max_steps: entry.max_steps,
                ..EnvironmentConfig::default()
            };
            let suite = suite(&config, None).unwrap();
            assert_eq!((suite.name(), suite.max_steps()), (entry.name, entry.max_steps));
            for &(split, meaning) in entry.splits {
                assert!(!meaning.is_empty() && !entry.summary.is_empty());
                let episode = suite.start(split, 3).unwrap();
                let now = episode.observe();
                assert!(!episode.instruction().is_empty() && !now.actions.is_empty());
                assert_eq!(now.agent.is_some(), !suite.agents().is_empty());
                assert_eq!(now.embedding.is_some(), suite.gives_embeddings());
            }
        }
    }

    #[test]
    fn data_that_is_not_named_and_names_that_are_not_known_are_told() {
        for entry in entries() {
            let Some(data) = &entry.data else { continue };
            let config =
                EnvironmentConfig { name: entry.name.to_owned(), ..EnvironmentConfig::default() };
            let error = suite(&config, None).err().unwrap().to_string();
            assert!(error.contains(entry.name) && error.contains(data.variable), "{error}");
        }
        let error = entry("moon").unwrap_err().to_string();
        assert!(entries().all(|entry| error.contains(entry.name)), "{error}");
        assert_eq!(Split::ALL.map(Split::name), ["train", "seen", "unseen"]);
    }
}
