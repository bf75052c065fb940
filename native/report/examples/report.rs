//! `hgpo report` without the rest of the program, which takes minutes to compile:
//! `cargo run --release -p hgpo-report --example report -- OUTPUT RUN|STUDY…`

use std::path::PathBuf;

use hgpo_report::{Options, ReportError, write};

fn main() -> Result<(), ReportError> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let output = arguments.next().unwrap_or_else(|| "report.html".into());
    let inputs: Vec<PathBuf> = arguments.collect();
    write(&inputs, &output, &Options::default()).map(|_| ())
}
