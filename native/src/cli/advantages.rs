//! `hgpo advantages`: estimates of the steps of a rollouts file.

mod into;
mod provenance;
mod rollouts_file;
mod size_limits;
mod step_name;
mod task_order;

use std::cell::RefCell;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use hgpo_core::format::{Columns, Layout, RolloutWarnings, StateOf};
use hgpo_core::{Batch, Estimate, Options, Signal, diagnostics_by_task, estimate, format};
use serde::Serialize;

use self::provenance::OptionsSource;
use self::rollouts_file::{RolloutsFile, is_file, is_scattered, locate_error};
use self::step_name::StepName;
use super::options::estimator::{EstimatorOptions, by_flag};
use super::options::estimator_flags::flag_name;
use super::options::find_run;
use crate::run::storage::run_directory::read_settings;
use crate::terminal::escape_control_characters;

pub(super) const AFTER: &str = "\
Prints one JSON object per trajectory, with an advantage for every step.

Exit status: 0 success, 1 failure, 2 usage error.

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo advantages rollouts.jsonl
  hgpo advantages rollouts.csv --estimator gigpo --diagnostics
  hgpo advantages table.csv --columns task=group,trajectory=id,state=obs,reward=score
  hgpo advantages rollouts.jsonl --explain task/trajectory/4
  hgpo advantages conversations.jsonl --explain 17/0   # line 17, first turn
  hgpo advantages conversations.jsonl --into with-advantages.jsonl";

#[derive(Debug, Args)]
pub(super) struct Advantages {
    /// Rollouts: JSON Lines (one trajectory, step or conversation per line, or what a trainer dumped),
    /// CSV, either of them with gzip, or Parquet; - reads standard input
    file: PathBuf,
    /// Explain the advantage of one step, for example g00/g00t3/4, or g00t3/4 if no other task has
    /// such a trajectory; if a name contains a /, write a JSON list: '["g/00","g00t3",4]'
    #[arg(long, value_name = "TASK/TRAJECTORY/STEP", conflicts_with = "diagnostics")]
    explain: Option<StepName>,
    /// Print group sizes, singletons and constant groups of every level instead of advantages
    #[arg(long)]
    diagnostics: bool,
    /// Write the log with an `advantage` for every step, in its own form, to a new file instead of
    /// printing advantages
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "diagnostics"])]
    into: Option<PathBuf>,
    /// Output format of --explain and --diagnostics
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Use the estimator recorded in the file (the first line of a training trace)
    #[arg(long, conflicts_with = "run")]
    recorded: bool,
    /// Use the estimator of this run: its folder, or its name under runs/
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Names of columns that are not called as the fields are, for example
    /// task=group,trajectory=id,state=obs,reward=score
    #[arg(long, value_name = "FIELD=COLUMN,...")]
    columns: Option<Columns>,
    /// What of a conversation is the state of a step: last-observation (what was said since the
    /// assistant's last turn), transcript (all before the turn) or tool-result (the last of a tool)
    #[arg(long, value_name = "STATE", default_value = "last-observation")]
    state: StateOf,
    /// Warn of tasks that do not have this many trajectories
    #[arg(long, value_name = "TRAJECTORIES")]
    group_size: Option<usize>,
    /// Read all of standard input first, if the lines of a task are not consecutive; files are read so
    /// without asking
    #[arg(long)]
    whole_file: bool,
    #[command(flatten, next_help_heading = "Estimator")]
    options: EstimatorOptions,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text
    #[default]
    Text,
    /// One JSON object
    Json,
}

impl Advantages {
    /// How the file says what it holds.
    fn layout(&self) -> Layout {
        Layout {
            columns: self.columns.clone().unwrap_or_default(),
            state_of: self.state,
            group_size: self.group_size,
        }
    }
}

/// Prints advantages, the explanation of one, or diagnostics.
pub(super) fn run(args: &Advantages) -> anyhow::Result<()> {
    let source = options_source(args)?;
    let named = || args.file.display().to_string();
    let mut rollouts = RolloutsFile::open(&args.file, &args.layout())?;
    let (options, warning) = source.resolve(rollouts.provenance()).with_context(named)?;
    let mut warnings = Warnings::of(&options);
    let mut printed = false;
    let printed_all = if args.explain.is_some() || args.diagnostics {
        print_whole(args, rollouts, &options, &mut warnings)
    } else {
        print_advantages(args, rollouts, &options, &mut warnings, &mut printed)
    };
    printed_all.map_err(|error| locate_error(&args.file, &args.layout(), error, printed))?;
    for warning in warning.into_iter().chain(warnings.describe()) {
        let warning = format!("warning: {}: {warning}", named());
        writeln!(std::io::stderr().lock(), "{}", escape_control_characters(&warning))?;
    }
    Ok(())
}

/// Prints the advantages, or writes them into a copy of the log, task by task if the estimator allows it: a file need not fit into memory.
fn print_advantages(
    args: &Advantages,
    mut rollouts: RolloutsFile,
    options: &Options,
    warnings: &mut Warnings,
    printed: &mut bool,
) -> anyhow::Result<()> {
    let whole = reads_whole(args, options) || rollouts.is_dump()? || rollouts.is_scattered()?;
    let into = args.into.as_deref();
    let mut copy = into.map(|path| into::begin(path, &args.file, &args.layout())).transpose()?;
    let of_copy = |error| into::describe(error, into.unwrap_or(&args.file));
    let mut out = BufWriter::new(std::io::stdout().lock());
    for estimated in estimated_batches(rollouts, whole, options, warnings) {
        let (batch, estimate) = estimated?;
        if let Some(copy) = &mut copy {
            copy.write(&batch, &estimate.advantages).map_err(of_copy)?;
        } else {
            format::write_advantages(&mut out, &batch, &estimate)?;
            *printed = true;
        }
    }
    copy.map_or(Ok(()), |copy| copy.finish().map_err(of_copy))?;
    Ok(out.flush()?)
}

/// Prints what is known at the end of the file. One whose tasks are scattered is read once more.
fn print_whole(
    args: &Advantages,
    mut rollouts: RolloutsFile,
    options: &Options,
    warnings: &mut Warnings,
) -> anyhow::Result<()> {
    let whole = reads_whole(args, options) || rollouts.is_dump()?;
    let mut printed_all = |rollouts: RolloutsFile, whole| {
        let batches = estimated_batches(rollouts, whole, options, warnings);
        let batches = batches.map(|estimated| estimated.map(|(batch, _)| batch));
        if let Some(step) = &args.explain {
            print_value(args.format, &step.explain(batches, options)?)
        } else {
            print_value(args.format, &diagnostics_by_task(batches, options)?)
        }
    };
    match printed_all(rollouts, whole) {
        Err(error) if is_scattered(&error) && is_file(&args.file) => {
            printed_all(RolloutsFile::open(&args.file, &args.layout())?, true)
        }
        printed_all => printed_all,
    }
}

/// Whether all tasks are needed at once.
fn reads_whole(args: &Advantages, options: &Options) -> bool {
    args.whole_file || options.estimator.needs_whole_batch()
}

/// The batches with their estimates; of both, warnings tell.
fn estimated_batches(
    rollouts: RolloutsFile,
    whole: bool,
    options: &Options,
    warnings: &mut Warnings,
) -> impl Iterator<Item = anyhow::Result<(Batch, Estimate)>> {
    warnings.signal = Signal::default();
    rollouts.batches(whole, Rc::clone(&warnings.rows)).map(|batch| {
        let batch = batch?;
        warnings.observe(&batch);
        size_limits::check(&batch, options)?;
        let estimate = estimate(&batch, options)?;
        warnings.signal.observe(&batch, &estimate);
        Ok((batch, estimate))
    })
}

/// Where the options come from: flags, a run, or the file.
fn options_source(args: &Advantages) -> anyhow::Result<OptionsSource> {
    let given = args.options.names_given().next().map(flag_name);
    let instead = args.run.as_ref().map(|run| format!("--run {run}"));
    let instead = instead.or_else(|| args.recorded.then(|| "--recorded".to_owned()));
    if let (Some(flag), Some(instead)) = (&given, instead) {
        bail!("{flag}: {instead} already chooses the estimator; leave one of them out");
    }
    if let Some(run) = &args.run {
        let config = read_settings(&find_run(run)?)?;
        let options = config.options()?;
        return Ok(OptionsSource::Run(Box::new(config), options));
    }
    Ok(match given {
        Some(_) => {
            let given = args.options.names_given().map(str::to_owned).collect();
            let options = args.options.resolve()?;
            if let Err(idle) = options.estimator.check_effects() {
                let idle = by_flag(idle, "--estimator").to_string();
                writeln!(std::io::stderr().lock(), "note: {}", escape_control_characters(&idle))?;
            }
            OptionsSource::EstimatorFlags(options, given)
        }
        None if args.recorded => OptionsSource::Recorded,
        None => OptionsSource::Nothing,
    })
}

fn print_value(format: Format, value: &(impl Serialize + std::fmt::Display)) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match format {
        Format::Text => writeln!(out, "{}", escape_control_characters(&value.to_string()))?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(value)?)?,
    }
    Ok(())
}

/// What there is to say of rollouts, as far as they were read.
struct Warnings {
    /// Whether contexts are looked at, and no step has one.
    contexts: bool,
    /// Whether agents are looked at, and no step has one.
    agents: bool,
    /// What was noticed in all rows.
    rows: Rc<RefCell<RolloutWarnings>>,
    /// How many steps have an advantage.
    signal: Signal,
}

impl Warnings {
    fn of(options: &Options) -> Self {
        let estimator = &options.estimator;
        Self {
            contexts: estimator.reads_summaries(),
            agents: estimator.reads_agents(),
            rows: Rc::default(),
            signal: Signal::default(),
        }
    }

    fn observe(&mut self, batch: &Batch) {
        let steps = || batch.trajectories().iter().flat_map(|trajectory| &trajectory.steps);
        self.contexts = self.contexts && steps().all(|step| step.context.is_none());
        self.agents = self.agents && steps().all(|step| step.agent.is_none());
    }

    /// A sentence for each.
    fn describe(&self) -> impl Iterator<Item = String> {
        let contexts = "no step has a `context`, so --history summary found only level 0";
        let agents = "no step has an `agent`, so dr-mas took all steps as those of one agent";
        let missing = [(self.contexts, contexts), (self.agents, agents)];
        let missing = missing.into_iter().filter(|(is_missing, _)| *is_missing);
        let missing = missing.map(|(_, warning)| warning.to_owned());
        let rows: Vec<String> = self.rows.borrow().remarks().collect();
        missing.chain(rows).chain(self.signal.remark())
    }
}
