//! Run settings, as the folder of a run has them.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context as _;
use hgpo_train::config::Config;

use super::run_directory::RunDirectory;
use crate::run::checkpoint::checkpoints::{Checkpoint, Checkpoints};
use crate::settings::{SettingsError, SettingsLayers};
use crate::terminal::quote_path;

/// Reads the settings of a run.
///
/// # Errors
/// They cannot be read, or contradict each other.
pub fn read_settings(directory: &RunDirectory) -> anyhow::Result<Config> {
    read_settings_layers(directory)?.resolve().context("the settings of the run")
}

/// Reads the settings of a run as layers: what its file lacks, because it was cut short or lost, is what it was when the
/// newest checkpoint was made.
///
/// # Errors
/// They cannot be read.
pub fn read_settings_layers(directory: &RunDirectory) -> anyhow::Result<SettingsLayers> {
    let mut settings = SettingsLayers::defaults();
    let config = directory.config();
    let newest = Checkpoints::new(directory.checkpoints(), 1).newest()?;
    let kept = newest.and_then(|checkpoint| {
        let name = checkpoint.path.join(Checkpoint::SETTINGS).display().to_string();
        Some((name, checkpoint.settings()?))
    });
    if let Some((name, text)) = &kept {
        settings.apply_document(name, text)?;
    }
    match (settings.apply_file(&config), &kept) {
        (Err(SettingsError::Read { reason, .. }), Some(_))
            if reason.kind() == ErrorKind::NotFound => {}
        (Err(error), Some((name, _))) => {
            anyhow::bail!(
                "{error}; to restore the settings of the newest checkpoint: cp {} {}",
                quote_path(Path::new(name)),
                quote_path(&config)
            )
        }
        (read, _) => read?,
    }
    Ok(settings)
}
