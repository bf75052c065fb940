//! `hgpo generate`: a command for each kind of files that an environment generates.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::{Flag, Generation, entries};
use hgpo_env::{EnvError, Split};
use serde_json::{Map, Value};

use crate::run::OutputLock;
use crate::run::storage::atomic_write;

/// Games of a split, at most.
const MOST_GAMES: u64 = 1_000_000;

pub(super) const AFTER: &str = "\
Exit status: 0 success, 1 failure, 2 usage error.

Example:
  hgpo generate alfworld games --count 10";

/// What is generated, and where it goes.
#[derive(Debug)]
pub(super) struct Generate {
    generation: &'static Generation,
    settings: Map<String, Value>,
    options: GenerateOptions,
}

// Clap would take a documentation comment for that of the command.
#[derive(Debug, Args)]
struct GenerateOptions {
    /// Seed: the same seed and settings give the same files
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games per split, at most 1,000,000
    #[arg(long, value_name = "M", default_value_t = 100)]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_GAMES))]
    count: u64,
    /// Split to generate [default: all]
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,
    directory: PathBuf,
}

/// Writes games.
pub(super) fn run(args: &Generate) -> anyhow::Result<()> {
    let Generate { generation, settings, options } = args;
    let GenerateOptions { seed, count, split, directory } = options;
    let refused = |error: EnvError| error_by_flag(generation, error);
    let table = generation.table.read(Value::Object(settings.clone()));
    let table = table.map_err(|error| refused(error.into()))?;
    let generator = (generation.open)(table).map_err(refused)?;
    let _lock = OutputLock::take(directory)?;
    let (mut written, mut kind) = (0_u64, OsString::new());
    let wanted = |&&(it, _): &&(Split, &str)| split.as_ref().is_none_or(|name| name == it.name());
    for &(split, _) in generation.splits.iter().filter(wanted) {
        for number in 0..*count {
            let index = [split as u64, number];
            let seed = Stream::new(*seed, Purpose::GeneratedFiles, index).word();
            let mut is_new = false;
            for file in generator.files(split, seed)? {
                let path = directory.join(&file.path);
                is_new |= write(&path, &file.bytes)?;
                if kind.is_empty() {
                    path.file_name().unwrap_or_default().clone_into(&mut kind);
                }
            }
            written += u64::from(is_new);
        }
    }
    let (games, place) = (count_files(directory, &kind)?, directory.display());
    let is_all = kind.is_empty() || games == written;
    let all = if is_all { String::new() } else { format!(", which now has {games}") };
    Ok(writeln!(std::io::stdout().lock(), "wrote {written} games to {place}{all}")?)
}

/// How many files of a name there are below a directory: each is of another game.
fn count_files(directory: &Path, name: &OsStr) -> anyhow::Result<u64> {
    let mut count = 0;
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries.with_context(|| folder.display().to_string())?,
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
            count += u64::from(entry.file_name() == name);
        }
    }
    Ok(count)
}

/// Writes a file, unless it is there as it would be; whether it was not.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match std::fs::read(path) {
        Ok(there) if there == bytes => Ok(false),
        Ok(_) => {
            bail!("{} already exists with another game: choose an empty directory", path.display())
        }
        Err(_) => Ok(atomic_write::replace(path, bytes).map(|()| true)?),
    }
}

/// A refusal of a setting, under the name of its flag.
fn error_by_flag(generation: &Generation, error: EnvError) -> anyhow::Error {
    let EnvError::Setting(setting) = &error else { return error.into() };
    let name = setting.field.rsplit('.').next().unwrap_or_default();
    match generation.flags.iter().find(|flag| flag.setting == name) {
        Some(Flag { flag, .. }) => anyhow::anyhow!("--{flag}: {}", setting.reason),
        None => error.into(),
    }
}

fn generations() -> impl Iterator<Item = &'static Generation> {
    entries().filter_map(|entry| entry.generation.as_ref())
}

/// The command of one kind of files.
fn command(generation: &'static Generation) -> Command {
    let defaults = generation.table.default_value();
    let splits = generation.splits.iter();
    let splits = splits.map(|&(split, place)| PossibleValue::new(split.name()).help(place));
    GenerateOptions::augment_args(Command::new(generation.name))
        .about(generation.summary)
        .after_help(AFTER)
        .mut_arg("split", |split| split.value_parser(PossibleValuesParser::new(splits)))
        .mut_arg("directory", |directory| directory.help(generation.directory))
        .args(generation.flags.iter().map(|flag| option(flag, &defaults[flag.setting])))
}

/// A setting as an option; its kind is that of its default.
fn option(flag: &Flag, default: &Value) -> Arg {
    let option = Arg::new(flag.flag).long(flag.flag).value_name(flag.value).help(flag.help);
    let (option, texts) = match default {
        Value::Array(values) => {
            let texts = values.iter().map(ToString::to_string).collect();
            let numbers = option.value_delimiter(',').action(ArgAction::Append);
            (numbers.value_parser(parser(values.first().unwrap_or(default))), texts)
        }
        value => (option.value_parser(parser(value)), vec![value.to_string()]),
    };
    option.default_values(flag.default.map_or(texts, |text| vec![text.to_owned()]))
}

/// Reads values of the same kind as `like`.
fn parser(like: &Value) -> ValueParser {
    match like {
        Value::Number(number) if number.is_f64() => ValueParser::new(finite),
        Value::Number(_) => ValueParser::new(|text: &str| text.parse::<u64>().map(Value::from)),
        Value::Bool(_) => ValueParser::new(|text: &str| text.parse::<bool>().map(Value::from)),
        _ => ValueParser::new(|text: &str| Ok::<_, std::convert::Infallible>(Value::from(text))),
    }
}

/// A number that JSON has a form for.
fn finite(text: &str) -> Result<Value, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    if number.is_finite() { Ok(number.into()) } else { Err("use a finite number".to_owned()) }
}

impl FromArgMatches for Generate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, given) = matches.subcommand().ok_or_else(missing)?;
        let generation = generations().find(|it| it.name == name).ok_or_else(missing)?;
        let defaults = generation.table.default_value();
        let setting = |flag: &Flag| {
            let mut values = given.get_many::<Value>(flag.flag)?.cloned();
            let many = defaults[flag.setting].is_array();
            let value = if many { Value::Array(values.collect()) } else { values.next()? };
            Some((flag.setting.to_owned(), value))
        };
        Ok(Self {
            generation,
            settings: generation.flags.iter().filter_map(setting).collect(),
            options: GenerateOptions::from_arg_matches(given)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Generate {
    fn augment_args(parent: Command) -> Command {
        parent
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(generations().map(command))
    }

    fn augment_args_for_update(parent: Command) -> Command {
        Self::augment_args(parent)
    }
}
