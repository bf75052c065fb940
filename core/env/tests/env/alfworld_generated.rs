//! Generated ALFWorld games as their users see them.

use crate::certain::Certain;
use std::collections::BTreeSet;
use std::sync::Arc;

use hgpo_env::EpisodeSettings;
use hgpo_env::alfworld::generate::{
    GeneratedAlfworld, GeneratedGame, GeneratedHouseSettings, Generator, ScriptedExplorer,
};
use hgpo_env::alfworld::{Game, GameState};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::{Environment, Player, Split, Suite};

const SPLITS: [Split; 3] = [Split::Train, Split::Seen, Split::Unseen];

/// From the smallest houses to the largest.
fn difficulties() -> Vec<GeneratedHouseSettings> {
    let sizes = [(2, 1.0, 1, 1), (3, 1.0, 2, 2), (4, 0.3, 2, 2), (8, 0.2, 3, 2), (10, 0.0, 6, 6)];
    let settings = sizes.map(|(rooms, doorways, receptacles_per_room, things_per_room)| {
        GeneratedHouseSettings {
            rooms,
            doorways,
            receptacles_per_room,
            things_per_room,
            longest_plan: 40,
            ..GeneratedHouseSettings::default()
        }
    });
    settings.to_vec()
}

fn generator(settings: &GeneratedHouseSettings) -> Generator {
    Generator::new(settings.clone()).expect("the settings are valid")
}

fn suite(settings: &GeneratedHouseSettings, max_steps: usize) -> GeneratedAlfworld {
    GeneratedAlfworld::new(generator(settings), EpisodeSettings { max_steps, success_reward: 10.0 })
}

/// A game of each kind of task for every difficulty, split and seed.
fn games(seeds: u64) -> Vec<GeneratedGame> {
    let mut games = Vec::new();
    for settings in difficulties() {
        for kind in 1..=6 {
            let settings = GeneratedHouseSettings { task_types: vec![kind], ..settings.clone() };
            let generator = generator(&settings);
            for split in SPLITS {
                games.extend((0..seeds).map(|seed| generator.game(split, seed)));
            }
        }
    }
    games
}

fn play(game: &GeneratedGame) -> GameState {
    let bytes = game.game_file().expect("texts are JSON");
    GameState::new(Arc::new(Game::parse(&bytes).unwrap_or_else(|error| panic!("{error}"))))
}

/// Words as a word-level tokenizer has them.
fn words(text: &str) -> Vec<String> {
    let spaced = [".", ",", ":"]
        .iter()
        .fold(text.to_lowercase(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    spaced.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    for settings in difficulties() {
        let [first, second] = [(); 2].map(|()| generator(&settings));
        for split in SPLITS {
            for seed in 0..20 {
                let [one, two] = [&first, &second].map(|it| it.game(split, seed));
                assert_eq!(one.folder, two.folder);
                assert_eq!(one.game_file().unwrap(), two.game_file().unwrap());
                assert_eq!(one.trajectory_file().unwrap(), two.trajectory_file().unwrap());
                assert_ne!(one.problem, first.game(split, seed + 1000).problem);
            }
        }
    }
}

#[test]
fn every_game_loads_and_its_walkthrough_wins() {
    let games = games(8);
    for game in &games {
        let mut play = play(game);
        for (step, command) in game.walkthrough.iter().enumerate() {
            assert!(!play.won(), "{} {step}", game.folder);
            assert!(play.step(command), "{} {command}", game.folder);
        }
        assert!(play.won(), "{} {:?}", game.folder, game.walkthrough);
    }
    println!("{} walkthroughs win", games.len());
}

#[test]
fn a_search_on_the_game_finds_nothing_shorter_than_the_walkthrough() {
    let (mut equal, games) = (0, games(3));
    for game in &games {
        let plan = play(game).plan().expect("the game can be solved");
        assert!(plan.len() >= game.walkthrough.len(), "{} {:?}", game.folder, game.walkthrough);
        equal += usize::from(plan.len() == game.walkthrough.len());
    }
    println!("search and walkthrough are equally long in {equal} of {} games", games.len());
    assert!(equal * 10 >= games.len() * 9);
}

#[test]
fn tasks_are_as_hard_as_asked_and_of_the_kinds_asked_for() {
    let settings = GeneratedHouseSettings {
        task_types: vec![3, 6],
        longest_plan: 9,
        ..GeneratedHouseSettings::default()
    };
    let generator = generator(&settings);
    let mut kinds = BTreeSet::new();
    for seed in 0..300 {
        let game = generator.game(Split::Train, seed);
        assert!((4..=9).contains(&game.walkthrough.len()), "{:?}", game.walkthrough);
        kinds.insert(game.folder.split(['/', '-']).nth(2).map(str::to_owned));
    }
    let expected = ["pick_clean_then_place_in_recep", "pick_two_obj_and_place"];
    assert_eq!(kinds.into_iter().flatten().collect::<Vec<_>>(), expected);
}

#[test]
fn settings_that_leave_no_tasks_are_refused() {
    let settings = GeneratedHouseSettings { rooms: 1, ..GeneratedHouseSettings::default() };
    let error = Generator::new(settings).unwrap_err();
    assert_eq!(error.to_string(), "rooms: must lie between 2 and 10, not 1");
}

#[test]
fn files_are_laid_out_as_the_official_ones() {
    let generator = generator(&GeneratedHouseSettings::default());
    for (split, data) in SPLITS.into_iter().zip(["train", "valid_seen", "valid_unseen"]) {
        for seed in 0..50 {
            let game = generator.game(split, seed);
            let parts: Vec<&str> = game.folder.split('/').collect();
            let [root, folder, task, trial] = parts[..] else { panic!("{}", game.folder) };
            assert_eq!((root, folder), ("json_2.1.1", data));
            assert!(trial.starts_with("trial_"));
            let fields: Vec<&str> = task.split('-').collect();
            let [kind, object, "None", target, scene] = fields[..] else { panic!("{task}") };
            assert_eq!(scene.parse::<usize>().unwrap() > 1000, split == Split::Unseen);
            let data: serde_json::Value =
                serde_json::from_slice(&game.trajectory_file().unwrap()).unwrap();
            let params = &data["pddl_params"];
            let lamp = kind == "look_at_obj_in_light";
            let place = if lamp { &params["toggle_target"] } else { &params["parent_target"] };
            assert_eq!(data["task_type"], kind);
            assert_eq!((&params["object_target"], place), (&object.into(), &target.into()));
            assert!(!game.folder.contains("movable") && !game.folder.contains("Sliced"));
        }
    }
}

#[test]
fn splits_do_not_overlap() {
    // The same thing, target and house never occur in two of them, whatever the kind of task.
    let task = |game: &GeneratedGame| game.folder.split('/').nth(2).map(str::to_owned);
    for settings in difficulties() {
        let generator = generator(&settings);
        let [train, seen, unseen] = SPLITS.map(|split| {
            (0..500).map(|seed| generator.game(split, seed)).collect::<Vec<GeneratedGame>>()
        });
        let asked = |games: &[GeneratedGame]| {
            let tasks = games.iter().filter_map(task);
            tasks.filter_map(|it| it.split_once('-').map(|(_, rest)| rest.to_owned())).collect()
        };
        let [train, seen, unseen]: [BTreeSet<String>; 3] =
            [train, seen, unseen].map(|games| asked(&games));
        assert!(
            train.is_disjoint(&seen) && train.is_disjoint(&unseen) && seen.is_disjoint(&unseen)
        );
    }
}

/// Plays commands that `choose` takes to the end; whether it won, and the steps.
fn finish(
    episode: &mut dyn Environment,
    mut choose: impl FnMut(&hgpo_env::Observation) -> Option<String>,
) -> (bool, usize) {
    for step in 1.. {
        let command = choose(&episode.observe()).unwrap_or_default();
        let outcome = episode.act(&command);
        if outcome.done {
            return (outcome.won, step);
        }
    }
    (false, 0)
}

#[test]
fn the_explorer_nearly_always_succeeds_and_chance_rarely_does() {
    for (settings, max_steps, least) in [
        (GeneratedHouseSettings::default(), 20, 170),
        (
            GeneratedHouseSettings { rooms: 8, doorways: 0.2, ..GeneratedHouseSettings::default() },
            50,
            170,
        ),
    ] {
        let suite = suite(&settings, max_steps);
        for split in SPLITS {
            let (mut won, mut steps, mut lucky) = (0, 0, 0);
            for seed in 0..200 {
                let mut episode = suite.start(split, seed).unwrap();
                let mut chance = episode.snapshot();
                let mut explorer = ScriptedExplorer::new(episode.instruction(), seed);
                let (success, length) = finish(&mut *episode, |now| explorer.act(now));
                won += usize::from(success);
                steps += length;
                let mut stream = Stream::new(seed, Purpose::WarmStartPlay, [0, 0]);
                let any = |now: &hgpo_env::Observation| {
                    now.actions.listed().get(stream.below(now.actions.listed().len())).cloned()
                };
                lucky += usize::from(finish(&mut *chance, any).0);
            }
            println!("{split:?}: the explorer wins {won} of 200 in {steps} steps, chance {lucky}");
            assert!(won >= least && lucky < 40, "{split:?}: {won} {lucky}");
        }
    }
}

#[test]
fn every_text_is_in_the_vocabulary_and_every_word_of_it_occurs() {
    let mut occur = BTreeSet::from([",".to_owned()]);
    let mut known = BTreeSet::new();
    for settings in difficulties() {
        let suite = suite(&settings, 30);
        let vocabulary = suite.vocabulary().unwrap().unwrap();
        assert!(vocabulary.is_sorted());
        for seed in 0..60 {
            let mut episode = suite.start(SPLITS[seed as usize % 3], seed).unwrap();
            let mut stream = Stream::new(seed, Purpose::WarmStartPlay, [1, 0]);
            loop {
                let now = episode.observe();
                let listed = now.actions.listed().join(", ");
                for word in words(&[episode.instruction(), &now.text, &listed].join(" ")) {
                    assert!(vocabulary.binary_search(&word).is_ok(), "'{word}' in {}", now.text);
                    occur.insert(word);
                }
                // Now and then something that cannot be done.
                let command =
                    now.actions.listed().get(stream.below(now.actions.listed().len() + 1));
                if episode.act(command.map_or("sing", String::as_str)).done {
                    break;
                }
            }
        }
        known.extend(vocabulary);
        let more = generator(&settings);
        for seed in 60..400 {
            occur.extend(words(&more.game(Split::Train, seed).instruction));
        }
    }
    let missing: Vec<_> = known.difference(&occur).collect();
    assert!(missing.iter().all(|word| word.parse::<u8>().is_ok()), "{missing:?}");
}

#[test]
fn one_observation_has_different_values_under_different_histories() {
    // A thing that was cleaned on the way is told by neither the text nor the list.
    let settings =
        GeneratedHouseSettings { task_types: vec![3], ..GeneratedHouseSettings::default() };
    let suite = suite(&settings, 20);
    let found = (0..200).find(|&seed| {
        let mut washed = suite.start(Split::Train, seed).unwrap();
        let plan = washed.way();
        let Some(clean) = plan.iter().position(|command| command.starts_with("clean ")) else {
            return false;
        };
        let mut dirty = washed.snapshot();
        for (step, command) in plan[..plan.len() - 1].iter().enumerate() {
            washed.act(command);
            if step != clean {
                dirty.act(command);
            }
        }
        washed.observe() == dirty.observe() && washed.way().len() < dirty.way().len()
    });
    assert!(found.is_some());
}
