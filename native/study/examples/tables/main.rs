//! The tables of docs/results.md, from what is kept of its studies in `docs/studies/`.
//!
//! ```sh
//! hgpo compare docs/studies/mazes.toml
//! cargo run --release -p hgpo-study --example tables -- keep runs/mazes/summary.json docs/studies/mazes.json
//! cargo run --release -p hgpo-study --example tables -- arms docs/studies/mazes.json
//! ```
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

mod archived_study;
mod arms;
mod cost;
mod gain;
mod search;

use archived_study::ArchivedStudy;
use arms::{Measure, Table};
use hgpo_study::text_table::TextTable;

const USAGE: &str = "usage: tables keep SUMMARY FILE [--areas]   what is kept of a study
       tables search FILE                  the best settings of every arm
       tables arms [--by MEASURE] FILE... [--to ARM]
                                           success of all arms, held against ARM (the first), by area (that
                                           under the success curve), seen or unseen (at the end)
       tables against METRIC BETTER WORSE FILE...
                                           what BETTER gains over WORSE in every task, by a metric of BETTER
       tables cost FILE...                 seconds of a run by phase, and the estimator's share
       tables why FILE...                  metrics of all arms

       FILE+FILE is a study with arms that were run later. --latex before the command sets a table for LaTeX.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // A reader that has read enough is no error.
    let (mut standard_output, mut standard_error) = (std::io::stdout(), std::io::stderr());
    let told = match &arguments[..] {
        ["--latex", rest @ ..] => table(rest, TextTable::latex),
        all => table(all, TextTable::markdown),
    };
    match told {
        Ok(text) => {
            let _ = standard_output.write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(standard_error, "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What a command says, with its table set by `set`.
fn table(arguments: &[&str], set: fn(&TextTable) -> String) -> Result<String, String> {
    let made = match arguments {
        ["keep", summary, file, rest @ ..] => {
            let study = ArchivedStudy::of(Path::new(summary), rest == ["--areas"])?;
            std::fs::write(file, study.text()).map_err(|error| format!("{file}: {error}"))?;
            return Ok(String::new());
        }
        ["search", file] => search::table(&ArchivedStudy::read(Path::new(file))?),
        ["arms", rest @ ..] => {
            let (measure, rest) = match rest {
                ["--by", measure, rest @ ..] => (Measure::named(measure)?, rest),
                _ => (Measure::Area, rest),
            };
            match rest {
                [files @ .., "--to", first] => arms::table(&read(files)?, measure, Some(first))?,
                files => arms::table(&read(files)?, measure, None)?,
            }
        }
        ["against", metric, better, worse, files @ ..] => {
            let studies = read(files)?;
            let studies = Table::new(&studies, Measure::Area);
            let (made, told) = gain::table(&studies, metric, better, worse)?;
            return Ok(format!("{}\n{told}\n", set(&made)));
        }
        ["cost", files @ ..] => cost::table(&read(files)?)?,
        ["why", files @ ..] => arms::reasons(&read(files)?),
        _ => return Err(USAGE.to_owned()),
    };
    Ok(set(&made))
}

fn read(files: &[&str]) -> Result<Vec<ArchivedStudy>, String> {
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    files.iter().map(|file| joined(file)).collect()
}

/// A study in one file, or with arms that were run later: `FILE+FILE`.
fn joined(files: &str) -> Result<ArchivedStudy, String> {
    let mut parts = files.split('+').map(|file| ArchivedStudy::read(Path::new(file)));
    let first = parts.next().ok_or(USAGE)?;
    parts.try_fold(first?, |all, more| all.with(more?))
}
