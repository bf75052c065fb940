//! `hgpo play`: an environment played by hand, or by actions from a file.

mod turn_text;

use std::io::{BufRead as _, IsTerminal as _, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use hgpo_env::files;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::{Entry, GameFile, entries};
use hgpo_env::{Actions, Environment, EnvironmentConfig, Outcome, Split};
use serde::Serialize;
use serde_json::{Value, json};

use super::limited_reader::LimitedReader;
use super::options::{EnvironmentOptions, split_name};
use crate::run::environment::{ExternalSource, entry, suite};
use crate::run::external_environment::ENTRY;
use crate::settings::SettingsLayers;

pub(super) const AFTER: &str = "\
Type one of the listed actions or its number; if an action takes words of your own, type them after the
number (1 red lamp). End of input (Ctrl-D) stops. A game file (--game) has no step limit.
--json prints one object before the first action (action null, with the instruction) and one per
action: action, valid (whether the action was admissible), observation, admissible (or, where actions
are free text, available with search and clickables), reward, score, won, done.

Exit status: 0 success, 1 failure, 2 usage error.

Examples:
  hgpo play --env chores --task 7
  hgpo play --env gridworld --draw
  hgpo play --env webshop-generated
  hgpo play --env alfworld-generated --split unseen --actions actions.txt --json";

#[derive(Debug, Args)]
pub(super) struct Play {
    /// Environment to play
    #[arg(long = "env", value_name = "NAME")]
    #[arg(value_parser = PossibleValuesParser::new(entries().chain([&ENTRY]).map(environment_name)))]
    environment: String,
    #[command(flatten)]
    external: EnvironmentOptions,
    #[arg(long, value_name = "FILE", help = game_help())]
    game: Option<PathBuf>,
    /// Seed of the task
    #[arg(long, visible_alias = "goal", value_name = "N", default_value_t = 0)]
    #[arg(conflicts_with = "game")]
    task: u64,
    /// Split of the task
    #[arg(long, default_value = "train", conflicts_with = "game")]
    #[arg(value_parser = split_name(["train", "seen", "unseen"]))]
    split: String,
    /// Override a setting of the environment, for example environment.max_steps=30; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of the environment's randomness
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// File of actions to replay as they are written, one per line [default: read standard input]
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Also draw the whole state, which no agent sees, if the environment can
    #[arg(long)]
    draw: bool,
    /// Print one JSON object per step
    #[arg(long)]
    json: bool,
}

/// The name of an environment, with its help.
fn environment_name(entry: &'static Entry) -> PossibleValue {
    PossibleValue::new(entry.name).help(entry.summary)
}

/// What `--game` takes.
fn game_help() -> String {
    let games = entries().filter_map(|entry| Some((entry.name, entry.game?.name)));
    let each: Vec<String> = games.map(|(entry, name)| format!("{entry}: {name}")).collect();
    format!("Play a game file, given by its path or its folder ({})", each.join(", "))
}

/// What the player is shown.
#[derive(Serialize)]
struct Step<'a> {
    action: Option<&'a str>,
    /// Before the first action.
    #[serde(skip_serializing_if = "Option::is_none")]
    instruction: Option<&'a str>,
    /// Whether the action was admissible.
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<bool>,
    observation: String,
    /// The whole state, if it is asked for and drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<String>,
    /// What the player may do.
    #[serde(flatten)]
    possible: Value,
    reward: f64,
    /// How much of the task is done: from 0 to 1 if the environment scores it, else 0 or 1.
    score: Value,
    won: bool,
    done: bool,
}

/// What is being played.
struct PlaySession {
    episode: Box<dyn Environment>,
    chance: Stream,
    /// Whether the whole state is shown.
    draws: bool,
}

/// Plays, from a file of actions or from standard input.
pub(super) fn run(args: &Play) -> anyhow::Result<()> {
    let chance = Stream::new(args.seed, Purpose::Sampling, [0, 0]).chance();
    let mut session = PlaySession { episode: open_environment(args)?, chance, draws: args.draw };
    let mut out = std::io::stdout().lock();
    session.write_step(&mut out, args.json, None)?;
    if let Some(file) = &args.actions {
        let name = file.display();
        let actions =
            files::read_text(file).with_context(|| format!("cannot read the actions {name}"))?;
        let mut ended = None;
        let actions = actions.strip_prefix('\u{feff}').unwrap_or(&actions);
        for (number, action) in (1..).zip(actions.lines()) {
            match ended {
                Some(_) if action.trim().is_empty() => {}
                Some(last) => bail!(
                    "{name}, line {number}: the episode ended with line {last}: leave out what comes after it"
                ),
                None => {
                    let is_end = session.write_step(&mut out, args.json, Some(action))?;
                    ended = is_end.then_some(number);
                }
            }
        }
        return Ok(());
    }
    let prompt = std::io::stdin().is_terminal() && !args.json;
    let mut lines = LimitedReader::by_line(std::io::stdin().lock()).lines();
    loop {
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = lines.next() else { break };
        let line = line.context("cannot read standard input")?;
        // A program (`json`) writes actions, and a number would be none.
        let action = match &session.episode.observe().actions {
            _ if args.json => Ok(line),
            actions => turn_text::parse_action(&line, actions),
        };
        match action {
            Ok(action) if session.write_step(&mut out, args.json, Some(&action))? => break,
            Ok(_) => {}
            Err(advice) => writeln!(out, "{advice}\n")?,
        }
    }
    Ok(())
}

fn open_environment(args: &Play) -> anyhow::Result<Box<dyn Environment>> {
    let entry = entry(&args.environment)?;
    let config = environment_settings(entry, &args.set)?;
    match (&args.game, entry.game) {
        (Some(path), Some(file)) => open_game(path, file, config.success_reward),
        (Some(_), None) => {
            bail!("--env {} has no game files: use --task N instead", entry.name)
        }
        (None, _) => {
            let is_wanted = |(split, _): &&(Split, _)| split.name() == args.split;
            let Some(&(split, _)) = entry.splits.iter().find(is_wanted) else {
                let known: Vec<&str> = entry.splits.iter().map(|(it, _)| it.name()).collect();
                let (name, known) = (entry.name, known.join(", "));
                bail!("--split {}: the splits of {name} are {known}", args.split);
            };
            let options = args.external.external(Some(NonZero::<usize>::MIN))?;
            let source = ExternalSource { options, ..ExternalSource::default() };
            Ok(suite(&config, &source)?.0.start(split, args.task)?)
        }
    }
}

/// The settings of an environment that is played by hand.
fn environment_settings(entry: &Entry, set: &[String]) -> anyhow::Result<EnvironmentConfig> {
    let mut settings = SettingsLayers::defaults();
    settings.apply_assignments(&[
        format!("environment.name={}", entry.name),
        format!("environment.max_steps={}", entry.max_steps),
    ])?;
    for text in set {
        let key = text.split('=').next().unwrap_or_default().trim();
        if !key.starts_with("environment.") || key == "environment.name" {
            bail!("--set {text}: play only takes settings of the environment (environment.…)");
        }
    }
    settings.apply_assignments(set)?;
    Ok(settings.resolve()?.environment)
}

fn open_game(path: &Path, file: GameFile, reward: f64) -> anyhow::Result<Box<dyn Environment>> {
    let path = if path.is_dir() { path.join(file.name) } else { path.to_owned() };
    let name = path.display().to_string();
    let bytes = files::read(&path).with_context(|| format!("cannot read the game {name}"))?;
    (file.open)(&bytes, reward).map_err(|error| anyhow!("{name}: {error}"))
}

impl PlaySession {
    /// Carries out an action, if any, and shows what it led to; whether that is the end.
    fn write_step(
        &mut self,
        out: &mut impl Write,
        json: bool,
        action: Option<&str>,
    ) -> anyhow::Result<bool> {
        let nothing = Outcome { reward: 0.0, done: false, won: false, admissible: true };
        let outcome = action.map_or(nothing, |action| self.episode.step(action, &mut self.chance));
        if let Some(reason) = self.episode.failure() {
            bail!("{reason}");
        }
        let now = self.episode.observe();
        let instruction = action.is_none().then(|| self.episode.instruction());
        let drawing = self.draws.then(|| self.episode.drawing()).flatten();
        if !json {
            let score = self.episode.score();
            turn_text::write_turn(out, instruction, drawing.as_deref(), &now, (outcome, score))?;
            return Ok(outcome.done);
        }
        let possible = match now.actions {
            Actions::Listed(actions) => json!({ "admissible": actions[..] }),
            Actions::Text => json!({ "text": true }),
            Actions::Free { search, clickables } => {
                json!({ "available": { "search": search, "clickables": clickables } })
            }
        };
        let Outcome { reward, done, won, admissible } = outcome;
        let step = Step {
            action,
            instruction,
            valid: action.map(|_| admissible),
            observation: self.episode.original().unwrap_or(now.text),
            drawing,
            possible,
            reward,
            score: self.episode.score().map_or_else(|| u8::from(won).into(), Value::from),
            won,
            done,
        };
        writeln!(out, "{}", serde_json::to_string(&step)?)?;
        Ok(done)
    }
}
