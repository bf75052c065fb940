//! What a run records of an environment of one's own, and who may play it again: a program runs, and another machine is
//! asked, only if the command line names it or trusts the record.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use super::NAME;
use super::channel::Connector;
use super::command::CommandLine;
use super::openenv::Server;
use crate::file_digest::{FileDigest, first_difference};
use crate::terminal::{quote_word, show_on_stderr};

/// What the command line, or Python, says of it.
#[derive(Clone, Debug, Default)]
pub struct ExternalOptions {
    /// What plays.
    pub player: Option<Arc<dyn Connector>>,
    /// Whether what is recorded may play.
    pub trusts: bool,
    /// Whether it may be another one than the run began with.
    pub accepts_changes: bool,
    /// Processes; by default one per CPU.
    pub processes: Option<NonZero<usize>>,
    /// How long an answer may take.
    pub answer_time: Duration,
}

/// How an environment is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// A program.
    Command,
    /// An OpenEnv server.
    Address,
    /// An object in Python.
    Object,
}

/// What a run records of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalInput {
    /// How it is reached.
    pub way: Way,
    /// The command, the address, or the object's name.
    pub name: String,
    /// The working directory.
    pub folder: PathBuf,
    /// The files that the name names.
    pub files: BTreeMap<String, FileDigest>,
}

impl ExternalOptions {
    /// Refuses a player for an environment that needs none.
    ///
    /// # Errors
    /// There is one.
    pub(crate) fn refuse(&self, environment: &str) -> anyhow::Result<()> {
        if self.player.is_some() || self.trusts {
            bail!(
                "the environment is {environment}, which is built in: leave out --environment-command, \
                 --environment-address and --trust, or set environment.name={NAME}"
            );
        }
        Ok(())
    }

    /// What may play: what was given, or what was recorded if it is trusted. It has to be what was recorded.
    ///
    /// # Errors
    /// None was given, it is not what was recorded, or its files cannot be read.
    pub(super) fn authorise(
        &self,
        recorded: Option<&ExternalInput>,
    ) -> anyhow::Result<(Arc<dyn Connector>, ExternalInput)> {
        let player = match (&self.player, recorded) {
            (Some(player), _) => Arc::clone(player),
            (None, Some(recorded)) => recorded.trusted(self.trusts)?,
            (None, None) => bail!(
                "environment.name={NAME}: say what plays it with --environment-command 'python my_env.py' \
                 (docs/own-environments.md)"
            ),
        };
        let now = player.record()?;
        match recorded.and_then(|recorded| recorded.difference(&now)) {
            Some(difference) if self.accepts_changes => show_on_stderr(&format!(
                "note: the environment is not what the run began with: {difference}"
            )),
            Some(difference) => bail!(
                "the environment is not what the run began with: {difference}; change it back, start a new run, or \
                 go on with what it is now (--environment-changed)"
            ),
            None => {}
        }
        Ok((player, now))
    }
}

impl ExternalInput {
    /// What is recorded of a player.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn new(
        way: Way,
        name: impl Into<String>,
        files: impl IntoIterator<Item = String>,
    ) -> anyhow::Result<Self> {
        let files = files.into_iter().map(|file| {
            let digest = FileDigest::read(Path::new(&file));
            let digest = digest.with_context(|| format!("the environment's file {file}"))?;
            Ok((file, digest))
        });
        let files = files.collect::<anyhow::Result<_>>()?;
        Ok(Self { way, name: name.into(), folder: std::env::current_dir()?, files })
    }

    /// The player that is recorded.
    fn trusted(&self, trusts: bool) -> anyhow::Result<Arc<dyn Connector>> {
        let name = quote_word(&self.name);
        let flag = match self.way {
            Way::Command => "--environment-command",
            Way::Address => "--environment-address",
            Way::Object => bail!(
                "the run's environment is the object {name} in Python: go on there with \
                 hgpo_train.train(environment=..., resume=...), or name a program that plays the same with \
                 --environment-command and --environment-changed"
            ),
        };
        if !trusts {
            bail!(
                "the run's environment is not built in: name it again with {flag} {name}, or take it as it is \
                 recorded with --trust"
            );
        }
        Ok(match self.way {
            Way::Address => Arc::new(Server::new(&self.name, true)?),
            _ => Arc::new(CommandLine::new(&self.name)?),
        })
    }

    /// How another one differs; a folder may have moved.
    fn difference(&self, now: &Self) -> Option<String> {
        if (self.way, &self.name) != (now.way, &now.name) {
            let (before, now) = (quote_word(&self.name), quote_word(&now.name));
            return Some(format!("it was {before} and is {now}"));
        }
        first_difference(&self.files, &now.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_commands_need_trust_and_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("env.py");
        std::fs::write(&file, "one").unwrap();
        let line = format!("python3 {}", file.display());
        let options = |line: &str| {
            let player: Arc<dyn Connector> = Arc::new(CommandLine::new(line).unwrap());
            ExternalOptions { player: Some(player), ..ExternalOptions::default() }
        };
        let given = options(&line);
        let (_, recorded) = given.authorise(None).unwrap();
        assert_eq!(recorded.files[&file.display().to_string()], FileDigest::of(b"one"));
        let refusal =
            |options: &ExternalOptions| options.authorise(Some(&recorded)).unwrap_err().to_string();
        let nothing = ExternalOptions::default();
        assert!(refusal(&nothing).contains("--trust"));
        assert!(nothing.authorise(None).unwrap_err().to_string().contains("my_env.py"));
        let trusting = ExternalOptions { trusts: true, ..ExternalOptions::default() };
        assert_eq!(trusting.authorise(Some(&recorded)).unwrap().1, recorded);
        assert!(refusal(&options(&format!("{line} -x"))).contains("-x"));
        let object = ExternalInput { way: Way::Object, ..recorded.clone() };
        let why = trusting.authorise(Some(&object)).unwrap_err().to_string();
        assert!(why.contains("hgpo_train.train"), "{why}");
        std::fs::write(&file, "other").unwrap();
        assert!(refusal(&trusting).contains("had 3 bytes and has 5"));
        let accepting = ExternalOptions { accepts_changes: true, ..trusting };
        assert_eq!(accepting.authorise(Some(&recorded)).unwrap().1.files.len(), 1);
        assert!(given.refuse("chores").is_err() && nothing.refuse("chores").is_ok());
    }
}
