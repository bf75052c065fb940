//! Command that plays an environment of one's own, in processes that no shell starts.

use std::path::Path;

use anyhow::anyhow;

use super::channel::{Channel, Connector};
use super::process::Process;
use super::record::{ExternalInput, Way};

/// A command line.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    line: String,
    words: Vec<String>,
}

impl CommandLine {
    /// A command whose words are split as a shell does.
    ///
    /// # Errors
    /// A quotation mark is not closed, or there is no word.
    pub(crate) fn new(line: &str) -> anyhow::Result<Self> {
        let words = shlex::split(line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| {
            anyhow!(
                "--environment-command {line:?}: it is empty, or a quotation mark is not closed"
            )
        })?;
        Ok(Self { line: line.to_owned(), words })
    }
}

impl Connector for CommandLine {
    fn connect(&self) -> Result<Box<dyn Channel>, String> {
        let started = Process::start(&self.words);
        Ok(Box::new(started.map_err(|error| format!("it cannot be started: {error}"))?))
    }

    fn record(&self) -> anyhow::Result<ExternalInput> {
        let files = self.words.iter().filter(|word| Path::new(word).is_file()).cloned();
        ExternalInput::new(Way::Command, &self.line, files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_shells_do_and_run_without_one() {
        let split = |line: &str| CommandLine::new(line).unwrap().words;
        assert_eq!(
            split("python3 'my env.py' --level \"a b\""),
            ["python3", "my env.py", "--level", "a b"]
        );
        assert_eq!(split("a; rm $HOME"), ["a;", "rm", "$HOME"]);
        assert!(CommandLine::new("").is_err() && CommandLine::new("python 'x").is_err());
    }
}
