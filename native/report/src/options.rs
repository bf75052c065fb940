//! Options of a report.

use std::path::PathBuf;

use hgpo_evidence::Bootstrap;

use crate::ReportError;

/// What can be chosen about a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Address of the page that links to trajectories open: the report itself may lie anywhere.
    pub page: String,
    /// How the report was asked for, to be printed in it.
    pub command: String,
    /// The bootstrap of the headline's intervals. Those of curves, which are many, take a 25th of its
    /// resamples: 2,000 of 50,000, as rliable's authors do.
    pub bootstrap: Bootstrap,
    /// Whether a file that is no report may be replaced.
    pub force: bool,
    /// The folder in which names are looked for.
    pub runs: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            page: "http://127.0.0.1:8080".to_owned(),
            command: "hgpo report".to_owned(),
            bootstrap: Bootstrap::default(),
            force: false,
            runs: PathBuf::from("runs"),
        }
    }
}

impl Options {
    /// The bootstrap of curves and profiles.
    pub(crate) fn bootstrap_of_curves(&self) -> Bootstrap {
        Bootstrap { resamples: (self.bootstrap.resamples / 25).max(1), ..self.bootstrap }
    }

    /// Whether all of it can be.
    pub(crate) fn check(&self) -> Result<(), ReportError> {
        self.bootstrap.validate()?;
        // A link is followed by whoever opens the report: not to a script.
        let is_address =
            ["http://", "https://", "file://"].iter().any(|it| self.page.starts_with(it));
        if is_address { Ok(()) } else { Err(ReportError::Address(self.page.clone())) }
    }
}
