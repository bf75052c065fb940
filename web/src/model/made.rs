//! How rollouts were made, where the first line of their file says so.

use hgpo_core::format::Provenance;

/// The first line of a file, where it is no trajectory.
#[derive(Debug)]
pub(crate) struct Made {
    /// The line as it was read, also with fields that mean nothing here.
    pub(super) line: String,
    /// What it says, or why it is not understood.
    pub(crate) said: Result<Provenance, String>,
}

impl Made {
    /// What a file's first line says.
    pub(super) fn new(line: &str) -> Self {
        let said = Provenance::from_line(line).map_err(|error| error.to_string());
        Self { line: line.to_owned(), said }
    }
}
