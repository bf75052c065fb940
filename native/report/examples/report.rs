//! `hgpo report` without the rest of the program, which takes minutes to compile:
//! `cargo run --release -p hgpo-report --example report -- OUTPUT RUN|STUDY…`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hgpo_report::{Options, write};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let output = arguments.next().unwrap_or_else(|| "report.html".into());
    let inputs: Vec<PathBuf> = arguments.collect();
    match written(&inputs, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn written(inputs: &[PathBuf], output: &Path) -> anyhow::Result<()> {
    write(inputs, output, &Options::default())?;
    Ok(())
}
