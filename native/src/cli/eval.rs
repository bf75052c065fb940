//! `hgpo eval`: evaluation of trained policies on held-out tasks.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::{Context as _, bail};
use clap::Args;
use hgpo_env::Split;
use hgpo_env::registry::entry;
use hgpo_train::config::Config;
use hgpo_train::trainer::SPLITS;

use super::options::{MachineOptions, check_count, find_run, split_name};
use crate::run::checkpoint::restored_policy::{RestoreContext, RestoredPolicy, restore};
use crate::run::evaluation::evaluation_report::EvaluationReport;
use crate::run::evaluation::held_out::{HeldOutPlan, RunEvaluation, evaluate};
use crate::run::storage::run_directory::read_settings;
use crate::run::{Display, Interrupt, RunDirectory};
use crate::terminal::escape_control_characters;

pub(super) const AFTER: &str = "\
Plays the evaluation tasks of each run with its newest checkpoint and prints, for every split and
temperature: mean success and its sample standard deviation over the seeds; the 95 % intervals of a
bootstrap over tasks and over seeds; success by kind of task. With several attempts per task, it also
prints avg@k, their mean, and pass@k, the unbiased estimate 1 - C(n-c,k)/C(n,k) of the chance that one of
k succeeds. All of it is saved in the run, in a new file evaluations/iteration_N.json.

Exit status: 0 success, 1 failure, 2 usage error, 130 stopped by Ctrl-C (runs that are done are kept).

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo eval runs/NAME --split unseen --seeds 1,2,3
  hgpo eval runs/chores-* --temperature 0.4,0 --json       # several runs, also greedy
  hgpo eval runs/NAME --published                          # the protocol of the published tables";

/// The name of all splits.
const BOTH: &str = "both";

#[derive(Debug, Args)]
pub(super) struct Eval {
    /// Runs: their folders, or their names under runs/
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Tasks to evaluate on
    #[arg(long, value_parser = split_name(["seen", "unseen", BOTH]), default_value = BOTH)]
    split: String,
    /// Evaluation seeds, for example 123,456,789 [default: those of the run]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    seeds: Vec<u64>,
    /// Sampling temperatures; 0 is greedy [default: that of the run]
    #[arg(long, value_name = "T,T", value_delimiter = ',')]
    temperature: Vec<f64>,
    /// Tasks per split and seed [default: those of the run]
    #[arg(long, value_name = "N")]
    tasks: Option<usize>,
    /// Attempts at every task, for avg@k and pass@k
    #[arg(long, value_name = "K", default_value_t = 1)]
    attempts: usize,
    /// The published protocol: seeds 123, 456 and 789, temperature 0.4 and greedy, 512 tasks (WebShop: its
    /// 500 goals); other flags override it
    #[arg(long)]
    published: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    machine: MachineOptions,
}

/// Measures the newest checkpoint of every run, keeps what was found, and prints it.
pub(super) fn run(args: &Eval) -> anyhow::Result<u8> {
    check_count("--attempts", args.attempts, 1, 1_000)?;
    // Whatever is wrong with a name or with settings is found before anything is played.
    let planned: Vec<(RunDirectory, Config, HeldOutPlan)> =
        args.runs.iter().map(|name| plan_evaluation(args, name)).collect::<Result<_, _>>()?;
    refuse_twice(args, &planned)?;
    // With --json, standard output is the object alone.
    let session = RestoreContext::new(if args.json { Display::warn } else { Display::line });
    let (mut found, mut kept) = (Vec::new(), Ok(()));
    for (directory, config, plan) in &planned {
        let Some(evaluation) = evaluation(args, directory, config, plan, &session)? else {
            return Ok(Interrupt::EXIT_STATUS);
        };
        // What was played is printed even if it cannot be kept.
        kept = kept.and(directory.save_evaluation(&evaluation).map(|_| ()));
        found.push(evaluation);
    }
    let found = EvaluationReport::new(found);
    let text = if args.json {
        serde_json::to_string(&found)?
    } else {
        escape_control_characters(found.table().trim_end()).into_owned()
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush())?;
    kept.context("the evaluation is complete and printed, but cannot be kept")?;
    Ok(0)
}

/// Refuses a run that is named twice, however it is named: it would count as two.
fn refuse_twice(
    args: &Eval,
    planned: &[(RunDirectory, Config, HeldOutPlan)],
) -> anyhow::Result<()> {
    let mut known = BTreeMap::new();
    let mut settings: Vec<(&String, Config)> = Vec::new();
    for (name, (directory, ..)) in args.runs.iter().zip(planned) {
        let root = &directory.root;
        let root = root.canonicalize().unwrap_or_else(|_| root.clone());
        if let Some(first) = known.insert(root, name) {
            bail!("{name}: the same run as {first}, and a run counts once: leave one of them out");
        }
        let own = read_settings(directory)?;
        if let Some((first, _)) = settings.iter().find(|(_, other)| *other == own) {
            bail!(
                "{name}: the same settings and seed as {first}, as of a copy, and a run counts once: leave one \
                 of them out"
            );
        }
        settings.push((name, own));
    }
    Ok(())
}

/// A run, its settings, and what it is examined on.
fn plan_evaluation(args: &Eval, name: &str) -> anyhow::Result<(RunDirectory, Config, HeldOutPlan)> {
    let directory = find_run(name)?;
    let mut config = read_settings(&directory)?;
    let evaluation = &mut config.evaluation;
    let mut temperatures = vec![evaluation.temperature];
    if args.published {
        evaluation.tasks = entry(&config.environment.name)?.published_tasks;
        evaluation.seeds = vec![123, 456, 789];
        temperatures = vec![0.4, 0.0];
    }
    evaluation.tasks = args.tasks.unwrap_or(evaluation.tasks);
    if !args.seeds.is_empty() {
        evaluation.seeds.clone_from(&args.seeds);
    }
    if !args.temperature.is_empty() {
        temperatures.clone_from(&args.temperature);
    }
    for &temperature in &temperatures {
        config.evaluation.temperature = temperature;
        config.validate()?;
    }
    // Zero has two signs.
    let mut bits: Vec<u64> = temperatures.iter().map(|it| (it + 0.0).to_bits()).collect();
    bits.sort_unstable();
    if bits.windows(2).any(|pair| pair[0] == pair[1]) {
        bail!("--temperature: one is named twice; leave one of them out");
    }
    let is_wanted = |split: &Split| [split.name(), BOTH].contains(&args.split.as_str());
    let plan = HeldOutPlan {
        temperatures,
        splits: SPLITS.into_iter().filter(is_wanted).collect(),
        seeds: config.evaluation.seeds.clone(),
        tasks: config.evaluation.tasks,
        attempts: args.attempts,
    };
    Ok((directory, config, plan))
}

/// What a run comes to; `None` when interrupted.
fn evaluation(
    args: &Eval,
    directory: &RunDirectory,
    config: &Config,
    plan: &HeldOutPlan,
    session: &RestoreContext,
) -> anyhow::Result<Option<RunEvaluation>> {
    let MachineOptions { device, threads } = args.machine;
    let restored = restore(directory, config, device, threads, session)?;
    let RestoredPolicy { learner, suite, iteration, device, machine } = restored;
    let results = evaluate(learner.as_ref(), suite.as_ref(), plan, &machine);
    session.display.clear();
    let results = results?;
    Ok(results.map(|results| RunEvaluation {
        version: RunEvaluation::VERSION,
        run: directory.root.display().to_string(),
        environment: config.environment.name.clone(),
        estimator: config.estimator.name().to_owned(),
        model: config.pretrained.model.clone(),
        seed: config.seed,
        iteration,
        device,
        tasks: plan.tasks,
        attempts: plan.attempts,
        results,
    }))
}
