//! `hgpo report`: studies and runs as one HTML file.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use hgpo_report::{ExportFolders, Options, WrittenReport, write};

use super::options::runs_folder;
use crate::run::Display;
use crate::terminal::{quote_path, quote_word};

pub(super) const AFTER: &str = "\
The report is one HTML file that opens from disk, without network, and can be printed: statistics of
success with intervals, learning curves, why arms differ, settings, commands, costs, and sample
trajectories with links that open them in the page. Runs with the same settings form one arm.

Exit status: 0 success, 1 failure, 2 usage error.

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo report runs/estimators                     # a study of hgpo compare, done or not
  hgpo report runs/chores-* -o chores.html        # single runs
  hgpo report STUDY --page https://HOST/PATH/     # links open the page there
  hgpo report STUDY --figures paper --latex paper --csv data   # for a paper of your own";

#[derive(Debug, Args)]
pub(super) struct Report {
    /// Studies and runs: their folders, or their names under runs/; also a study's summary.json
    #[arg(required = true, value_name = "RUN|STUDY")]
    inputs: Vec<PathBuf>,
    /// File to write; an older report is replaced
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Address of the page in which links to trajectories open
    #[arg(long, value_name = "ADDRESS", default_value_t = Options::default().page)]
    page: String,
    /// Write every figure as SVG and PDF to this folder, too
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// Write every table for LaTeX (booktabs) to this folder, too
    #[arg(long, value_name = "DIR")]
    latex: Option<PathBuf>,
    /// Write arms.csv, runs.csv and curves.csv to this folder, too
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// Replace the file even if it is not a report, and files of others in these folders
    #[arg(long)]
    force: bool,
}

/// Writes the report.
pub(super) fn run(args: &Report) -> anyhow::Result<()> {
    if args.output == Path::new("-") {
        bail!("--output -: a report is written to a file; name one");
    }
    let options = Options {
        page: args.page.clone(),
        command: command(args),
        force: args.force,
        runs: runs_folder(),
        exports: ExportFolders {
            figures: args.figures.clone(),
            latex: args.latex.clone(),
            csv: args.csv.clone(),
        },
        ..Options::default()
    };
    let WrittenReport { arms, counted, left_out, exported, .. } =
        write(&args.inputs, &args.output, &options)?;
    let rest = match left_out {
        0 => String::new(),
        some => format!("; not counted, but named in it: {some}"),
    };
    let beside =
        if exported == 0 { String::new() } else { format!(", and {exported} files beside it") };
    let told =
        format!("wrote {}{beside} (arms: {arms}, runs: {counted}{rest})", args.output.display());
    Ok(Display::new().report(&told)?)
}

/// The command that makes the same report.
fn command(args: &Report) -> String {
    let mut words = vec!["hgpo".to_owned(), "report".to_owned()];
    words.extend(args.inputs.iter().map(|path| quote_path(path)));
    words.extend(["-o".to_owned(), quote_path(&args.output)]);
    if args.page != Options::default().page {
        words.extend(["--page".to_owned(), quote_word(&args.page).into_owned()]);
    }
    words.join(" ")
}
