//! `hgpo play`.

use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use hgpo_env::files;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::{Entry, GameFile, entry};
use hgpo_env::{Actions, Environment, EnvironmentConfig, Outcome, Split};
use serde::Serialize;

use super::bounded::Bounded;
use super::environments::{SplitName, game_help, name_parser};
use super::settings::Settings;
use crate::run::environment::suite;
use crate::shown::harmless;

pub(super) const AFTER: &str = "\
A game file (--game) is played to its goal, without the step limit of training. --json prints one \
object a step, the first before any action (action null): action, observation, admissible (or \
available, with search and clickables, where words are one's own), reward, score, won, done. Exit \
status: 0 played, 1 failed, 2 wrong usage.";

#[derive(Debug, Args)]
pub(super) struct Play {
    /// What is played
    #[arg(long = "env", value_name = "NAME", value_parser = name_parser())]
    environment: String,
    #[arg(long, value_name = "FILE", help = game_help())]
    game: Option<PathBuf>,
    /// The task's seed
    #[arg(long, visible_alias = "goal", value_name = "N", default_value_t = 0)]
    #[arg(conflicts_with = "game")]
    task: u64,
    /// The task's split
    #[arg(long, value_enum, default_value_t, conflicts_with = "game")]
    split: SplitName,
    /// One setting of the environment, for example environment.max_steps=30; may be given several
    /// times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of what the environment leaves to chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Replays actions, one a line, as written; without it they are read from standard input
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Prints one JSON object a step
    #[arg(long)]
    json: bool,
}

/// What the player is shown.
#[derive(Serialize)]
struct Step<'a> {
    action: Option<&'a str>,
    observation: String,
    #[serde(flatten)]
    possible: Possible,
    reward: f64,
    score: u32,
    won: bool,
    done: bool,
}

/// What the player may do.
#[derive(Serialize)]
enum Possible {
    #[serde(rename = "admissible")]
    Listed(Vec<String>),
    #[serde(rename = "available")]
    Free { search: bool, clickables: Vec<String> },
}

/// What is being played.
struct Table {
    episode: Box<dyn Environment>,
    chance: Stream,
}

/// Plays, from a file of actions or from standard input.
pub(super) fn run(args: &Play) -> anyhow::Result<ExitCode> {
    let chance = Stream::new(args.seed, Purpose::Sampling, [0, 0]).chance();
    let mut table = Table { episode: open(args)?, chance };
    let mut out = std::io::stdout().lock();
    table.show(&mut out, args.json, None)?;
    if let Some(file) = &args.actions {
        let name = file.display();
        let actions =
            files::read_text(file).with_context(|| format!("cannot read the actions {name}"))?;
        for action in actions.lines() {
            table.show(&mut out, args.json, Some(action))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let prompt = std::io::stdin().is_terminal() && !args.json;
    let mut lines = Bounded::by_line(std::io::stdin().lock()).lines();
    loop {
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = lines.next() else { break };
        let action = line.context("cannot read standard input")?;
        if table.show(&mut out, args.json, Some(&action))? {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn open(args: &Play) -> anyhow::Result<Box<dyn Environment>> {
    let entry = entry(&args.environment)?;
    let config = settings(entry, &args.set)?;
    match (&args.game, entry.game) {
        (Some(path), Some(file)) => game(path, file, config.success_reward),
        (Some(_), None) => {
            bail!("--env {} has no game files: give --task N instead", entry.name)
        }
        (None, _) => {
            let split = Split::from(args.split);
            if !entry.splits.iter().any(|&(it, _)| it == split) {
                let known: Vec<&str> = entry.splits.iter().map(|(it, _)| it.name()).collect();
                let (name, known) = (entry.name, known.join(", "));
                bail!("--split {}: {name} has the splits {known}", split.name());
            }
            Ok(suite(&config)?.start(split, args.task)?)
        }
    }
}

/// The settings of an environment that is played by hand.
fn settings(entry: &Entry, set: &[String]) -> anyhow::Result<EnvironmentConfig> {
    let mut settings = Settings::defaults();
    settings.set(&[
        format!("environment.name={}", entry.name),
        format!("environment.max_steps={}", entry.max_steps),
    ])?;
    for text in set {
        let key = text.split('=').next().unwrap_or_default().trim();
        if !key.starts_with("environment.") || key == "environment.name" {
            bail!("--set {text}: only settings of the environment count here (environment.…)");
        }
    }
    settings.set(set)?;
    Ok(settings.resolve()?.environment)
}

fn game(path: &Path, file: GameFile, reward: f64) -> anyhow::Result<Box<dyn Environment>> {
    let path = if path.is_dir() { path.join(file.name) } else { path.to_owned() };
    let name = path.display().to_string();
    let bytes = files::read(&path).with_context(|| format!("cannot read the game {name}"))?;
    (file.open)(&bytes, reward).map_err(|error| anyhow!("{name}: {error}"))
}

impl Table {
    /// Carries out an action, if any, and shows what it led to; whether that is the end.
    fn show(
        &mut self,
        out: &mut impl Write,
        json: bool,
        action: Option<&str>,
    ) -> anyhow::Result<bool> {
        let nothing = Outcome { reward: 0.0, done: false, won: false, admissible: true };
        let Outcome { reward, done, won, .. } =
            action.map_or(nothing, |action| self.episode.step(action, &mut self.chance));
        let now = self.episode.observe();
        if !json {
            writeln!(out, "{}", harmless(&now.text))?;
            match (won, done) {
                (true, _) => writeln!(out, "\nYou have won.")?,
                (false, true) => writeln!(out, "\nThe episode is over.")?,
                _ => writeln!(out, "\n[{}]", harmless(&now.actions.told().join(", ")))?,
            }
            return Ok(done);
        }
        let possible = match now.actions {
            Actions::Listed(actions) => Possible::Listed(actions),
            Actions::Free { search, clickables } => Possible::Free { search, clickables },
        };
        let (observation, score) = (now.text, u32::from(won));
        let step = Step { action, observation, possible, reward, score, won, done };
        writeln!(out, "{}", serde_json::to_string(&step)?)?;
        Ok(done)
    }
}
