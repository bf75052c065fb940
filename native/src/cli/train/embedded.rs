//! Embedded training: `hgpo train` inside another program, which listens to the user, and may do the policy's work or
//! play the environment.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::{Args as _, Command, FromArgMatches as _};
use hgpo_train::policy::remote::WorkerPool;

use super::{Train, run_with};
use crate::allocator::keep_freed_memory;
use crate::device::DeviceChoice;
use crate::run::Interrupt;
use crate::run::external_environment::Connector;
use crate::settings::SettingsError;
use crate::terminal::error_line;
pub use crate::terminal::set_trainer_command;

/// The program that a run is embedded in.
#[derive(Clone, Default)]
pub struct Embedder {
    /// The pool that does the policy's work, if this process does not.
    pub crew: Option<Arc<dyn WorkerPool>>,
    /// Says when to stop.
    pub interrupt: Interrupt,
    /// What to add to a command that goes on with the run: flags, each after a space.
    pub flags: String,
}

/// A run as the command line asks for it.
#[derive(Debug)]
pub struct EmbeddedTraining(Train);

/// How training ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingEnd {
    /// The exit status of the program.
    pub status: u8,
    /// The folder of the run, if there is one.
    pub folder: Option<PathBuf>,
}

/// The command line is not one of `train`, or asks for help: what to print, and the exit status.
#[derive(Debug)]
pub struct UsageMessage {
    /// Help, or what is wrong.
    pub text: String,
    /// 0 after help, else 2.
    pub status: u8,
}

impl EmbeddedTraining {
    /// Reads the options of `hgpo train`, which are those of `command`.
    ///
    /// # Errors
    /// An option that there is not, a value that none has, or a wish for help.
    pub fn parse(
        command: &'static str,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, UsageMessage> {
        set_trainer_command(command);
        let name = format!("{command} train");
        let parser = Train::augment_args(Command::new("train").bin_name(name).no_binary_name(true));
        let usage = |error: clap::Error| UsageMessage {
            text: error.render().to_string(),
            status: error.exit_code() as u8,
        };
        let found = parser.try_get_matches_from(arguments).map_err(usage)?;
        Ok(Self(Train::from_arg_matches(&found).map_err(usage)?))
    }

    /// The device that workers are to use, too.
    #[must_use]
    pub fn device(&self) -> DeviceChoice {
        self.0.machine.device
    }

    /// The same in an environment that the program plays.
    #[must_use]
    pub fn with_environment(mut self, environment: Arc<dyn Connector>) -> Self {
        self.0.environment.object = Some(environment);
        self
    }

    /// Trains, or resumes.
    ///
    /// # Errors
    /// As `hgpo train` fails.
    pub fn run(&self, embedder: &Embedder) -> anyhow::Result<TrainingEnd> {
        if self.0.machine.threads.is_some() && embedder.crew.is_some() {
            bail!(
                "--threads is the number of jobs that are dealt out at once: set --actors and --cpus"
            );
        }
        keep_freed_memory();
        run_with(&self.0, Some(embedder))
    }
}

/// A failure in one line that no terminal obeys, and whether settings are to blame.
#[must_use]
pub fn render_error_line(error: &anyhow::Error) -> (String, bool) {
    (error_line(error), error.is::<SettingsError>())
}
