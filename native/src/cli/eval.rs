//! `hgpo eval`: evaluation of trained policies, and of language models as they are, on held-out tasks.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use hgpo_env::Split;
use hgpo_env::panel::{self, Panel};
use hgpo_env::registry::PanelEntry;
use hgpo_train::config::Config;
use hgpo_train::trainer::SPLITS;

use super::options::{
    EnvironmentOptions, MachineOptions, check_count, find_run, number_of, play_options, split_name,
};
use crate::run::checkpoint::restored_policy::{
    CheckpointChoice, PlayOptions, RestoreContext, RestoredPolicy, restore, untrained,
};
use crate::run::environment::entry;
use crate::run::evaluation::evaluation_report::EvaluationReport;
use crate::run::evaluation::held_out::{HeldOutPlan, PanelDigest, RunEvaluation, evaluate};
use crate::run::storage::run_directory::read_settings;
use crate::run::{Display, Interrupt, RunDirectory};
use crate::settings::SettingsLayers;
use crate::terminal::escape_control_characters;

pub(super) const AFTER: &str = "\
Plays the evaluation tasks of each run with its newest checkpoint (or another: --checkpoint) and prints,
for every split and temperature: mean success and its sample standard deviation over the seeds; the 95 % intervals of a
bootstrap over tasks and over seeds; success by kind of task. With several attempts per task, it also
prints avg@k, their mean, and pass@k, the unbiased estimate 1 - C(n-c,k)/C(n,k) of the chance that one of
k succeeds. All of it is saved in the run, in a new file evaluations/iteration_N.json.

Exit status: 0 success, 1 failure, 2 usage error, 130 stopped by Ctrl-C (runs that are done are kept).

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo eval runs/NAME --split unseen --seeds 1,2,3
  hgpo eval runs/chores-* --temperature 0.4,0 --json       # several runs, also greedy
  hgpo eval runs/NAME --published                          # the protocol of the published tables
  hgpo eval runs/NAME --panel chores-unseen                # tasks that are the same for everyone
  hgpo eval --model DIR --preset alfworld-qwen2.5-1.5b-k2 --published   # somebody else's checkpoint";

/// The name of all splits.
const BOTH: &str = "both";

#[derive(Debug, Args)]
pub(super) struct Eval {
    /// Runs: their folders, or their names under runs/
    #[arg(required_unless_present = "model", value_name = "RUN")]
    runs: Vec<String>,
    /// Instead of runs, a language model as it is: Hugging Face model folder, GGUF file, or model on the
    /// Hugging Face hub (OWNER/NAME); a preset or a file says what it plays and how it is prompted
    #[arg(long, value_name = "DIR|NAME", conflicts_with = "runs", requires = "settings")]
    model: Option<String>,
    #[arg(long, value_name = "NAME", requires = "model", conflicts_with = "runs", group = "settings", help = crate::settings::presets::help())]
    preset: Option<String>,
    /// TOML file of settings for --model
    #[arg(
        long,
        value_name = "FILE",
        requires = "model",
        conflicts_with = "runs",
        group = "settings"
    )]
    config: Option<PathBuf>,
    /// Override a setting for --model, for example rollout.history_length=4; repeatable
    #[arg(long, value_name = "KEY=VALUE", requires = "model", conflicts_with = "runs")]
    set: Vec<String>,
    /// Which checkpoint of each run: the newest, the best by checkpoint.best over the seen tasks of training's
    /// evaluations (others, or other seeds, then say how good it is), or that of iteration N
    #[arg(long, value_name = "newest|best|N", default_value = "newest", conflicts_with = "model")]
    checkpoint: CheckpointChoice,
    /// Tasks to evaluate on
    #[arg(long, value_parser = split_name(["seen", "unseen", BOTH]), default_value = BOTH)]
    split: String,
    /// A fixed list of tasks in place of those that seeds draw (docs/evaluation.md lists them); seeds then
    /// differ in sampling alone
    #[arg(long, value_name = "NAME", conflicts_with_all = ["split", "tasks"])]
    panel: Option<String>,
    /// Evaluation seeds, for example 123,456,789 [default: those of the run]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    seeds: Vec<u64>,
    /// Sampling temperatures; 0 is greedy [default: that of the run]
    #[arg(long, value_name = "T,T", value_delimiter = ',')]
    temperature: Vec<f64>,
    /// Sample from the most likely tokens whose probabilities add up to P [default: that of the run]
    #[arg(long, value_name = "P", value_parser = number_of("evaluation.top_p"))]
    top_p: Option<f64>,
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
    #[command(flatten)]
    environment: EnvironmentOptions,
}

/// What is evaluated, and on what.
struct Planned<'a> {
    /// Its run; none of a language model as it is.
    run: Option<(&'a str, RunDirectory)>,
    config: Config,
    plan: HeldOutPlan,
    panel: Option<&'static PanelEntry>,
}

/// Measures a checkpoint of every run, or a model, keeps what was found in its run, and prints it.
pub(super) fn run(args: &Eval) -> anyhow::Result<u8> {
    check_count("--attempts", args.attempts, 1, 1_000)?;
    // Whatever is wrong with a name or with settings is found before anything is played.
    let planned: Vec<Planned> = match &args.model {
        Some(model) => vec![plan_evaluation(args, None, model_settings(args, model)?)?],
        None => args.runs.iter().map(|name| plan_run(args, name)).collect::<Result<_, _>>()?,
    };
    refuse_twice(&planned)?;
    // With --json, standard output is the object alone.
    let session = RestoreContext::new(if args.json { Display::warn } else { Display::line });
    let (mut found, mut kept) = (Vec::new(), Ok(()));
    for planned in &planned {
        let Some(evaluation) = evaluation(args, planned, &session)? else {
            return Ok(Interrupt::EXIT_STATUS);
        };
        // What was played is printed even if it cannot be kept.
        if let Some((_, directory)) = &planned.run {
            kept = kept.and(directory.save_evaluation(&evaluation).map(|_| ()));
        }
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
fn refuse_twice(planned: &[Planned]) -> anyhow::Result<()> {
    let mut known = BTreeMap::new();
    let mut settings: Vec<(&str, Config)> = Vec::new();
    for (name, directory) in planned.iter().filter_map(|it| it.run.as_ref()) {
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

/// The settings that a language model is evaluated with.
fn model_settings(args: &Eval, model: &str) -> anyhow::Result<Config> {
    let mut layers = SettingsLayers::defaults();
    args.preset.iter().try_for_each(|name| layers.apply_preset(name))?;
    args.config.iter().try_for_each(|path| layers.apply_file(path))?;
    layers.apply_model(model)?;
    layers.apply_assignments(&args.set)?;
    let mut config = layers.resolve()?;
    // Nothing is learned: weights need no room for their gradients.
    config.pretrained.lora.rank = config.pretrained.lora.rank.max(1);
    Ok(config)
}

fn plan_run<'a>(args: &Eval, name: &'a str) -> anyhow::Result<Planned<'a>> {
    let directory = find_run(name)?;
    let config = read_settings(&directory)?;
    plan_evaluation(args, Some((name, directory)), config)
}

/// What a policy of these settings is evaluated on.
fn plan_evaluation<'a>(
    args: &Eval,
    run: Option<(&'a str, RunDirectory)>,
    mut config: Config,
) -> anyhow::Result<Planned<'a>> {
    let panel = args.panel.as_ref().map(|name| panel_of(name, &config)).transpose()?;
    let evaluation = &mut config.evaluation;
    let mut temperatures = vec![evaluation.temperature];
    if args.published {
        evaluation.tasks = entry(&config.environment.name)?.published_tasks;
        evaluation.seeds = vec![123, 456, 789];
        temperatures = vec![0.4, 0.0];
        evaluation.top_p = 1.0;
    }
    evaluation.tasks = panel.map(|it| it.tasks).or(args.tasks).unwrap_or(evaluation.tasks);
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
    let is_wanted = |split: &Split| match panel {
        Some(panel) => *split == panel.split,
        None => [split.name(), BOTH].contains(&args.split.as_str()),
    };
    let plan = HeldOutPlan {
        temperatures,
        top_p: args.top_p.unwrap_or(config.evaluation.top_p),
        splits: SPLITS.into_iter().filter(is_wanted).collect(),
        seeds: config.evaluation.seeds.clone(),
        tasks: config.evaluation.tasks,
        attempts: args.attempts,
    };
    Ok(Planned { run, config, plan, panel })
}

/// The panel of this name, which has to be of the environment of the settings.
fn panel_of(name: &str, config: &Config) -> anyhow::Result<&'static PanelEntry> {
    let (environment, entry) = panel::entry(name)?;
    let own = &config.environment.name;
    if *own != environment.name {
        bail!(
            "--panel {name}: its tasks are of {}, not of {own}: choose a panel of {own}",
            environment.name
        );
    }
    Ok(entry)
}

/// What it comes to; `None` when interrupted.
fn evaluation(
    args: &Eval,
    planned: &Planned,
    session: &RestoreContext,
) -> anyhow::Result<Option<RunEvaluation>> {
    let Planned { run, config, plan, panel } = planned;
    let options = play_options(&args.machine, &args.environment)?;
    let options = PlayOptions { panel: *panel, checkpoint: args.checkpoint, ..options };
    let restored = match run {
        Some((_, directory)) => restore(directory, config, &options, session)?,
        None => untrained(config, &options, session)?,
    };
    let RestoredPolicy { learner, suite, panel, iteration, device, machine } = restored;
    let results = evaluate(learner.as_ref(), suite.as_ref(), plan, &machine);
    session.display.clear();
    let results = results?;
    let of_panel =
        |it: Panel| PanelDigest { name: it.entry().name, digest: it.digest().to_owned() };
    let model = &config.pretrained.model;
    Ok(results.map(|results| RunEvaluation {
        version: RunEvaluation::VERSION,
        run: run.as_ref().map_or_else(|| model.clone(), |(_, run)| run.root.display().to_string()),
        environment: config.environment.name.clone(),
        estimator: run.as_ref().map(|_| config.estimator.name().to_owned()),
        model: model.clone(),
        seed: run.as_ref().map(|_| config.seed),
        iteration,
        device,
        panel: panel.map(of_panel),
        tasks: plan.tasks,
        attempts: plan.attempts,
        top_p: plan.top_p,
        results,
    }))
}
