//! Advice of a run: what lies ahead of it, what came of it, and the commands that go on from there.

use hgpo_train::config::Config;

use super::Train;
use crate::run::evaluation::records::Best;
use crate::run::progress::messages::{describe_patience, describe_plan, resume_command};
use crate::run::progress::{display, summary};
use crate::run::{RunDirectory, RunEnd, Training};
use crate::terminal::{program_command, quote_path, trainer_command};

/// What lies ahead of a run; of one with nothing left to train, how to train it further.
pub(super) fn describe_start(
    directory: &RunDirectory,
    config: &Config,
    (saved, ended): (Option<u64>, Option<RunEnd>),
    resume: &dyn Fn(&[String]) -> String,
) -> String {
    let (Some(done), Some(end)) = (saved, ended) else {
        return describe_plan(directory, config, saved);
    };
    let all = match end {
        RunEnd::Iterations => format!("all {done} iterations are done"),
        RunEnd::EnvironmentSteps => {
            format!("all {} environment steps are played", config.learn.environment_steps)
        }
        RunEnd::Patience(best) => describe_patience(config, &best),
    };
    let further = resume(&longer_training(config, done, end));
    format!("{} is finished: {all}; to train it further: {further}", directory.root.display())
}

/// The settings with which a finished run trains on: twice as long, or twice as patiently.
fn longer_training(config: &Config, done: u64, end: RunEnd) -> Vec<String> {
    if let RunEnd::Patience(_) = end {
        return vec![format!("learn.patience={}", 2 * config.learn.patience)];
    }
    let iterations = 2 * config.learn.iterations.max(done);
    let steps = config.learn.environment_steps;
    let budget = (steps > 0).then(|| format!("learn.environment_steps={}", 2 * steps));
    [format!("learn.iterations={iterations}")].into_iter().chain(budget).collect()
}

/// What goes on with a run, with further settings: a command, or a call in Python if an object there plays.
pub(super) fn resume_advice(
    args: &Train,
    run: &RunDirectory,
    flags: &str,
    settings: &[String],
) -> String {
    if args.environment.object.is_some() {
        let set = if settings.is_empty() { String::new() } else { format!(", set={settings:?}") };
        let root = run.root.to_string_lossy();
        return format!("hgpo_train.train(environment=..., resume={root:?}{set})");
    }
    let set = settings.iter().flat_map(|text| [" --set ", text]);
    resume_command(run, flags) + &set.collect::<String>()
}

pub(super) fn describe_finish(
    (args, flags): (&Train, &str),
    training: &Training<'_>,
    directory: &RunDirectory,
    config: &Config,
    resume: &dyn Fn(&[String]) -> String,
) -> String {
    let other = if config.estimator.name() == "hgpo" { "gigpo" } else { "hgpo" };
    let done = training.learner.iteration();
    // It ended, or there would be nothing to say of its end.
    let end = training.ended().unwrap_or(RunEnd::Iterations);
    format!(
        "\n{}{}{}\n\ntrained in {}, evaluations apart; curves: {}; all files: {}\n\n\
         next:\n  \
         see the groups of any step: scripts/web, then open {}\n  \
         train on: {}\n  \
         compare: {}{}",
        summary::table(&training.evaluations, done),
        describe_best(training, config, end),
        if training.evaluations.has_success() { "" } else { NO_SUCCESS },
        display::duration(training.history.seconds()),
        directory.curves().display(),
        directory.root.display(),
        directory.traces(done).display(),
        resume(&longer_training(config, done, end)),
        comparison_advice(args, directory, flags, other),
        evaluation_advice(training, directory),
    )
}

/// Why a run ended early, and which evaluation was the best, if its checkpoint was kept.
fn describe_best(training: &Training<'_>, config: &Config, end: RunEnd) -> String {
    let early = match end {
        RunEnd::Patience(best) => format!("\nended early: {}", describe_patience(config, &best)),
        RunEnd::Iterations | RunEnd::EnvironmentSteps => String::new(),
    };
    let best = training.best().map(|Best { iteration, value, .. }| {
        format!("\nbest on seen tasks: {:.1} % after iteration {iteration}", 100.0 * value)
    });
    early + &best.unwrap_or_default()
}

/// How to judge the checkpoint that was kept as the best: by tasks that did not choose it.
fn evaluation_advice(training: &Training<'_>, directory: &RunDirectory) -> String {
    let (program, run) = (program_command(), quote_path(&directory.root));
    let advice =
        || format!("\n  evaluate the best: {program} eval {run} --checkpoint best --split unseen");
    training.best().map_or_else(String::new, |_| advice())
}

/// What trains again with another estimator, as [`resume_advice`] has it.
fn comparison_advice(args: &Train, run: &RunDirectory, flags: &str, estimator: &str) -> String {
    if args.environment.object.is_some() {
        let settings = run.config().display().to_string();
        return format!(
            "hgpo_train.train(environment=..., config={settings:?}, set=[\"estimator={estimator}\"])"
        );
    }
    let (trainer, settings) = (trainer_command(), quote_path(&run.config()));
    format!("{trainer} train --config {settings} --set estimator={estimator}{flags}")
}

/// What is said if no episode of any evaluation was won, lest it be taken for a fault.
const NO_SUCCESS: &str =
    "\nno episode was won: the run was too short, or the policy too small, to learn this";
