//! `hgpo advantages`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, StdoutLock, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use hgpo_core::{Batch, Options, StepAddress, diagnostics, estimate, explain, format};
use serde::Serialize;

use super::estimator::EstimatorOptions;
use super::train::{RUNS, settings_of};
use crate::run::RunDirectory;

/// Read from a file at once: few system calls for a file of gigabytes.
const READ_BYTES: usize = 256 * 1024;

#[derive(Debug, Args)]
pub(super) struct Advantages {
    /// Rollouts: JSON Lines (a trajectory a line, or verl-agent's rows) or CSV; - reads standard
    /// input
    file: PathBuf,
    #[command(flatten)]
    options: EstimatorOptions,
    /// Estimates as this run does: its folder, or its name under runs/
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Reads the whole file before the first estimate, for files whose tasks are not together
    #[arg(long)]
    whole_file: bool,
    /// Takes the advantage of one step apart, for example g00/g00t3/4
    #[arg(long, value_name = "TASK/TRAJECTORY/STEP", conflicts_with = "diagnostics")]
    explain: Option<StepAddress>,
    /// Group sizes, singletons and constant groups of every level instead of the advantages
    #[arg(long)]
    diagnostics: bool,
    /// How --explain and --diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// Prints advantages, the explanation of one, or diagnostics.
pub(super) fn run(args: &Advantages) -> anyhow::Result<ExitCode> {
    let options = options_of(args)?;
    let named = || args.file.display().to_string();
    let mut input = open(&args.file)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut missing = Missing::of(&options);
    let mut print = |trajectories| -> anyhow::Result<()> {
        let batch = Batch::new(trajectories).with_context(named)?;
        missing.look_at(&batch);
        match &args.explain {
            Some(address) => show(&mut out, args.format, &explain(&batch, &options, address)?),
            None if args.diagnostics => {
                show(&mut out, args.format, &diagnostics(&batch, &options)?)
            }
            None => Ok(format::write_advantages(&mut out, &batch, &estimate(&batch, &options)?)?),
        }
    };
    let of_batch = args.diagnostics || args.explain.is_some();
    let whole = args.whole_file || of_batch || options.estimator.needs_whole_batch();
    if whole || !is_json_lines(&mut input).with_context(named)? {
        print(format::read(input).with_context(named)?)?;
    } else {
        for task in format::Reader::new(input) {
            print(task.with_context(named)?)?;
        }
    }
    out.flush()?;
    for warning in missing.warnings() {
        writeln!(std::io::stderr().lock(), "warning: {}: {warning}", named())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the estimator looks at, as long as no step has it.
struct Missing {
    contexts: bool,
    agents: bool,
}

impl Missing {
    fn of(options: &Options) -> Self {
        let estimator = &options.estimator;
        Self { contexts: estimator.reads_summaries(), agents: estimator.reads_agents() }
    }

    fn look_at(&mut self, batch: &Batch) {
        let steps = || batch.trajectories().iter().flat_map(|trajectory| &trajectory.steps);
        self.contexts = self.contexts && steps().all(|step| step.context.is_none());
        self.agents = self.agents && steps().all(|step| step.agent.is_none());
    }

    fn warnings(&self) -> impl Iterator<Item = &'static str> {
        let contexts = "no step has a `context`: --history summary found only level 0";
        let agents =
            "no step has an `agent`: dr-mas compared all steps, as --inside does without it";
        [(self.contexts, contexts), (self.agents, agents)]
            .into_iter()
            .filter_map(|(is_missing, warning)| is_missing.then_some(warning))
    }
}

/// The options of the flags, or those of a run.
fn options_of(args: &Advantages) -> anyhow::Result<Options> {
    let Some(run) = &args.run else { return args.options.resolve() };
    if let Some(flag) = args.options.first_given() {
        bail!("{flag}: --run {run} says how to estimate; leave one of them out");
    }
    Ok(settings_of(&RunDirectory::find(Path::new(RUNS), run)?)?.options()?)
}

/// Whether the input begins as JSON Lines, which can be read task by task.
fn is_json_lines(input: &mut impl BufRead) -> std::io::Result<bool> {
    let first = input.fill_buf()?.iter().find(|byte| !byte.is_ascii_whitespace());
    Ok(first == Some(&b'{'))
}

fn open(file: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if file == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let opened = File::open(file)
        .with_context(|| format!("cannot read the rollouts file {}", file.display()))?;
    Ok(Box::new(BufReader::with_capacity(READ_BYTES, opened)))
}

fn show(
    out: &mut BufWriter<StdoutLock<'_>>,
    format: Format,
    value: &(impl Serialize + std::fmt::Display),
) -> anyhow::Result<()> {
    match format {
        Format::Text => writeln!(out, "{value}")?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(value)?)?,
    }
    Ok(())
}
