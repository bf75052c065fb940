//! Remote training: `hgpo train` with workers that do the policy's work, started by another program.

use std::ffi::OsString;
use std::sync::Arc;

use anyhow::bail;
use clap::{Args as _, Command, FromArgMatches as _};
use hgpo_train::policy::remote::WorkerPool;

use super::{Train, run_with};
use crate::allocator::keep_freed_memory;
use crate::device::DeviceChoice;
use crate::run::Interrupt;
use crate::settings::SettingsError;
use crate::terminal::error_line;
pub use crate::terminal::set_trainer_command;

/// Who works for a run.
#[derive(Clone)]
pub struct RemoteWorkers {
    /// The pool that does the work.
    pub crew: Arc<dyn WorkerPool>,
    /// Says when to stop.
    pub interrupt: Interrupt,
    /// What to add to a command that goes on with the run: flags, each after a space.
    pub flags: String,
}

/// A run as the command line asks for it.
#[derive(Debug)]
pub struct RemoteTraining(Train);

/// The command line is not one of `train`, or asks for help: what to print, and the exit status.
#[derive(Debug)]
pub struct UsageMessage {
    /// Help, or what is wrong.
    pub text: String,
    /// 0 after help, else 2.
    pub status: u8,
}

impl RemoteTraining {
    /// Reads the options of `hgpo train`, which are those of `command`.
    ///
    /// # Errors
    /// An option that there is not, a value that none has, or a wish for help.
    pub fn parse(
        command: &str,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, UsageMessage> {
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

    /// Trains, or resumes; the exit status of the program.
    ///
    /// # Errors
    /// As `hgpo train` fails.
    pub fn run(&self, workers: &RemoteWorkers) -> anyhow::Result<u8> {
        if self.0.machine.threads.is_some() {
            bail!(
                "--threads is the number of jobs that are dealt out at once: set --actors and --cpus"
            );
        }
        keep_freed_memory();
        run_with(&self.0, Some(workers))
    }
}

/// A failure in one line that no terminal obeys, and whether settings are to blame.
#[must_use]
pub fn render_error_line(error: &anyhow::Error) -> (String, bool) {
    (error_line(error), error.is::<SettingsError>())
}
