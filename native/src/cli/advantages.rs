//! `hgpo advantages`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, StdoutLock, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use hgpo_core::{
    Batch, Error, Options, StepAddress, Trajectory, diagnostics, estimate, explain, format,
};
use serde::Serialize;

use super::estimator::EstimatorOptions;
use super::recorded::{Asked, Stated};
use super::train::{RUNS, settings_of};
use crate::run::RunDirectory;
use crate::shown::harmless;

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
    /// Estimates as the rollouts were made, which the first line of a trainer's trace says
    #[arg(long, conflicts_with = "run")]
    recorded: bool,
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
    let asked = asked(args)?;
    let named = || args.file.display().to_string();
    let mut rollouts = Rollouts::open(&args.file)?;
    let (options, warning) = asked.resolve(rollouts.provenance()).with_context(named)?;
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
    match rollouts {
        Rollouts::Lines(tasks) if !whole => {
            for task in tasks {
                print(task.with_context(named)?)?;
            }
        }
        rollouts => print(rollouts.read_whole().with_context(named)?)?,
    }
    out.flush()?;
    for warning in warning.as_deref().into_iter().chain(missing.warnings()) {
        writeln!(std::io::stderr().lock(), "warning: {}: {warning}", named())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A rollouts file that is open.
enum Rollouts {
    /// JSON Lines, which can be read task by task.
    Lines(Box<format::Reader<Box<dyn BufRead>>>),
    /// Another format.
    Other(Box<dyn BufRead>),
}

impl Rollouts {
    fn open(file: &Path) -> anyhow::Result<Self> {
        let mut input = open(file)?;
        let is_lines = is_json_lines(&mut input).with_context(|| file.display().to_string())?;
        let lines = |input| Self::Lines(Box::new(format::Reader::new(input)));
        Ok(if is_lines { lines(input) } else { Self::Other(input) })
    }

    fn provenance(&mut self) -> Stated {
        match self {
            Self::Lines(tasks) => tasks.provenance(),
            Self::Other(_) => Ok(None),
        }
    }

    fn read_whole(self) -> Result<Vec<Trajectory>, Error> {
        match self {
            Self::Lines(tasks) => tasks.read_whole(),
            Self::Other(input) => format::read(input),
        }
    }
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

    fn warnings(&self) -> impl Iterator<Item = &str> {
        let contexts = "no step has a `context`: --history summary found only level 0";
        let agents =
            "no step has an `agent`: dr-mas compared all steps, as --inside does without it";
        [(self.contexts, contexts), (self.agents, agents)]
            .into_iter()
            .filter_map(|(is_missing, warning)| is_missing.then_some(warning))
    }
}

/// Where the options come from: flags, a run, or the file.
fn asked(args: &Advantages) -> anyhow::Result<Asked> {
    let given = args.options.first_given();
    let instead = args.run.as_ref().map(|run| format!("--run {run}"));
    let instead = instead.or_else(|| args.recorded.then(|| "--recorded".to_owned()));
    if let (Some(flag), Some(instead)) = (&given, instead) {
        bail!("{flag}: {instead} says how to estimate; leave one of them out");
    }
    if let Some(run) = &args.run {
        let config = settings_of(&RunDirectory::find(Path::new(RUNS), run)?)?;
        let options = config.options()?;
        return Ok(Asked::Run(Box::new(config), options));
    }
    Ok(match given {
        Some(_) => Asked::Flags(args.options.resolve()?),
        None if args.recorded => Asked::Recorded,
        None => Asked::Nothing,
    })
}

/// Whether the input begins as JSON Lines, which can be read task by task.
fn is_json_lines(input: &mut impl BufRead) -> std::io::Result<bool> {
    let bytes = input.fill_buf()?;
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
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
        Format::Text => writeln!(out, "{}", harmless(&value.to_string()))?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(value)?)?,
    }
    Ok(())
}
