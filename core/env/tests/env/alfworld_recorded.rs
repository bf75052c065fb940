//! Games that we generated, and the official ones, against recordings of the original, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::oracle;
use crate::reference_data::held;

use std::path::Path;
use std::sync::Arc;

use hgpo_env::Split;
use hgpo_env::alfworld::generate::{GeneratedHouseSettings, Generator};
use hgpo_env::alfworld::{Game, GameState};
use hgpo_env::random::{Purpose, Stream};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    gamefile: String,
    episodes: Vec<Episode>,
}

/// A recording on the game that settings, split and seed name.
#[derive(Deserialize)]
struct GeneratedRecording {
    settings: GeneratedHouseSettings,
    split: String,
    seed: u64,
    #[serde(flatten)]
    recording: Recording,
}

#[derive(Deserialize)]
struct Episode {
    kind: String,
    initial_obs: String,
    initial_admissible: Vec<String>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    cmd: String,
    obs: String,
    admissible: Vec<String>,
    score: u32,
    won: bool,
    done: bool,
}

/// Replays one recording; how many values were compared.
fn replay(recording: &Recording, game: &Arc<Game>) -> usize {
    let mut checks = 0;
    for episode in &recording.episodes {
        let at = |step: usize| format!("{} {} {step}", recording.gamefile, episode.kind);
        let mut play = GameState::new(game.clone());
        assert_eq!(play.feedback(), episode.initial_obs, "{}", at(0));
        assert_eq!(play.admissible().collect::<Vec<_>>(), episode.initial_admissible, "{}", at(0));
        checks += 2;
        for (number, step) in episode.steps.iter().enumerate() {
            let at = format!("{}: {}", at(number + 1), step.cmd);
            play.step(&step.cmd);
            assert_eq!(play.feedback(), step.obs, "{at}");
            assert_eq!(play.admissible().collect::<Vec<_>>(), step.admissible, "{at}");
            assert_eq!(
                (u32::from(play.won()), play.won(), play.won()),
                (step.score, step.won, step.done),
                "{at}"
            );
            checks += 5;
        }
    }
    checks
}

fn read(path: &Path) -> Recording {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn generated_games_are_played_as_recorded() {
    let bytes = held().read("textworld.json");
    let games: Vec<GeneratedRecording> = serde_json::from_slice(&bytes).unwrap();
    let mut checks = 0;
    for GeneratedRecording { settings, split, seed, recording } in &games {
        let mut splits = [Split::Train, Split::Seen, Split::Unseen].into_iter();
        let split = splits.find(|it| it.name() == split).unwrap();
        // As `hgpo generate` names the first game of a split.
        let seed = Stream::new(*seed, Purpose::GeneratedFiles, [split as u64, 0]).word();
        let game = Generator::new(settings.clone()).unwrap().game(split, seed);
        assert_eq!(game.folder, recording.gamefile, "another game than the one that was recorded");
        let game = Game::parse(&game.game_file().unwrap()).unwrap();
        checks += replay(recording, &Arc::new(game));
    }
    println!("{checks} values of {} generated games are as recorded", games.len());
    assert!(games.len() >= 180 && checks > 40_000);
}

#[test]
fn official_games_are_played_as_recorded() {
    let Some(folder) = oracle::alfworld() else { return };
    let (mut checks, mut games) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(trial) = name.strip_prefix("valid_seen__") else { continue };
        let trial = trial.strip_suffix(".json").unwrap().replace("__", "/");
        let game = folder.join("json_2.1.1/valid_seen").join(trial).join("game.tw-pddl");
        checks += replay(&read(&path), &oracle::game(&game));
        games += 1;
    }
    println!("{checks} values of {games} official games are as recorded");
    assert_eq!(games, 140);
}

#[test]
fn novel_games_are_played_as_recorded() {
    let Some(folder) = oracle::alfworld() else { return };
    let recordings = oracle::files(folder, "transcript.json");
    let game = |path: &Path| oracle::game(&path.with_file_name("game.tw-pddl"));
    let checks: usize = recordings.iter().map(|it| replay(&read(it), &game(it))).sum();
    println!("{checks} values of {} novel games are as recorded", recordings.len());
    assert_eq!(recordings.len(), 9);
}

#[test]
fn all_games_load_and_all_walkthroughs_win() {
    let Some(folder) = oracle::alfworld() else { return };
    let games = oracle::files(&folder.join("json_2.1.1"), "game.tw-pddl");
    let mut walkthroughs = 0;
    for path in &games {
        let game = oracle::game(path);
        let Some(walkthrough) = game.walkthrough() else { continue };
        let mut play = GameState::new(game.clone());
        for command in walkthrough {
            let command = game.with_names(command);
            assert!(!play.won() && play.step(&command), "{}: {command}", path.display());
        }
        assert!(play.won(), "{}", path.display());
        walkthroughs += 1;
    }
    println!("{} games load, {walkthroughs} walkthroughs win", games.len());
    assert_eq!((games.len(), walkthroughs), (474, 274));
}
