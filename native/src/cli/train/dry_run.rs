//! `hgpo train --dry-run`: the settings of a run, and what it will take.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_train::config::{Config, PolicyKind};
use hgpo_train::memory::PolicySize;

use super::{measured_time, run_size, time_forecast};
use crate::device::{self, DeviceChoice, Workload};
use crate::run::environment::{ExternalSource, entry, training_suite};
use crate::run::machine::memory_check;
use crate::run::policy::learner;
use crate::run::storage::run_names::memory_and_context;
use crate::run::{Display, Threads};
use crate::terminal::escape_control_characters;

/// Prints the settings, and as comments what the run will take. Nothing is written, no weights are read, and
/// of a language model in an environment whose data is not here, everything that can be known without it is printed.
pub(crate) fn run(
    config: &Config,
    runs: &Path,
    (choice, threads): (DeviceChoice, &Threads),
    external: &ExternalSource,
) -> anyhow::Result<()> {
    let found = open_suite(config, external)?;
    let (suite, missing) = (found.as_ref().ok(), found.as_ref().err());
    let size = learner::policy_size(config, suite.map(|suite| &**suite), &Display::new())?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}\n{}", toml::to_string(config)?, run_size::describe(config, &size))?;
    let device = device::plan(choice, Workload::run(config, threads.count()))?;
    let threads = threads.on(device.adapter.as_ref());
    let mut line =
        |name: &str, value: &str| writeln!(out, "# {name:<28}{}", escape_control_characters(value));
    line("device", &device.reason)?;
    let time = measured_time::describe(config, runs, &device).or_else(|| {
        let size = size.as_ref().ok().filter(|_| !config.pretrained.model.is_empty())?;
        time_forecast::describe(config, size, choice, &threads)
    });
    let unknown = || {
        let runs = runs.display();
        format!("not known: no finished run in {runs} does the same work on this device")
    };
    line("time", &time.unwrap_or_else(unknown))?;
    if let Some(apart) = memory_and_context(config) {
        line("memory and context", &apart)?;
    }
    if let Some(missing) = missing {
        line("environment", missing)?;
    }
    // Of a policy of unknown size, what is played counts.
    let memory = size.as_ref().unwrap_or(&PolicySize::table()).memory(config);
    match memory_check::check_estimate(&memory, device.adapter.is_some(), threads.count()) {
        Err(error) => writeln!(out, "# {}", escape_control_characters(&error.to_string()))?,
        Ok(Some(tight)) => writeln!(out, "# warning: {tight}")?,
        Ok(None) => {}
    }
    Ok(out.flush()?)
}

/// What a run learns in; if a language model's data is not here, why it cannot be trained yet.
fn open_suite(
    config: &Config,
    external: &ExternalSource,
) -> anyhow::Result<Result<Arc<dyn Suite>, String>> {
    let is_model = config.policy.kind == PolicyKind::Decoder && !config.pretrained.model.is_empty();
    // An environment that there is not is refused with the setting's name, below.
    let data = entry(&config.environment.name).ok().and_then(|entry| entry.data);
    match data {
        Some(data) if is_model && std::env::var_os(data.variable).is_none() => {
            let missing = format!(
                "cannot be trained yet: {} is not set; it must name the folder of {}; {}",
                data.variable, data.what, data.remedy
            );
            Ok(Err(missing))
        }
        _ => Ok(Ok(training_suite(config, external)?.0)),
    }
}
