//! `hgpo bias`: bias and variance of advantages under a trained policy.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use hgpo_core::{BiasStudy, Discount, Estimator, Options};
use hgpo_train::config::{Config, CriticKind};
use hgpo_train::memory::{MemoryPart, PolicySize};
use hgpo_train::values::CONTINUATIONS;
use hgpo_train::values::bias_study::BiasStudyPlan;
use serde_json::Value;

use super::options::estimator::by_flag;
use super::options::estimator_flags::{EstimatorFlags, with_default};
use super::options::{EnvironmentOptions, MachineOptions, check_count, find_run, play_options};
use crate::run::checkpoint::restored_policy::{RestoreContext, RestoredPolicy, restore};
use crate::run::evaluation::bias_study::{BiasFindings, study};
use crate::run::machine::memory_check;
use crate::run::plots::bias_chart_svg;
use crate::run::storage::atomic_write;
use crate::run::storage::run_directory::read_settings;
use crate::run::{Display, Interrupt, OutputLock, RunDirectory, RunError};

pub(super) const AFTER: &str = "\
Plays groups with the newest checkpoint, at the temperature and with the prompts of training, and
compares every advantage with the true one: Q - V in units of discounted return, both estimated from
continuations of the step's history. Advantages must have the same unit, so --scale is mean and
--invalid-penalty 0 by default. Estimators that read state values (--state-value recorded) get those of
the run's critic. Prints a table and writes bias.json and bias.svg.

Exit status: 0 success, 1 failure, 2 usage error, 130 stopped by Ctrl-C (nothing is written).

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo bias runs/NAME --estimators hgpo,grpo --tasks 8
  hgpo bias runs/NAME --estimators composed --state-value recorded --credit gae --among nothing";

#[derive(Debug, Args)]
#[command(mut_arg("scale", |scale| with_default(scale, "mean")))]
#[command(mut_arg("invalid_penalty", |penalty| with_default(penalty, "0")))]
#[command(mut_arg("discount", |discount| with_default(discount, "the discount of the run")))]
pub(super) struct Bias {
    /// The run: its folder, or its name under runs/
    run: String,
    /// Estimators to compare; +WORD sets the option that has this value: hgpo+adaptive, hgpo+verl,
    /// hgpo+others
    #[arg(
        long,
        value_name = "NAME[+WORD],...",
        value_delimiter = ',',
        default_value = "hgpo,hgpo+others,hgpo+adaptive,gigpo,grpo"
    )]
    estimators: Vec<String>,
    /// Number of tasks, drawn as in training
    #[arg(long, value_name = "N", default_value_t = 4)]
    tasks: usize,
    /// Continuations averaged for the value of each history
    #[arg(long, value_name = "M", default_value_t = 32)]
    rollouts: usize,
    /// Groups per task, each of the run's rollout.group_size trajectories
    #[arg(long, value_name = "R", default_value_t = 16)]
    groups: usize,
    /// Seed of tasks, episodes and continuations [default: the seed of the run]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Output folder [default: bias in the run's folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    environment: EnvironmentOptions,
    #[command(flatten, next_help_heading = "Estimator")]
    flags: EstimatorFlags,
}

/// Most tasks, continuations and groups.
const MOST: usize = 1_000_000;

/// Plays, values, compares; prints a table and writes the findings.
pub(super) fn run(args: &Bias) -> anyhow::Result<u8> {
    check_count("--tasks", args.tasks, 1, MOST)?;
    check_count("--rollouts", args.rollouts, 2, MOST)?;
    check_count("--groups", args.groups, 2, MOST)?;
    let directory = find_run(&args.run)?;
    let config = read_settings(&directory)?;
    check_room(args, &config)?;
    let given = &args.flags;
    let discount = given.get("discount").and_then(Value::as_f64).unwrap_or(config.learn.discount);
    let flags = given.clone().or("discount", discount);
    let flags = flags.or("scale", "mean").or("invalid_penalty", 0);
    let estimators = studies(&args.estimators, given, &flags, config.critic.kind)?;
    let plan = BiasStudyPlan {
        seed: args.seed.unwrap_or(config.seed),
        tasks: args.tasks,
        groups: args.groups,
        rollouts: args.rollouts,
        discount: Discount::new(discount)?,
    };
    let (folder, _lock) = output(args, &directory)?;
    let session = RestoreContext::new(Display::line);
    let options = play_options(&args.machine, &args.environment)?;
    let RestoredPolicy { learner, machine, .. } = restore(&directory, &config, &options, &session)?;
    let display = &session.display;
    let findings = study(learner.as_ref(), &plan, estimators, &machine);
    display.clear();
    let Some(findings) = findings? else {
        display.line("stopped: nothing was written");
        return Ok(Interrupt::EXIT_STATUS);
    };
    conclude(&findings, &folder, display)?;
    Ok(0)
}

/// The folder that findings are written to, held by this process: the one that is asked for, or one of the run's own that
/// no other process has.
fn output(args: &Bias, directory: &RunDirectory) -> anyhow::Result<(PathBuf, OutputLock)> {
    loop {
        let folder = args.out.clone().unwrap_or_else(|| directory.bias());
        let lock = match OutputLock::take(&folder) {
            // It is there now, so that the next name is another.
            Err(RunError::Locked { .. }) if args.out.is_none() => continue,
            lock => lock?,
        };
        let files = ["bias.json", "bias.svg"].map(|name| folder.join(name));
        match files.into_iter().find(|it| it.exists()) {
            None => return Ok((folder, lock)),
            Some(_) if args.out.is_none() => {}
            Some(there) => {
                bail!("{} already exists: choose another folder with --out", there.display())
            }
        }
    }
}

/// Writes the findings and prints their table.
fn conclude(findings: &BiasFindings, folder: &Path, display: &Display) -> anyhow::Result<()> {
    let told = display.report(&format!("\n{}", findings.table()));
    atomic_write::replace_json(&folder.join("bias.json"), findings)?;
    bias_chart_svg::draw(&folder.join("bias.svg"), findings)?;
    let files = format!("\nbias.json and bias.svg: {}", folder.display());
    told.and_then(|()| display.report(&files)).with_context(|| {
        format!("the study is complete in {}, but its report cannot be written", folder.display())
    })
}

/// An empty study of every estimator of a run with such a critic: with all `flags`, of which some were
/// `given`.
fn studies(
    names: &[String],
    given: &EstimatorFlags,
    flags: &EstimatorFlags,
    critic: CriticKind,
) -> anyhow::Result<Vec<(String, BiasStudy)>> {
    let flag = |name: &str| format!("--estimators {name}");
    let variant = |name: &String| flags.variant(name, &flag(name));
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        bail!("{}: it is named twice; leave one of them out", flag(&names[twice]));
    }
    let variants: Vec<Options> = names.iter().map(variant).collect::<Result<_, _>>()?;
    let estimators: Vec<&Estimator> = variants.iter().map(|of| &of.estimator).collect();
    // The study looks at contexts up to this length whatever the estimators compare.
    given.check(&estimators, &["context_length"])?;
    let longest = Estimator::default().context_length().unwrap_or_default();
    let longest = given.get("context_length").and_then(Value::as_u64).unwrap_or(longest as u64);
    let study = |(name, of): (&String, &Options)| {
        ensure!(
            critic != CriticKind::None || !of.estimator.reads_state_values(),
            "{}: the run has no critic to say what states are worth: train it with --set \
             critic.kind=least-squares, which changes nothing else, or choose another --state-value",
            flag(name)
        );
        let study = BiasStudy::new(of, longest as usize);
        let study = study.map_err(|error| by_flag(error, &flag(name)))?;
        Ok((name.clone(), study))
    };
    names.iter().zip(&variants).map(study).collect()
}

/// Refuses a study whose episodes do not fit in memory even with one step each: those of all groups of a task are held, and
/// beside them the continuations of some histories.
fn check_room(args: &Bias, config: &Config) -> anyhow::Result<()> {
    let episodes = args.groups.saturating_mul(config.rollout.group_size);
    let continuations = args.rollouts.max(CONTINUATIONS);
    let size = PolicySize::table();
    let part = |what, episodes, settings| {
        let bytes = size.played(config, episodes);
        MemoryPart { what, bytes, settings }
    };
    Ok(memory_check::check_parts(&[
        part("episodes", episodes, "--groups or rollout.group_size"),
        part("continuations", continuations, "--rollouts"),
    ])?)
}
