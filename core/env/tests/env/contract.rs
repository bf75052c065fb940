//! The contract of environments, checked for each of the registry that needs no data.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::registry::{Entry, entries};
use hgpo_env::{Environment, EnvironmentConfig, Observation, Outcome, Split, Suite, suite};

/// What is no action anywhere.
const NONSENSE: &str = "sing";

/// Tasks of a split that are played.
const TASKS: u64 = 12;

fn suites() -> impl Iterator<Item = (&'static Entry, Arc<dyn Suite>)> {
    entries().filter(|entry| entry.data.is_none()).map(|entry| {
        let config = EnvironmentConfig {
            name: entry.name.to_owned(),
            max_steps: entry.max_steps,
            ..EnvironmentConfig::default()
        };
        (entry, suite(&config, None).unwrap())
    })
}

fn tasks(entry: &Entry) -> impl Iterator<Item = (Split, u64)> {
    entry.splits.iter().flat_map(|&(split, _)| (0..TASKS).map(move |task| (split, task)))
}

/// A step of an episode.
#[derive(Clone, Debug, PartialEq)]
struct Turn {
    seen: Observation,
    action: String,
    outcome: Outcome,
}

/// Plays to the end, or as long as an episode may be: by `choose`, or at random where it has no action.
fn play(
    episode: &mut dyn Environment,
    most: usize,
    luck: u64,
    mut choose: impl FnMut(&Observation) -> Option<String>,
) -> Vec<Turn> {
    let mut stream = Stream::new(luck, Purpose::Sampling, [0, 0]);
    let mut chance = stream.chance();
    let mut turns: Vec<Turn> = Vec::new();
    while turns.len() < most && turns.last().is_none_or(|last| !last.outcome.done) {
        let seen = episode.observe();
        let action = choose(&seen).unwrap_or_else(|| {
            let possible = seen.actions.complete();
            let picked = possible.get(stream.below(possible.len()));
            picked.map_or_else(|| NONSENSE.to_owned(), Clone::clone)
        });
        let outcome = episode.step(&action, &mut chance);
        turns.push(Turn { seen, action, outcome });
    }
    turns
}

fn wander(episode: &mut dyn Environment, most: usize, luck: u64) -> Vec<Turn> {
    play(episode, most, luck, |_| None)
}

/// An episode that was played.
struct Played {
    split: Split,
    is_scripted: bool,
    instruction: String,
    turns: Vec<Turn>,
    last: Observation,
}

/// Episodes at random, and those of the scripted player if there is one.
fn played(entry: &Entry, suite: &dyn Suite) -> Vec<Played> {
    let mut all = Vec::new();
    for (split, task) in tasks(entry) {
        let mut episode = suite.start(split, task).unwrap();
        let player = suite.player(&*episode, task);
        let scripted = player.map(|mut player| {
            // A player that knows no more does nothing: it does not win by chance.
            let turns = play(&mut *episode, entry.max_steps, task, |now| {
                Some(player.act(now).unwrap_or_else(|| NONSENSE.to_owned()))
            });
            (true, turns, episode)
        });
        let mut episode = suite.start(split, task).unwrap();
        let turns = wander(&mut *episode, entry.max_steps, task);
        for (is_scripted, turns, episode) in scripted.into_iter().chain([(false, turns, episode)]) {
            let (instruction, last) = (episode.instruction().to_owned(), episode.observe());
            all.push(Played { split, is_scripted, instruction, turns, last });
        }
    }
    all
}

#[test]
fn the_same_task_and_draws_go_the_same_way_also_from_a_snapshot() {
    for (entry, suite) in suites() {
        for (split, task) in tasks(entry) {
            let mut episode = suite.start(split, task).unwrap();
            let kept = episode.snapshot();
            let turns = wander(&mut *episode, entry.max_steps, task);
            for mut again in [suite.start(split, task).unwrap(), kept] {
                let turns_again = wander(&mut *again, entry.max_steps, task);
                assert_eq!(turns_again, turns, "{} {split:?} {task}", entry.name);
            }
        }
    }
}

#[test]
fn what_is_no_action_only_costs_the_step_and_nothing_happens_after_the_end() {
    for (entry, suite) in suites() {
        for (split, task) in tasks(entry) {
            let mut episode = suite.start(split, task).unwrap();
            let (before, situation) = (episode.observe(), episode.situation());
            let idle = play(&mut *episode, entry.max_steps, task, |_| Some(NONSENSE.to_owned()));
            let (name, last) = (entry.name, idle.last().unwrap().outcome);
            // The text may say that nothing happened.
            let changes_nothing =
                |it: &Turn| !it.outcome.admissible && it.seen.actions == before.actions;
            assert!(idle.iter().all(changes_nothing), "{name}");
            assert_eq!((idle.len(), last.done, last.won), (entry.max_steps, true, false), "{name}");
            assert_eq!(episode.situation(), situation, "{name}");
            assert!(episode.observe().actions.is_empty(), "{name}: actions after the end");
            let action = before.actions.complete().pop().unwrap_or_default();
            let mut chance = Stream::new(task, Purpose::Sampling, [0, 0]).chance();
            let after = episode.step(&action, &mut chance);
            let nothing = Outcome { reward: 0.0, done: true, won: false, admissible: false };
            assert_eq!(after, nothing, "{name}");
        }
    }
}

#[test]
fn what_is_listed_is_admissible_and_possibilities_are_all_there_are() {
    for (entry, suite) in suites() {
        for (split, task) in tasks(entry) {
            let episode = suite.start(split, task).unwrap();
            assert_ne!(episode.drawing().as_deref(), Some(""), "{}", entry.name);
            for action in episode.observe().actions.complete() {
                let mut chance = Stream::new(task, Purpose::Sampling, [0, 0]).chance();
                let outcome = episode.snapshot().step(&action, &mut chance);
                assert!(outcome.admissible, "{} {action}", entry.name);
                let Some(possible) = episode.possibilities(&action) else { continue };
                let sum: f64 = possible.iter().map(|it| it.probability).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{} {action}: {sum}", entry.name);
                let is_possible =
                    possible.iter().any(|it| (it.reward - outcome.reward).abs() < 1e-12);
                assert!(is_possible, "{} {action}: {}", entry.name, outcome.reward);
            }
        }
    }
}

#[test]
fn scripted_players_win_in_every_split() {
    for (entry, suite) in suites() {
        let all = played(entry, &*suite);
        for (split, _) in entry.splits {
            let of_split = || all.iter().filter(|it| it.is_scripted && it.split == *split);
            let is_won = |it: &Played| it.turns.last().is_some_and(|last| last.outcome.won);
            let is_right = of_split().count() == 0 || of_split().any(is_won);
            assert!(is_right, "{}: the player never wins in {split:?}", entry.name);
        }
    }
}

/// Words as the tokenizer of policies that are trained from scratch splits them.
fn words(text: &str) -> Vec<String> {
    let marks = [".", ",", ":", "]"].iter();
    let spaced =
        marks.fold(text.to_lowercase(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    spaced.replace('[', "[ ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_word_is_in_the_vocabulary() {
    for (entry, suite) in suites() {
        let Some(vocabulary) = suite.vocabulary().unwrap() else { continue };
        assert!(vocabulary.is_sorted(), "{}", entry.name);
        for Played { instruction, turns, .. } in played(entry, &*suite) {
            // What is seen after the end, nobody reads.
            let texts = turns.iter().flat_map(|turn| {
                let Observation { text, actions, .. } = &turn.seen;
                let done = (turn.action != NONSENSE).then(|| turn.action.clone());
                actions.describe().into_iter().chain(done).chain([text.clone()])
            });
            for word in texts.chain([instruction]).flat_map(|text| words(&text)) {
                let is_known = vocabulary.binary_search(&word).is_ok();
                assert!(is_known, "{}: '{word}' is not in the vocabulary", entry.name);
            }
        }
    }
}

/// A preset that leaves something out has what the preset `chores` says.
#[test]
fn presets_ask_for_what_their_environment_has() {
    for (entry, suite) in suites() {
        assert!(!entry.presets.is_empty(), "{}: no preset trains on it", entry.name);
        for preset in entry.presets {
            let settings: toml::Table = preset.text.parse().unwrap();
            let setting = |table: &str, name: &str| Some(settings.get(table)?.get(name)?.clone());
            let name = setting("environment", "name").unwrap_or_else(|| "chores".into());
            assert_eq!(name.as_str(), Some(entry.name), "{}", preset.name);
            let start = suite.start(entry.splits[0].0, 0).unwrap();
            let is_played = setting("warm_start", "episodes") != Some(0.into());
            assert!(!is_played || suite.player(&*start, 0).is_some(), "{}: no player", preset.name);
            let is_table = setting("policy", "kind") == Some("table".into());
            let is_read = is_table || suite.vocabulary().unwrap().is_some();
            assert!(is_read, "{}: no vocabulary", preset.name);
        }
    }
}

#[test]
fn language_models_are_told_what_to_do_in_both_ways() {
    for entry in entries() {
        for name in ["compact", "reasoning"] {
            assert!(entry.prompt(name).is_some(), "{} has no prompt '{name}'", entry.name);
        }
    }
}

#[test]
fn every_agent_acts_knows_who_it_is_and_is_explained() {
    let documentation = include_str!("../../../../docs/environments.md");
    for (entry, suite) in suites() {
        let (name, agents) = (entry.name, suite.agents());
        let mut acted = BTreeSet::new();
        let mut whose: BTreeMap<String, Option<String>> = BTreeMap::new();
        for Played { turns, last, .. } in played(entry, &*suite) {
            acted.extend(turns.iter().filter_map(|turn| turn.seen.agent.clone()));
            for seen in turns.into_iter().map(|turn| turn.seen).chain([last]) {
                assert_eq!(seen.agent.is_some(), !agents.is_empty(), "{name}: {}", seen.text);
                let first = whose.entry(seen.text.clone()).or_insert_with(|| seen.agent.clone());
                assert_eq!(*first, seen.agent, "{name}: two agents see '{}'", seen.text);
            }
        }
        let declared: BTreeSet<String> = agents.iter().map(ToString::to_string).collect();
        assert_eq!(acted, declared, "{name}: who acts, and who is in Suite::agents");
        for agent in agents {
            for prompt in entry.prompts {
                assert!(
                    prompt.text.contains(agent),
                    "{name}: prompt {} lacks {agent}",
                    prompt.name
                );
            }
            let is_documented = documentation.contains(&format!("`{agent}`"));
            assert!(is_documented, "docs/environments.md lacks `{agent}`, an agent of {name}");
        }
    }
}
