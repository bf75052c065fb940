//! `hgpo import`: a GGUF file as a Hugging Face model folder.

use std::path::PathBuf;

use clap::Args;
use hgpo_train::models::{Architecture, Checkpoint};

use crate::model::import;
use crate::precision::PrecisionChoice;
use crate::run::{Display, gguf_tokenizer};
use crate::terminal::{program_command, quote_path};

pub(super) const AFTER: &str = "\
The folder has the layout that Hugging Face transformers loads.

Exit status: 0 success, 1 failure, 2 usage error.

Example:
  hgpo import model.gguf model && hgpo chat --model model";

#[derive(Debug, Args)]
pub(super) struct Import {
    #[arg(help = format!("GGUF file of a {} model", Architecture::names()))]
    file: PathBuf,
    /// Folder to write
    directory: PathBuf,
    /// Data type of the weights; f32 keeps quantised weights exactly
    #[arg(long, value_enum, default_value_t)]
    dtype: PrecisionChoice,
}

/// Writes the folder.
pub(super) fn run(args: &Import) -> anyhow::Result<()> {
    let checkpoint = Checkpoint::open(&args.file)?;
    let Some(gguf) = checkpoint.gguf() else {
        anyhow::bail!("{} is a model folder already: use it as it is", args.file.display());
    };
    let display = Display::new();
    let files = gguf_tokenizer(gguf, &display)?;
    let mut progress = |done, total| display.progress("import", done, total);
    let done = import(&checkpoint, &args.directory, args.dtype.0, &files, &mut progress);
    display.clear();
    done?;
    let folder = args.directory.display();
    let (program, name) = (program_command(), quote_path(&args.directory));
    Ok(display.report(&format!(
        "wrote a Hugging Face model folder to {folder}; next: {program} chat --model {name}"
    ))?)
}
