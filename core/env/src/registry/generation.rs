//! Generation of an environment's files.

use serde_json::Value;

use super::TableEntry;
use crate::{EnvError, Split};

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
