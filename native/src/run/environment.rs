//! What an agent acts in, with the data that this takes from the machine.

use std::sync::Arc;

use hgpo_env::files::{Files, Folder};
use hgpo_env::registry::entry;
use hgpo_env::{EnvError, EnvironmentConfig, Suite};

/// The suite that a configuration names, reading the folder that its variable names.
///
/// # Errors
/// When the name is unknown, a setting does not make sense, or the data is missing or broken.
pub fn suite(config: &EnvironmentConfig) -> Result<Arc<dyn Suite>, EnvError> {
    let root = entry(&config.name)?.data.and_then(|data| std::env::var_os(data.variable));
    let files = root.map(|root| Arc::new(Folder::new(root)) as Arc<dyn Files>);
    hgpo_env::suite(config, files)
}
