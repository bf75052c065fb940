//! Settings of a trainer, by layers.

use std::path::PathBuf;

use hgpo_native::run::external_environment::NAME;
use hgpo_native::settings::SettingsLayers;
use hgpo_train::config::Config;

/// What a trainer is asked for.
pub(crate) struct AskedSettings {
    pub(crate) preset: Option<String>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) set: Vec<String>,
    pub(crate) seed: Option<u64>,
    /// Whether Python plays the environment.
    pub(crate) is_external: bool,
}

impl AskedSettings {
    /// All settings.
    ///
    /// # Errors
    /// One that does not make sense.
    pub(crate) fn resolve(self) -> anyhow::Result<Config> {
        let mut settings = SettingsLayers::defaults();
        let is_model = self.set.iter().any(|text| text.starts_with("pretrained.model="));
        let is_plain = self.is_external && self.config.is_none() && !is_model;
        let own = is_plain.then(|| NAME.to_owned());
        if let Some(preset) = self.preset.or(own) {
            settings.apply_preset(&preset)?;
        }
        if let Some(file) = self.config {
            settings.apply_file(&file)?;
        }
        if self.is_external {
            settings.apply_assignments(&[format!("environment.name={NAME}")])?;
        }
        settings.apply_assignments(&self.set)?;
        if let Some(seed) = self.seed {
            settings.apply_seed(seed)?;
        }
        Ok(settings.resolve()?)
    }
}
