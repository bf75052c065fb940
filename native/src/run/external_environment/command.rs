//! Command of an environment of one's own: who may run it, and its digest, so that nobody resumes with another
//! unawares. A program runs only if it is named on the command line, or trusted there.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::NAME;
use crate::file_digest::{FileDigest, first_difference};
use crate::terminal::quote_word;

/// What the command line says of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommandOptions {
    /// The command.
    pub(crate) line: Option<String>,
    /// Whether the recorded one may run.
    pub(crate) trusts: bool,
    /// Processes; by default one per CPU.
    pub(crate) processes: Option<NonZero<usize>>,
    /// How long an answer may take.
    pub(crate) answer_time: Duration,
}

/// What a run records of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandInput {
    /// The command.
    pub line: String,
    /// The working directory.
    pub folder: PathBuf,
    /// The files that its words name.
    pub files: BTreeMap<String, FileDigest>,
}

impl CommandOptions {
    /// Refuses a command for an environment that needs none.
    ///
    /// # Errors
    /// There is one.
    pub(crate) fn refuse(&self, environment: &str) -> anyhow::Result<()> {
        if self.line.is_some() || self.trusts {
            bail!(
                "the environment is {environment}, which no command plays: leave out --environment-command and \
                 --trust, or set environment.name={NAME}"
            );
        }
        Ok(())
    }

    /// The command that may run: as it was given, or as it was recorded if it is trusted. It has to be what
    /// was recorded.
    ///
    /// # Errors
    /// None was given, it is not what was recorded, or its files cannot be read.
    pub(super) fn authorise(
        &self,
        recorded: Option<&CommandInput>,
    ) -> anyhow::Result<CommandInput> {
        let line = match (&self.line, recorded) {
            (Some(line), _) => line,
            (None, Some(recorded)) if self.trusts => &recorded.line,
            (None, Some(recorded)) => bail!(
                "the run's environment is played by a command: name it again with --environment-command {}, or \
                 run it as it is recorded with --trust",
                quote_word(&recorded.line)
            ),
            (None, None) => bail!(
                "environment.name={NAME}: say which program plays it with --environment-command 'python \
                 my_env.py' (docs/own-environments.md)"
            ),
        };
        let now = CommandInput::read(line)?;
        if let Some(difference) = recorded.and_then(|recorded| recorded.difference(&now)) {
            bail!(
                "the environment's command is not what the run began with: {difference}; change it back, or start a \
                 new run"
            );
        }
        Ok(now)
    }
}

impl CommandInput {
    /// That of a command, in the working directory.
    fn read(line: &str) -> anyhow::Result<Self> {
        let files = words(line)?.into_iter().filter(|word| Path::new(word).is_file());
        let files = files.map(|word| {
            let digest = FileDigest::read(Path::new(&word));
            let digest = digest.with_context(|| format!("--environment-command: {word}"))?;
            Ok((word, digest))
        });
        let files = files.collect::<anyhow::Result<_>>()?;
        Ok(Self { line: line.to_owned(), folder: std::env::current_dir()?, files })
    }

    /// How another command differs; a folder may have moved.
    fn difference(&self, now: &Self) -> Option<String> {
        if self.line != now.line {
            return Some(format!(
                "it was {} and is {}",
                quote_word(&self.line),
                quote_word(&now.line)
            ));
        }
        first_difference(&self.files, &now.files)
    }
}

/// The words of a command, as a shell splits them; no shell runs it.
///
/// # Errors
/// A quotation mark is not closed, or there is no word.
pub(super) fn words(line: &str) -> anyhow::Result<Vec<String>> {
    let words = shlex::split(line).filter(|words| !words.is_empty());
    words.ok_or_else(|| {
        anyhow!("--environment-command {line:?}: it is empty, or a quotation mark is not closed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_shells_do_and_run_without_one() {
        let split = |line: &str| words(line).unwrap();
        assert_eq!(
            split("python3 'my env.py' --level \"a b\""),
            ["python3", "my env.py", "--level", "a b"]
        );
        assert_eq!(split("a; rm $HOME"), ["a;", "rm", "$HOME"]);
        assert!(words("").is_err() && words("python 'x").is_err());
    }

    #[test]
    fn recorded_commands_need_trust_and_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("env.py");
        std::fs::write(&file, "one").unwrap();
        let line = format!("python3 {}", file.display());
        let given = CommandOptions { line: Some(line.clone()), ..CommandOptions::default() };
        let recorded = given.authorise(None).unwrap();
        assert_eq!(recorded.files[&file.display().to_string()], FileDigest::of(b"one"));
        let refusal =
            |options: &CommandOptions| options.authorise(Some(&recorded)).unwrap_err().to_string();
        let nothing = CommandOptions::default();
        assert!(refusal(&nothing).contains("--trust"));
        assert!(nothing.authorise(None).unwrap_err().to_string().contains("my_env.py"));
        let trusting = CommandOptions { trusts: true, ..CommandOptions::default() };
        assert_eq!(trusting.authorise(Some(&recorded)).unwrap(), recorded);
        let other =
            CommandOptions { line: Some(format!("{line} -x")), ..CommandOptions::default() };
        assert!(refusal(&other).contains("-x"));
        std::fs::write(&file, "other").unwrap();
        assert!(refusal(&trusting).contains("had 3 bytes and has 5"));
        assert!(given.refuse("chores").is_err() && nothing.refuse("chores").is_ok());
    }
}
