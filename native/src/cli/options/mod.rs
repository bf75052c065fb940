//! Options that several commands share, and how their values are parsed.

pub(super) mod estimator;
pub(super) mod estimator_flags;
pub(super) mod language_model;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use hgpo_train::config::Range;
use serde_json::Value;

use crate::device::DeviceChoice;
use crate::run::checkpoint::restored_policy::{CheckpointChoice, PlayOptions};
use crate::run::external_environment::{CommandLine, Connector, ExternalOptions, NAME, Server};
use crate::run::{RunDirectory, RunError};
use crate::terminal::quote_word;

/// How long an answer of an environment may take, in seconds.
const DEFAULT_ANSWER_TIME: u32 = 60;
/// Worker threads, at most.
const MOST_THREADS: usize = 4096;

// Clap would take a documentation comment for that of the command.
#[derive(Debug, Args)]
pub(super) struct MachineOptions {
    #[arg(long, default_value_t, help = DeviceChoice::HELP)]
    pub(super) device: DeviceChoice,
    /// Worker threads [default: one per CPU; on a GPU, one]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<NonZero<usize>>,
}

// The same holds here.
#[derive(Debug, Args)]
#[command(next_help_heading = "Environment of your own")]
pub(super) struct EnvironmentOptions {
    /// Program that plays episodes, for example 'python my_env.py', in environment.name=external; no shell runs it
    /// (docs/own-environments.md)
    #[arg(long, value_name = "COMMAND", conflicts_with = "environment_address")]
    environment_command: Option<String>,
    /// OpenEnv server that plays episodes, for example http://127.0.0.1:8000, in environment.name=external
    #[arg(long, value_name = "URL")]
    environment_address: Option<String>,
    /// Run the environment's command that the run has recorded, or ask a server on another machine
    #[arg(long, conflicts_with = "environment_command")]
    trust: bool,
    /// Go on although the environment is not what the run began with
    #[arg(long)]
    environment_changed: bool,
    /// Processes of the command [default: as many as --threads, or one per CPU]
    #[arg(long, value_name = "N", value_parser = threads)]
    environment_processes: Option<NonZero<usize>>,
    /// Seconds that the command may take for an answer, before its process is replaced
    #[arg(long, value_name = "S", default_value_t = DEFAULT_ANSWER_TIME, value_parser = clap::value_parser!(u32).range(1..))]
    answer_time: u32,
    /// What plays in place of both, in Python.
    #[arg(skip)]
    pub(super) object: Option<Arc<dyn Connector>>,
}

impl EnvironmentOptions {
    /// What may play an environment of one's own; there are as many processes as `threads`.
    ///
    /// # Errors
    /// There is no such command, or no such address.
    pub(super) fn external(
        &self,
        threads: Option<NonZero<usize>>,
    ) -> anyhow::Result<ExternalOptions> {
        let player = match (&self.object, &self.environment_command, &self.environment_address) {
            (Some(object), ..) => Some(Arc::clone(object)),
            (_, Some(line), _) => Some(Arc::new(CommandLine::new(line)?) as Arc<dyn Connector>),
            (.., Some(address)) => Some(Arc::new(Server::new(address, self.trust)?) as _),
            _ => None,
        };
        Ok(ExternalOptions {
            player,
            trusts: self.trust && self.environment_address.is_none(),
            accepts_changes: self.environment_changed,
            processes: self.environment_processes.or(threads),
            answer_time: Duration::from_secs(self.answer_time.into()),
        })
    }

    /// The setting that goes with what plays, if anything is named.
    pub(super) fn setting(&self) -> Option<String> {
        let Self { object, environment_command, environment_address, .. } = self;
        let is_named =
            object.is_some() || environment_command.is_some() || environment_address.is_some();
        is_named.then(|| format!("environment.name={NAME}"))
    }

    /// The flags as they were given.
    pub(super) fn words(&self) -> Vec<String> {
        let time = (self.answer_time != DEFAULT_ANSWER_TIME).then(|| self.answer_time.to_string());
        let processes = self.environment_processes.map(|count| count.to_string());
        let flags = [
            ("--environment-command", self.environment_command.clone()),
            ("--environment-address", self.environment_address.clone()),
            ("--environment-processes", processes),
            ("--answer-time", time),
        ];
        let given = flags.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
        given.flatten().chain(self.trust.then(|| "--trust".to_owned())).collect()
    }

    /// The same, each after a space.
    pub(super) fn flags(&self) -> String {
        self.words().iter().flat_map(|word| [" ".into(), quote_word(word)]).collect()
    }
}

/// How policies are played: the tasks are those that evaluations draw.
///
/// # Errors
/// Those of [`EnvironmentOptions::external`].
pub(super) fn play_options(
    machine: &MachineOptions,
    environment: &EnvironmentOptions,
) -> anyhow::Result<PlayOptions> {
    let &MachineOptions { device, threads } = machine;
    let (checkpoint, external) = (CheckpointChoice::Newest, environment.external(threads)?);
    Ok(PlayOptions { checkpoint, device, threads, panel: None, external })
}

/// The folder of runs and studies: what `HGPO_RUNS` names, or `runs` in the working directory.
pub(super) fn runs_folder() -> PathBuf {
    folder_from(std::env::var_os("HGPO_RUNS"))
}

fn folder_from(variable: Option<OsString>) -> PathBuf {
    variable.filter(|value| !value.is_empty()).map_or_else(|| PathBuf::from("runs"), PathBuf::from)
}

/// Finds a run by its folder or by its name in the folder of runs.
///
/// # Errors
/// There is no such run.
pub(super) fn find_run(name: &str) -> Result<RunDirectory, RunError> {
    RunDirectory::find(&runs_folder(), name)
}

/// Reads the name of a split, or of several.
pub(super) fn split_name(names: [&'static str; 3]) -> PossibleValuesParser {
    let help = |name| match name {
        "train" => "Training tasks",
        "seen" => "New tasks in known layouts",
        "unseen" => "New tasks in new layouts",
        _ => "Both",
    };
    PossibleValuesParser::new(names.map(|name| PossibleValue::new(name).help(help(name))))
}

/// Checks that a count that was given by a flag is neither too small nor too large.
///
/// # Errors
/// Names the flag and the range.
pub(super) fn check_count(
    flag: &str,
    count: usize,
    least: usize,
    most: usize,
) -> anyhow::Result<()> {
    let range = format!("use at least {least} and at most {most}");
    ensure!((least..=most).contains(&count), "{flag} {count}: {range}");
    Ok(())
}

/// Reads a whole number with the range of a setting.
pub(super) fn whole_number_of(
    field: &'static str,
) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let value: usize = text.parse().map_err(|_| describe_range(field))?;
        check_range(field, value, &value.into())
    }
}

/// Reads a number with the range of a setting.
pub(super) fn number_of(field: &'static str) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
        check_range(field, value, &value.into())
    }
}

fn check_range<T>(field: &str, number: T, value: &Value) -> Result<T, String> {
    let within = Range::of(field).is_none_or(|range| range.contains(value));
    if within { Ok(number) } else { Err(describe_range(field)) }
}

fn describe_range(field: &str) -> String {
    Range::of(field).map(|range| range.to_string()).unwrap_or_default()
}

/// Reads a number of worker threads.
pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let count = text.parse().ok().filter(|count: &NonZero<usize>| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("must lie between 1 and {MOST_THREADS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_variables_count_as_unset() {
        assert_eq!(folder_from(None), PathBuf::from("runs"));
        assert_eq!(folder_from(Some(OsString::new())), PathBuf::from("runs"));
        assert_eq!(folder_from(Some("elsewhere/r".into())), PathBuf::from("elsewhere/r"));
    }

    #[test]
    fn numbers_are_read_within_the_ranges_of_settings() {
        let tokens = whole_number_of("rollout.max_response_tokens");
        assert_eq!(tokens("256"), Ok(256));
        for text in ["0", "-1", "16777217", "18446744073709551615", "99999999999999999999", "x"] {
            assert_eq!(tokens(text), Err("must lie between 1 and 16777216".to_owned()));
        }
        let temperature = number_of("evaluation.temperature");
        assert_eq!(temperature("0"), Ok(0.0));
        for text in ["-1", "nan", "inf", "1e-320", "1e308"] {
            assert!(temperature(text).unwrap_err().contains("0.001 and 1000.0"), "{text}");
        }
        assert_eq!(threads("2").map(NonZero::get), Ok(2));
        for text in ["0", "-1", "4097", "18446744073709551615"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
