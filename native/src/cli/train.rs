//! `hgpo train`: a run, new or resumed.

mod advice;
mod dry_run;
pub mod embedded;
mod measured_time;
mod run_size;
mod time_forecast;

use std::any::Any;
use std::io::{ErrorKind, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use hgpo_study::settings::is_immutable;
use hgpo_train::TrainerError;
use hgpo_train::config::{Config, TeamMember};
use hgpo_train::models::Precision;
use hgpo_train::policy::PolicyError;
use hgpo_train::policy::team::TeamPolicy;
use hgpo_train::policy::transformer::DecoderPolicy;

use self::advice::{describe_finish, describe_start, resume_advice};
use self::embedded::{Embedder, TrainingEnd};
use super::options::{EnvironmentOptions, MachineOptions, runs_folder};
use crate::device::{self, DeviceChoice, Workload};
use crate::run::checkpoint::setting_changes;
use crate::run::environment::{ExternalSource, training_suite};
use crate::run::external_environment::NAME;
use crate::run::policy::{learner, pretrained};
use crate::run::progress::messages::{
    describe_policy, show_device, show_repeated_tasks, show_setting_changes,
};
use crate::run::storage::atomic_write;
use crate::run::storage::run_directory::read_settings_layers;
use crate::run::{
    Display, Inputs, Interrupt, LockedRun, Machine, ModelExport, RunDirectory, RunEnd, RunError,
    Threads, Training, TrainingOutcome,
};
use crate::settings::{SettingsLayers, refuse_contradiction};
use crate::terminal::{escape_control_characters, program_command, quote_path};

pub(super) const AFTER: &str = "\
Exit status: 0 success, 1 failure (one line on standard error says what went wrong and what to do),
2 usage error, 130 stopped by Ctrl-C (finished work is saved; run the command printed last to resume).

Signals: SIGUSR1 saves after this iteration and goes on; SIGUSR2, SIGTERM and SIGHUP save and stop.

Environment: HGPO_RUNS names the folder of runs and studies [default: runs].

Examples:
  hgpo train --preset chores-tiny                 # takes a second
  hgpo train --set estimator=gigpo --seed 2
  hgpo train --resume runs/NAME";

#[derive(Debug, Args)]
pub(super) struct Train {
    #[arg(long, value_name = "NAME", conflicts_with = "config", help = crate::settings::presets::help())]
    preset: Option<String>,
    /// TOML file of settings; omitted settings keep their defaults (see --dry-run)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Override a setting, for example estimator=gigpo; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Language model to train: Hugging Face model folder, GGUF file, or model on the Hugging Face
    /// hub (OWNER/NAME); short for --set pretrained.model=...
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Training seed; short for --set seed=N
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the metrics as event files too, in the run's folder; short for --set checkpoint.log=tensorboard
    #[arg(long, value_name = "FORM", value_parser = ["tensorboard"])]
    log: Option<String>,
    /// Name of the run; its folder is runs/NAME [default: ENVIRONMENT-ESTIMATOR-seedN, with K, alpha,
    /// the base group and the agent's memory when they differ from the defaults]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Continue a run from its newest checkpoint: its folder, or its name under runs/
    #[arg(long, value_name = "RUN", conflicts_with_all = ["preset", "config", "model", "seed", "name"])]
    resume: Option<String>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    environment: EnvironmentOptions,
    /// Folder that the run's is made in
    #[arg(long, value_name = "DIR", default_value_os_t = runs_folder(), hide = true)]
    runs: PathBuf,
    /// Stop, as Ctrl-C does, when standard input ends
    #[arg(long, hide = true)]
    stop_with_input: bool,
    /// Print the resolved settings, the size of the run and, if a similar run has finished on this device,
    /// how long it will take, and exit; for a language model, only config.json is needed
    #[arg(long)]
    dry_run: bool,
}

impl Train {
    /// The flags that choose the machine's part in a run, which no file of the run keeps: as they were given,
    /// each after a space.
    fn machine_flags(&self) -> String {
        let threads = self.machine.threads.map(|count| format!(" --threads {count}"));
        self.device_flag() + &threads.unwrap_or_default() + &self.environment.flags()
    }

    fn device_flag(&self) -> String {
        match self.machine.device {
            DeviceChoice::Auto => String::new(),
            device => format!(" --device {device}"),
        }
    }
}

/// Trains, resumes, or says what would be done.
pub(super) fn run(args: &Train) -> anyhow::Result<u8> {
    Ok(run_with(args, None)?.status)
}

/// The same, perhaps inside another program.
fn run_with(args: &Train, embedder: Option<&Embedder>) -> anyhow::Result<TrainingEnd> {
    if args.dry_run {
        return dry_run(args).map(|()| TrainingEnd::default());
    }
    let crew = embedder.and_then(|it| it.crew.as_ref());
    let threads = Threads::new(crew.map_or(args.machine.threads, |crew| NonZero::new(crew.jobs())));
    threads.within(|| train(args, embedder, &threads))
}

fn train(
    args: &Train,
    embedder: Option<&Embedder>,
    threads: &Threads,
) -> anyhow::Result<TrainingEnd> {
    let runs = args.runs.as_path();
    let display = Arc::new(Display::logged());
    let interrupt = embedder.map(|it| it.interrupt.clone()).unwrap_or_default();
    if args.stop_with_input {
        interrupt.listen_to_input(&display)?;
    }
    let resumed =
        args.resume.as_ref().map(|name| LockedRun::resume(runs, name, &display)).transpose()?;
    let config = resolve(args, resumed.as_ref().map(|run| &run.directory))?;
    pretrained::prepare_memory(&config);
    let chosen = device::choose(args.machine.device, Workload::run(&config, threads.count()))?;
    let threads = threads.on(chosen.adapter.as_ref());
    show_device(&display, &chosen, resumed.as_ref().and_then(|run| run.newest.as_ref()));
    let settings = toml::to_string(&config)?;
    let run = match resumed {
        Some(run) => run,
        None => LockedRun::begin(runs, args.name.as_deref(), &config, &settings)?,
    };
    let (directory, newest) = (&run.directory, run.newest.as_ref());
    let flags = args.machine_flags() + embedder.map_or("", |it| &it.flags);
    let resume = |settings: &[String]| resume_advice(args, directory, &flags, settings);
    let stopped = resume(&[]);
    let saved = newest.map(|it| it.iteration);
    let done = saved.map(|done| RunEnd::read(directory, &config, done)).transpose()?.flatten();
    display.line(&describe_start(directory, &config, (saved, done), &resume));
    let crew = embedder.and_then(|it| it.crew.clone());
    let machine = Machine::new(threads.clone(), interrupt.clone(), Arc::clone(&display));
    let open_suite = || {
        let recorded = Inputs::recorded(directory, newest)?.and_then(|it| it.external);
        let options = args.environment.external(args.machine.threads)?;
        let interrupt = interrupt.clone();
        training_suite(&config, &ExternalSource { options, recorded, interrupt })
    };
    let opened = open_suite().and_then(|(suite, environment)| {
        newest.map_or(Ok(()), |checkpoint| setting_changes::check(checkpoint, &config))?;
        setting_changes::refuse_without_effect(newest, &config, done.is_some())?;
        let inputs = Inputs::checked(&run.directory, newest, &config, environment, &display)?;
        show_repeated_tasks(&display, suite.as_ref());
        let team = config.team(suite.as_ref());
        // If others work, none of it takes memory here.
        let working = if crew.is_some() { 1 } else { threads.count() };
        let (learner, export) = learner::open_learner(
            &config,
            suite,
            &chosen,
            working,
            &display,
            (newest, &inputs),
            crew,
        )?;
        let training = Training::open(&run, &config, inputs, learner, &chosen, &machine, &stopped)?;
        Ok((training, export.map(|export| (export, team))))
    });
    let (mut training, export) = opened.inspect_err(|_| run.abandon())?;
    if embedder.is_none() {
        interrupt.listen(&display).inspect_err(|_| run.abandon())?;
        #[cfg(unix)]
        interrupt.listen_to_scheduler(&display).inspect_err(|_| run.abandon())?;
    }
    if args.resume.is_some() {
        atomic_write::replace(&directory.config(), settings.as_bytes())?;
        show_setting_changes(&display, &setting_changes::record(directory, newest, &config)?);
    }
    display.line(&describe_policy(&config, &*training.learner));
    let folder = Some(directory.root.clone());
    let outcome = training.run();
    display.clear();
    let remedy = |error| with_remedy(error, &stopped, &training.farewell());
    if outcome.map_err(remedy)? == TrainingOutcome::Interrupted {
        display.line(&training.farewell());
        return Ok(TrainingEnd { status: Interrupt::EXIT_STATUS, folder });
    }
    let reported =
        display.report(&describe_finish((args, &flags), &training, directory, &config, &resume));
    if let Some((export, team)) = &export {
        let folder = directory.model(training.learner.iteration());
        leave_models(args, export, team, (training.learner.policy(), &folder), &display)?;
    }
    let root = directory.root.display();
    reported.with_context(|| {
        format!("the run is complete in {root}, but its report cannot be written")
    })?;
    Ok(TrainingEnd { status: 0, folder })
}

/// Writes the model that was trained, or those of a team, and says how to talk to each.
fn leave_models(
    args: &Train,
    export: &ModelExport,
    team: &[TeamMember],
    (policy, folder): (&dyn Any, &Path),
    display: &Display,
) -> anyhow::Result<()> {
    let mut models: Vec<(PathBuf, String, &DecoderPolicy)> = Vec::new();
    if let Some(policies) = policy.downcast_ref::<TeamPolicy<DecoderPolicy>>() {
        for (number, (member, policy)) in team.iter().zip(policies.members()).enumerate() {
            let folder = folder.with_extension(format!("policy_{number}"));
            models.push((folder, format!(" of {}", member.agents.join(", ")), policy));
        }
    }
    models.extend(
        policy.downcast_ref::<DecoderPolicy>().map(|it| (folder.into(), String::new(), it)),
    );
    for (folder, whose, policy) in &models {
        if !folder.exists() {
            export.write(policy, folder, Precision::F32)?;
        }
        let (program, folder, device) = (program_command(), quote_path(folder), args.device_flag());
        display
            .line(&format!("  talk to the model{whose}: {program} chat --model {folder}{device}"));
    }
    Ok(())
}

/// The settings: those of the run that is resumed, or the layers of the command line.
fn resolve(args: &Train, resumed: Option<&RunDirectory>) -> anyhow::Result<Config> {
    let mut settings = match resumed {
        Some(directory) => read_settings_layers(directory)?,
        None => SettingsLayers::defaults(),
    };
    let own = args.environment.setting().filter(|_| resumed.is_none());
    match (&args.config, &args.preset) {
        (Some(file), _) => settings.apply_file(file)?,
        (None, Some(preset)) => settings.apply_preset(preset)?,
        (None, None) if own.is_some() && args.model.is_none() => settings.apply_preset(NAME)?,
        (None, None) => {}
    }
    let is_kept = |text: &&String| is_immutable(text.split('=').next().unwrap_or_default());
    if let Some(text) = args.set.iter().filter(|_| resumed.is_some()).find(is_kept) {
        bail!("--set {text}: a resumed run keeps this setting; start a new run to change it");
    }
    if let Some(model) = &args.model {
        let model = toml::Value::String(model.clone());
        refuse_contradiction(&args.set, ("--model", "pretrained.model"), &model)?;
    }
    if let Some(seed) = args.seed.and_then(|seed| i64::try_from(seed).ok()) {
        refuse_contradiction(&args.set, ("--seed", "seed"), &seed.into())?;
    }
    if let Some(setting) = own {
        settings.apply_assignments(&[setting])?;
    }
    settings.apply_assignments(&args.set)?;
    if let Some(form) = &args.log {
        refuse_contradiction(&args.set, ("--log", "checkpoint.log"), &form.clone().into())?;
        settings.apply_assignments(&[format!("checkpoint.log={form}")])?;
    }
    if let Some(model) = &args.model {
        settings.apply_model(model)?;
    }
    if let Some(seed) = args.seed {
        settings.apply_seed(seed)?;
    }
    let notes = settings.notes()?;
    for note in &notes {
        writeln!(std::io::stderr().lock(), "note: {}", escape_control_characters(note))?;
    }
    if args.dry_run && !notes.is_empty() {
        // On a terminal the settings follow.
        writeln!(std::io::stderr().lock())?;
    }
    Ok(settings.resolve()?)
}

fn dry_run(args: &Train) -> anyhow::Result<()> {
    let find = |name| RunDirectory::find(&args.runs, name);
    let resumed = args.resume.as_deref().map(find).transpose()?;
    let config = resolve(args, resumed.as_ref())?;
    let MachineOptions { device, threads } = args.machine;
    let recorded = resumed.map(|it| Inputs::recorded(&it, None)).transpose()?.flatten();
    let source = ExternalSource {
        options: args.environment.external(threads)?,
        recorded: recorded.and_then(|it| it.external),
        interrupt: Interrupt::default(),
    };
    dry_run::run(&config, &args.runs, (device, &Threads::new(threads)), &source)
}

/// Adds what to do to a failure in the middle of a run.
fn with_remedy(error: anyhow::Error, resume: &str, farewell: &str) -> anyhow::Error {
    if let Some(
        TrainerError::Policy(PolicyError::DeviceLost(_) | PolicyError::OutOfMemory(_))
        | TrainerError::Environment(_),
    ) = error.downcast_ref()
    {
        return anyhow!("{error}; {farewell}");
    }
    let Some(RunError::Write { source, .. }) = error.downcast_ref() else { return error };
    let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::FileTooLarge];
    let remedy = if full.contains(&source.kind()) { "free some space" } else { "fix this" };
    anyhow!("{error}; {remedy}, then continue from the last checkpoint with: {resume}")
}
