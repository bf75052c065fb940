//! Registry entry: what is said of an environment once, and used everywhere.

use std::error::Error;
use std::sync::Arc;

use serde_json::Value;

use super::{Table, TableEntry};
use crate::files::Files;
use crate::{EnvError, Environment, EnvironmentConfig, Split, Suite};

/// An environment.
#[derive(Debug)]
pub struct Entry {
    /// What settings, rollouts files and the command line call it.
    pub name: &'static str,
    /// What it is, in a line without a full stop.
    pub summary: &'static str,
    /// Settings of its own.
    pub table: Option<TableEntry>,
    /// The data that it reads.
    pub data: Option<Data>,
    /// The splits that it has, each with what its tasks are.
    pub splits: &'static [(Split, &'static str)],
    /// Steps of an episode that is played by hand, if no setting says otherwise.
    pub max_steps: usize,
    /// Tasks of a split in evaluations as they are published.
    pub published_tasks: usize,
    /// Fixed lists of its tasks to evaluate on.
    pub panels: &'static [PanelEntry],
    /// What language models are told.
    pub prompts: &'static [Prompt],
    /// Settings of whole runs.
    pub presets: &'static [Preset],
    /// Opens it.
    pub open: fn(&Opening<'_>) -> Result<Arc<dyn Suite>, EnvError>,
    /// How one of its files is played by hand.
    pub game: Option<GameFile>,
    /// What it generates.
    pub generation: Option<Generation>,
}

impl Entry {
    /// The prompt of this name.
    #[must_use]
    pub fn prompt(&self, name: &str) -> Option<&'static str> {
        self.prompts.iter().find(|prompt| prompt.name == name).map(|prompt| prompt.text)
    }
}

/// A fixed list of tasks to evaluate on, by the rule that makes it.
#[derive(Clone, Copy, Debug)]
pub struct PanelEntry {
    /// Its name, unlike that of any other panel.
    pub name: &'static str,
    /// Which tasks these are, in a line without a full stop.
    pub summary: &'static str,
    /// The split that they are of.
    pub split: Split,
    /// How many they are.
    pub tasks: usize,
    /// The settings of the environment's own that they are made under, in JSON.
    pub settings: &'static str,
    /// The SHA-256 digest of all that they are; `None` if the data to compute it was not at hand.
    pub digest: Option<&'static str>,
}

/// Data that has to be there.
#[derive(Clone, Copy, Debug)]
pub struct Data {
    /// The variable that names its folder.
    pub variable: &'static str,
    /// What it is.
    pub what: &'static str,
    /// How to get it.
    pub remedy: &'static str,
}

/// A prompt for language models: messages as templates, in TOML.
#[derive(Clone, Copy, Debug)]
pub struct Prompt {
    /// Its name in settings.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Settings of a run, in TOML.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is good for, in a few words.
    pub summary: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The game of a file, or what is wrong with the file.
pub type OpenedGame = Result<Box<dyn Environment>, Box<dyn Error + Send + Sync>>;

/// A file that is a game of its own.
#[derive(Clone, Copy, Debug)]
pub struct GameFile {
    /// Its name, if the folder that it is in is given.
    pub name: &'static str,
    /// The game of the file's bytes, and the reward of its end.
    pub open: fn(&[u8], f64) -> OpenedGame,
}

/// What an environment is opened with.
pub struct Opening<'a> {
    pub(super) entry: &'static Entry,
    /// The settings of environments.
    pub config: &'a EnvironmentConfig,
    pub(super) files: Option<Arc<dyn Files>>,
}

impl Opening<'_> {
    /// The settings of the environment's own.
    ///
    /// # Errors
    /// Never for tables that the settings hold: they were read before.
    pub fn table<T: Table>(&self) -> Result<T, EnvError> {
        Ok(self.config.tables.get()?)
    }

    /// The files of its data.
    ///
    /// # Errors
    /// Says which variable is not set.
    pub fn files(&self) -> Result<Arc<dyn Files>, EnvError> {
        self.files.clone().ok_or_else(|| match self.entry.data {
            Some(Data { variable, what, remedy }) => self.failed(format!(
                "{variable} is not set; it must name the folder of {what}; {remedy}"
            )),
            None => self.failed("no files given"),
        })
    }

    /// A problem of this environment.
    #[must_use]
    pub fn failed(&self, problem: impl Into<Box<dyn Error + Send + Sync>>) -> EnvError {
        EnvError::new(self.entry.name, problem)
    }
}

/// How `hgpo generate` writes files of an environment.
#[derive(Debug)]
pub struct Generation {
    /// What the command calls it.
    pub name: &'static str,
    /// What is written, in a line without a full stop.
    pub summary: &'static str,
    /// Where it is written.
    pub directory: &'static str,
    /// Where in it the tasks of each split are.
    pub splits: &'static [(Split, &'static str)],
    /// The settings that the command takes, as flags.
    pub flags: &'static [Flag],
    /// Their table.
    pub table: TableEntry,
    /// Opens the generator under a complete table of settings.
    pub open: fn(Value) -> Result<Box<dyn Generate>, EnvError>,
}

/// A setting as a flag.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The flag, without its dashes.
    pub flag: &'static str,
    /// The setting.
    pub setting: &'static str,
    /// What it takes, in a word.
    pub value: &'static str,
    /// What it means, without a full stop.
    pub help: &'static str,
    /// The default, if it is not that of the setting.
    pub default: Option<&'static str>,
}

/// Makes files.
pub trait Generate {
    /// The files of the task that `seed` names in `split`.
    ///
    /// # Errors
    /// If the task cannot be made.
    fn files(&self, split: Split, seed: u64) -> Result<Vec<GeneratedFile>, EnvError>;
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its path below the folder that is written to, with `/` between the parts.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}
