//! `hgpo import`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hgpo_train::model::Checkpoint;
use hgpo_train::model::tokenizer::from_gguf;

use crate::model::import;
use crate::precision::PrecisionChoice;
use crate::run::Display;

#[derive(Debug, Args)]
pub(super) struct Import {
    /// GGUF file of a Qwen2 or Llama model
    file: PathBuf,
    /// Folder that is written, of the kind that transformers loads
    directory: PathBuf,
    /// How weights are kept: f32 keeps quantised ones exactly
    #[arg(long, value_enum, default_value_t)]
    dtype: PrecisionChoice,
}

/// Writes the folder.
pub(super) fn run(args: &Import) -> anyhow::Result<ExitCode> {
    let checkpoint = Checkpoint::open(&args.file)?;
    let Some(gguf) = checkpoint.gguf() else {
        anyhow::bail!("{} is no GGUF file; use it as it is", args.file.display());
    };
    let files = from_gguf(&gguf.tokenizer()?)?.named();
    let display = Display::new();
    let mut progress = |done, total| display.progress("import", done, total);
    let done = import(&checkpoint, &args.directory, args.dtype.0, &files, &mut progress);
    display.clear();
    done?;
    writeln!(std::io::stdout().lock(), "{}", args.directory.display())?;
    Ok(ExitCode::SUCCESS)
}
