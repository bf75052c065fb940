//! Report on studies and runs as one HTML file: who learned more, how sure that is, why, and at what cost. It needs no
//! network, opens from disk, and can be printed and read aloud.
//!
//! `input` reads `summary.json` of studies and the folders of runs; `findings` computes statistics of
//! them; `figure` draws; `page` writes. The same input gives the same bytes. [`live`] has the pages of `hgpo view`.
//!
//! ```no_run
//! use hgpo_report::{Options, write};
//! write(&["runs/estimators".into()], "report.html".as_ref(), &Options::default())?;
//! # Ok::<(), hgpo_report::ReportError>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod export;
mod figure;
mod findings;
mod foreign_text;
mod input;
pub mod live;
mod number_format;
mod page;
mod report_file;
mod trajectory_link;

use std::path::{Path, PathBuf};

use hgpo_evidence::Bootstrap;

use export::Exports;
use findings::Part;

pub use error::ReportError;
pub use export::ExportFolders;

/// What can be chosen about a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Address of the page in which links to trajectories open: the report itself may lie anywhere.
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
    /// What is written beside the report.
    pub exports: ExportFolders,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            page: "http://127.0.0.1:8080".to_owned(),
            command: "hgpo report".to_owned(),
            bootstrap: Bootstrap::default(),
            force: false,
            runs: PathBuf::from("runs"),
            exports: ExportFolders::default(),
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

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenReport {
    /// Arms that are compared.
    pub arms: usize,
    /// Runs that are counted.
    pub counted: usize,
    /// Runs that are named and not counted: failed, stopped or not begun.
    pub left_out: usize,
    /// Size of the file.
    pub bytes: usize,
    /// Files beside it.
    pub exported: usize,
}

/// Writes the report on studies and runs, each given by its folder or its name in `options.runs`, to `output`.
/// An older report is replaced, other files are not. Either all of it is written or nothing.
///
/// # Errors
/// What cannot be read is named with its line; `output` is then as it was.
pub fn write(
    inputs: &[PathBuf],
    output: &Path,
    options: &Options,
) -> Result<WrittenReport, ReportError> {
    options.check()?;
    report_file::check(output, options.force)?;
    let (text, written) = make(inputs, options, |exports, parts| {
        exports.write(&options.exports, parts, options.force)
    })?;
    report_file::write(output, text.as_bytes())?;
    Ok(written)
}

/// The report's text. Nothing is written.
///
/// # Errors
/// As [`write()`].
pub fn render(
    inputs: &[PathBuf],
    options: &Options,
) -> Result<(String, WrittenReport), ReportError> {
    make(inputs, options, |_, _| Ok(0))
}

/// The report's text, and what `export` does with what was collected while it was made.
fn make(
    inputs: &[PathBuf],
    options: &Options,
    export: impl FnOnce(&Exports, &[Part<'_>]) -> Result<usize, ReportError>,
) -> Result<(String, WrittenReport), ReportError> {
    options.check()?;
    let sources = input::read(inputs, &options.runs)?;
    let (mut parts, mut together) = (Vec::new(), Vec::new());
    for source in &sources {
        let own = findings::parts(source, options)?;
        together.extend(findings::overall(&own, options)?);
        parts.extend(own);
    }
    let arms = parts.iter().map(|part| part.arms.len()).sum();
    let counted = parts.iter().map(Part::finished).sum();
    let all: usize = parts.iter().map(|part| part.runs().count()).sum();
    let exports = Exports::new(&options.exports);
    let text = page::page(&together, &parts, options, &exports)?;
    let (bytes, exported) = (text.len(), export(&exports, &parts)?);
    Ok((text, WrittenReport { arms, counted, left_out: all - counted, bytes, exported }))
}
