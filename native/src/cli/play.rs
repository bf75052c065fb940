//! `hgpo play`.

use std::fs;
use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use hgpo_env::alfworld::{Game, Play as Running, Rules};
use hgpo_env::chores::{self, Chores};
use hgpo_env::{Environment, Split, Suite as _};

pub(super) const AFTER: &str = "\
alfworld plays one game file as TextWorld does: its end is the goal, not the step limit of training. \
--json prints one object a step, the first before any action (action null): action, observation, \
admissible, reward, score, won, done. Exit status: 0 played, 1 failed, 2 wrong usage.";

#[derive(Debug, Args)]
pub(super) struct Play {
    /// What is played
    #[arg(long = "env", value_name = "NAME", value_enum)]
    environment: Name,
    /// A game file (alfworld): game.tw-pddl, or the folder it is in
    #[arg(long, value_name = "FILE", required_if_eq("environment", "alfworld"))]
    game: Option<PathBuf>,
    /// The task's seed (chores)
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "game")]
    task: u64,
    /// The task's split (chores)
    #[arg(long, value_enum, default_value_t, conflicts_with = "game")]
    split: SplitName,
    /// Replays actions, one a line, as written; without it they are read from standard input
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Prints one JSON object a step
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// A household of our own, without any data
    Chores,
    /// ALFWorld's text games
    Alfworld,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SplitName {
    /// Tasks that training draws from
    #[default]
    Train,
    /// New tasks in known layouts
    Seen,
    /// New tasks in new layouts
    Unseen,
}

/// What the player is shown.
#[derive(Serialize)]
struct Step<'a> {
    action: Option<&'a str>,
    observation: String,
    admissible: Vec<String>,
    reward: f64,
    score: u32,
    won: bool,
    done: bool,
}

/// What is being played.
enum Table {
    Game(Running),
    Episode(Box<dyn Environment>),
}

/// Plays, from a file of actions or from standard input.
pub(super) fn run(args: &Play) -> anyhow::Result<ExitCode> {
    let mut table = open(args)?;
    let mut out = std::io::stdout().lock();
    show(&mut out, args.json, &table.look())?;
    if let Some(file) = &args.actions {
        let name = file.display();
        let actions =
            fs::read_to_string(file).with_context(|| format!("cannot read the actions {name}"))?;
        for action in actions.lines() {
            show(&mut out, args.json, &table.step(action))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let prompt = std::io::stdin().is_terminal() && !args.json;
    let mut lines = std::io::stdin().lock().lines();
    loop {
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = lines.next() else { break };
        let action = line.context("cannot read standard input")?;
        let step = table.step(&action);
        show(&mut out, args.json, &step)?;
        if step.done {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn open(args: &Play) -> anyhow::Result<Table> {
    match (args.environment, &args.game) {
        (Name::Alfworld, Some(path)) => Ok(Table::Game(Running::new(Arc::new(game(path)?)))),
        (Name::Alfworld, None) => bail!("--env alfworld needs --game FILE"),
        (Name::Chores, Some(_)) => bail!("--env chores has no game files: give --task N instead"),
        (Name::Chores, None) => {
            let split = match args.split {
                SplitName::Train => Split::Train,
                SplitName::Seen => Split::Seen,
                SplitName::Unseen => Split::Unseen,
            };
            Ok(Table::Episode(Chores::new(chores::Rules::default())?.start(split, args.task)))
        }
    }
}

fn game(path: &Path) -> anyhow::Result<Game> {
    let file = if path.is_dir() { path.join("game.tw-pddl") } else { path.to_owned() };
    let name = file.display().to_string();
    let bytes = fs::read(&file).with_context(|| format!("cannot read the game {name}"))?;
    Game::parse(&bytes).with_context(|| name)
}

impl Table {
    /// The start.
    fn look(&self) -> Step<'static> {
        self.shown(None)
    }

    fn step<'a>(&mut self, action: &'a str) -> Step<'a> {
        let (reward, done) = match self {
            Self::Game(play) => {
                let before = play.won();
                play.step(action);
                let reward =
                    if play.won() && !before { Rules::default().success_reward } else { 0.0 };
                (reward, play.won())
            }
            Self::Episode(episode) => {
                let outcome = episode.step(action);
                return Step {
                    reward: outcome.reward,
                    score: u32::from(outcome.won),
                    won: outcome.won,
                    done: outcome.done,
                    ..self.shown(Some(action))
                };
            }
        };
        Step { reward, done, ..self.shown(Some(action)) }
    }

    /// What can be seen, after no reward.
    fn shown<'a>(&self, action: Option<&'a str>) -> Step<'a> {
        let (observation, admissible, won) = match self {
            Self::Game(play) => {
                (play.feedback(), play.admissible().map(str::to_owned).collect(), play.won())
            }
            Self::Episode(episode) => {
                let now = episode.observe();
                (now.text, now.admissible, false)
            }
        };
        let score = u32::from(won);
        Step { action, observation, admissible, reward: 0.0, score, won, done: won }
    }
}

fn show(out: &mut impl Write, json: bool, step: &Step<'_>) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(step)?)?;
        return Ok(());
    }
    writeln!(out, "{}", step.observation)?;
    match (step.won, step.done) {
        (true, _) => writeln!(out, "\nYou have won.")?,
        (false, true) => writeln!(out, "\nThe episode is over.")?,
        _ => writeln!(out, "\n[{}]", step.admissible.join(", "))?,
    }
    Ok(())
}
