//! `hgpo advantages`.
use std::process::ExitCode;
#[derive(Debug, clap::Args)]
pub(super) struct Advantages { file: String }
pub(super) fn run(args: &Advantages) -> anyhow::Result<ExitCode> { anyhow::bail!("later {}", args.file) }
