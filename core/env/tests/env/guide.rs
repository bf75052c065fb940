//! `guide-and-walker`: the rules, the splits, and the scripted pair.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{BTreeSet, HashSet};

use crate::certain::{Certain as _, play};
use hgpo_env::chores::guide::{GuideAndWalker, GuideSettings};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::team::{ActionForm, Agents};
use hgpo_env::{
    Actions, Environment, EnvironmentConfig, EpisodeSettings, Observation, Outcome, Split, Suite,
    suite,
};
use proptest::prelude::*;

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 20, success_reward: 10.0 };

fn open(settings: GuideSettings) -> GuideAndWalker {
    GuideAndWalker::new(settings, EPISODE).unwrap()
}

/// Every way to speak and to act.
fn all_settings() -> Vec<GuideSettings> {
    let mut all = Vec::new();
    for actions in [ActionForm::Listed, ActionForm::Free] {
        for agents in [Agents::Team, Agents::One] {
            let settings = GuideSettings { actions, agents, ..GuideSettings::default() };
            all.extend([1, 2].map(|words| GuideSettings { words, ..settings }));
        }
    }
    all
}

fn scripted(
    suite: &GuideAndWalker,
    episode: &mut dyn Environment,
) -> Vec<(Observation, String, Outcome)> {
    let mut player = suite.player(episode, 0).unwrap();
    play(episode, |seen| player.act(seen).unwrap())
}

fn random(stream: &mut Stream) -> impl FnMut(&Observation) -> String {
    |seen| match &seen.actions {
        Actions::Text => ["key", "go study", "", "a b c", "!"][stream.below(5)].to_owned(),
        actions => actions.listed()[stream.below(actions.listed().len())].clone(),
    }
}

/// Words as a word-level tokenizer has them.
fn words(text: &str) -> Vec<String> {
    let marks = [".", ",", ":"].iter();
    let spaced = marks.fold(text.to_owned(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// A task whose wanted thing is hidden.
fn hidden(suite: &GuideAndWalker) -> Box<dyn Environment> {
    let mut seeds = (0..).filter(|&seed| suite.kind(Split::Train, seed) == Some("hidden"));
    suite.start(Split::Train, seeds.next().unwrap()).unwrap()
}

#[test]
fn the_guide_speaks_and_the_walker_acts_in_turns() {
    let suite = open(GuideSettings::default());
    let mut episode = hidden(&suite);
    let map = episode.observe();
    assert_eq!(map.agent.as_deref(), Some("guide"));
    assert!(map.text.starts_with("wanted: ") && map.text.contains(", closed "), "{}", map.text);
    assert!(map.text.ends_with(" walker: hall."), "{}", map.text);
    assert_eq!(map.actions.listed().len(), 9, "{:?}", map.actions);
    // Walking is not for the guide, and speaking not for the walker.
    assert!(!episode.act("go to kitchen").admissible);
    assert_eq!(episode.observe().agent.as_deref(), Some("guide"));
    assert!(episode.act(" open ").admissible);
    let seen = episode.observe();
    assert_eq!(seen.agent.as_deref(), Some("walker"));
    assert_eq!(seen.text, "hall: nothing. heard: open.");
    assert_eq!(seen.actions.listed().len(), 3);
    assert!(!episode.act("open").admissible);
    assert_eq!(episode.observe(), seen);
    assert!(episode.act(&seen.actions.listed()[2]).admissible);
    assert_eq!(episode.observe().agent.as_deref(), Some("guide"));
    assert!(!episode.observe().text.contains("hall"));
}

#[test]
fn only_the_guide_sees_what_is_wanted_and_only_the_list_tells_what_is_held() {
    let suite = open(GuideSettings::default());
    let mut episode = hidden(&suite);
    let instruction = episode.instruction().to_owned();
    let turns = scripted(&suite, &mut *episode);
    let wanted = |text: &str| text.contains("wanted");
    for (seen, _, _) in &turns {
        assert_eq!(wanted(&seen.text), seen.agent.as_deref() == Some("guide"), "{}", seen.text);
        assert!(seen.agent.as_deref() != Some("walker") || !seen.text.contains("hold"));
    }
    assert!(
        (0..50).all(|seed| suite.start(Split::Unseen, seed).unwrap().instruction() == instruction)
    );
    let said: Vec<&str> = turns.iter().step_by(2).map(|turn| turn.1.as_str()).collect();
    let done: Vec<&str> = turns.iter().skip(1).step_by(2).map(|turn| turn.1.as_str()).collect();
    let verbs: Vec<&str> = done.iter().map(|it| it.split(' ').next().unwrap()).collect();
    assert_eq!(verbs, ["go", "open", "take", "go", "put"]);
    assert_eq!((said[1], said[4]), ("open", "put"));
    for place in [0, 2, 3] {
        assert!(done[place].ends_with(said[place]), "{said:?} {done:?}");
    }
    let (last, _, outcome) = turns.last().unwrap();
    assert!(last.actions.listed().iter().all(|it| !it.starts_with("take ")));
    assert!(last.context.as_deref().unwrap().starts_with("held: ") && outcome.won);
    assert_eq!(outcome.reward.to_bits(), 10.0_f64.to_bits());
    let after = episode.act("put");
    assert!(after.done && after.won && !after.admissible && after.reward == 0.0);
    assert!(episode.observe().actions.is_empty() && episode.way().is_empty());
}

#[test]
fn two_words_are_a_verb_and_a_name() {
    let suite = open(GuideSettings { words: 2, ..GuideSettings::default() });
    for seed in 0..200 {
        let mut episode = suite.start(Split::Unseen, seed).unwrap();
        let first = episode.observe().actions;
        let listed = first.listed();
        assert!(matches!(listed.len(), 10..=11), "{listed:?}");
        assert!(listed.iter().all(|it| it.split(' ').count() == 2), "{listed:?}");
        assert_eq!(listed.iter().collect::<HashSet<_>>().len(), listed.len(), "{listed:?}");
        assert!(!episode.act("open").admissible);
        for (seen, _, _) in scripted(&suite, &mut *episode) {
            let is_guide = seen.agent.as_deref() == Some("guide");
            assert!(!is_guide || seen.actions == first, "{:?}", seen.actions);
        }
    }
}

#[test]
fn any_text_of_few_words_is_heard_as_it_is_and_no_other() {
    let settings =
        GuideSettings { actions: ActionForm::Free, words: 2, ..GuideSettings::default() };
    let suite = open(settings);
    assert_eq!(suite.vocabulary().unwrap(), None);
    let mut episode = suite.start(Split::Seen, 3).unwrap();
    assert_eq!(episode.observe().actions, Actions::Text);
    let long = "a".repeat(100_000);
    let many = "a ".repeat(100_000);
    for wrong in
        ["", "  ", "go to study", "key. wanted: mug", "heard:", "\u{0}", "a\u{202e}", &long, &many]
    {
        let outcome = episode.act(wrong);
        assert_eq!((outcome.admissible, outcome.done), (false, false), "{wrong:?}");
    }
    assert!(episode.act("  Nach\nLINKS ").admissible);
    assert_eq!(episode.observe().text, "hall: nothing. heard: nach links.");
    assert!(!episode.act("nach links").admissible);
    let one = open(GuideSettings { words: 1, ..settings });
    let mut episode = one.start(Split::Seen, 3).unwrap();
    assert!(!episode.act("go study").admissible && episode.act("left").admissible);
}

#[test]
fn one_agent_sees_both_and_walks() {
    let (alone, team) = (
        open(GuideSettings { agents: Agents::One, ..GuideSettings::default() }),
        open(GuideSettings::default()),
    );
    assert!(alone.agents().is_empty());
    assert_eq!(team.agents(), ["guide", "walker"]);
    for seed in 0..100 {
        let mut one = alone.start(Split::Train, seed).unwrap();
        let mut both = team.start(Split::Train, seed).unwrap();
        let walks: Vec<String> = both.way().into_iter().skip(1).step_by(2).collect();
        assert_eq!(one.way(), walks);
        for walk in walks {
            let (map, seen) = (both.observe().text, one.observe());
            both.act("open");
            let room = both.observe();
            let here = room.text.split(" heard: ").next().unwrap();
            assert_eq!(seen.text, format!("{map} {here}"));
            assert_eq!((&seen.actions, seen.agent), (&room.actions, None));
            assert_eq!(one.act(&walk), both.act(&walk));
        }
    }
}

#[test]
fn the_scripted_pair_always_wins_by_a_shortest_way() {
    for settings in all_settings() {
        let suite = open(settings);
        for split in Split::ALL {
            for seed in 0..300 {
                let mut episode = suite.start(split, seed).unwrap();
                let plan = episode.way();
                let turns = scripted(&suite, &mut *episode);
                assert!(turns.last().unwrap().2.won, "{settings:?} {split:?} {seed}");
                assert!(turns.iter().all(|turn| turn.2.admissible));
                let done: Vec<String> = turns.into_iter().map(|turn| turn.1).collect();
                assert_eq!(done, plan);
                let walks = if suite.kind(split, seed) == Some("hidden") { 5 } else { 4 };
                let turns = if settings.agents == Agents::Team { 2 } else { 1 };
                assert_eq!(done.len(), turns * walks);
            }
        }
    }
}

#[test]
fn plans_win_from_anywhere_and_every_step_of_one_makes_it_shorter() {
    for settings in all_settings() {
        let suite = open(settings);
        for seed in 0..60 {
            let mut episode = suite.start(Split::Train, seed).unwrap();
            let mut stream = Stream::new(seed, Purpose::Sampling, [0, 0]);
            for _ in 0..stream.below(9) {
                let action = random(&mut stream)(&episode.observe());
                if episode.act(&action).done {
                    break;
                }
            }
            let plan = episode.way();
            // At most: put down another thing, fetch the wanted one, and bring it.
            assert!(plan.len() <= 12, "{plan:?}");
            for (step, action) in plan.iter().enumerate() {
                if episode.observe().actions.is_empty() {
                    break;
                }
                let possible = episode.possibilities(action).unwrap();
                let [only] = &possible[..] else { panic!("{} possibilities", possible.len()) };
                let outcome = episode.act(action);
                let is_last = step + 1 == plan.len();
                assert_eq!((outcome.admissible, outcome.won), (true, is_last));
                assert_eq!(only.reward.to_bits(), outcome.reward.to_bits());
                let next = only.next.as_ref().map(|next| next.situation());
                assert_eq!(next, (!is_last).then(|| episode.situation()));
                assert_eq!(episode.way(), plan[step + 1..]);
            }
            assert!(episode.possibilities("sing loud now").is_none());
        }
    }
}

#[test]
fn splits_share_no_task_and_few_layouts_have_few() {
    let contents = |suite: &GuideAndWalker, split, count| -> HashSet<String> {
        (0..count).map(|seed| suite.task_content(split, seed).unwrap()).collect()
    };
    let suite = open(GuideSettings::default());
    let [train, seen, unseen] = Split::ALL.map(|split| contents(&suite, split, 20_000));
    assert!(train.is_disjoint(&seen) && train.is_disjoint(&unseen) && seen.is_disjoint(&unseen));
    // Whatever lies where: what is asked for in which rooms.
    let asked = |all: &HashSet<String>| -> HashSet<String> {
        let lids = |text: &str| text.replace("open ", "closed ");
        let task = |text: &String| {
            let names: BTreeSet<String> = words(&lids(text)).into_iter().collect();
            format!("{} {names:?}", text.lines().next().unwrap())
        };
        all.iter().map(task).collect()
    };
    assert!(asked(&train).is_disjoint(&asked(&unseen)));
    assert!(train.len() > 5000 && seen.len() > 2000 && unseen.len() > 5000);
    let few = open(GuideSettings { layouts: 1, ..GuideSettings::default() });
    let [train, seen, unseen] = Split::ALL.map(|split| contents(&few, split, 100_000));
    assert!(train.is_disjoint(&seen) && seen.is_disjoint(&unseen));
    // The wanted thing has three or four places, by its goal, and the others 25: 750 tasks, of which two pairs of
    // nine are kept.
    assert_eq!((train.len(), seen.len()), (600, 150));
    assert!(unseen.len() > 5000);
}

#[test]
fn every_word_of_the_vocabulary_occurs() {
    for agents in [Agents::Team, Agents::One] {
        for listed_words in [1, 2] {
            let settings =
                GuideSettings { agents, words: listed_words, ..GuideSettings::default() };
            let suite = open(settings);
            let vocabulary = suite.vocabulary().unwrap().unwrap();
            let mut occur = BTreeSet::new();
            for seed in 0..600 {
                let mut episode = suite.start(Split::Train, seed).unwrap();
                occur.extend(words(episode.instruction()));
                occur.extend(suite.agents().into_iter().map(str::to_owned));
                let mut stream = Stream::new(seed, Purpose::Sampling, [0, 0]);
                for (seen, action, _) in play(&mut *episode, random(&mut stream)) {
                    occur.extend([words(&seen.text), words(&action)].concat());
                }
            }
            assert!(vocabulary.is_sorted());
            let unused: Vec<&String> =
                vocabulary.iter().filter(|&it| !occur.contains(it)).collect();
            let is_team = agents == Agents::Team;
            assert!(!is_team || unused.is_empty(), "{unused:?}");
            assert!(occur.iter().all(|it| vocabulary.binary_search(it).is_ok()));
        }
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let read = |text: &str| {
        let text = format!("name = \"guide-and-walker\"\n[guide]\n{text}");
        let config = toml::from_str::<EnvironmentConfig>(&text).map_err(|it| it.to_string())?;
        suite(&config, None).map(|_| ()).map_err(|it| it.to_string())
    };
    for (text, problem) in [
        ("words = 0", "environment.guide.words': must lie between 1 and 2, not 0"),
        ("words = 3", "guide.words'"),
        ("layouts = 0", "guide.layouts': must lie between 1 and 64, not 0"),
        ("layouts = 65", "guide.layouts'"),
        ("layouts = -1", "integer `-1`"),
        ("actions = \"some\"", "unknown variant `some`"),
        ("agents = \"two\"", "unknown variant `two`"),
        ("rooms = 9", "unknown field `rooms`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(problem), "{text}: {error}");
    }
    let settings = GuideSettings { layouts: 65, ..GuideSettings::default() };
    let error = GuideAndWalker::new(settings, EPISODE).unwrap_err().to_string();
    assert!(error.contains("environment.guide.layouts"), "{error}");
    for layouts in [1, 2, 64] {
        assert_eq!(
            read(&format!("layouts = {layouts}\nagents = \"one\"\nactions = \"free\"")),
            Ok(())
        );
    }
}

proptest! {
    #[test]
    fn random_play_ends_in_short_texts_of_known_words(
        settings in prop::sample::select(all_settings()), split in prop::sample::select(Split::ALL.to_vec()),
        task: u64, luck: u64
    ) {
        let suite = open(settings);
        let vocabulary = suite.vocabulary().unwrap();
        let mut episode = suite.start(split, task).unwrap();
        let mut stream = Stream::new(luck, Purpose::Sampling, [0, 0]);
        let turns = play(&mut *episode, random(&mut stream));
        prop_assert!(turns.len() <= 20);
        for (seen, _, outcome) in turns {
            prop_assert!(outcome.admissible || settings.actions == ActionForm::Free);
            let listed = seen.actions.listed();
            prop_assert!(listed.len() <= 11, "{listed:?}");
            prop_assert!(words(&seen.text).len() <= 32, "{}", seen.text);
            for word in words(&[&seen.text, &listed.join(" ")].map(String::as_str).join(" ")) {
                let is_known = vocabulary.as_ref().is_none_or(|it| it.binary_search(&word).is_ok());
                prop_assert!(is_known, "{word}");
            }
        }
    }

    #[test]
    fn any_text_is_survived_and_what_is_no_action_changes_nothing(
        settings in prop::sample::select(all_settings()), task: u64, texts in prop::collection::vec(".{0,30}", 20)
    ) {
        let mut episode = open(settings).start(Split::Train, task).unwrap();
        for text in texts {
            let (seen, situation, plan) = (episode.observe(), episode.situation(), episode.way());
            if !episode.act(&text).admissible {
                prop_assert_eq!(episode.situation(), situation);
                prop_assert_eq!(&episode.observe().text, &seen.text);
                prop_assert_eq!(episode.way(), plan);
            }
        }
        prop_assert!(episode.observe().actions.is_empty());
    }

    #[test]
    fn the_same_task_and_actions_give_the_same_texts_also_from_a_snapshot(
        settings in prop::sample::select(all_settings()), split in prop::sample::select(Split::ALL.to_vec()),
        task: u64, luck: u64
    ) {
        let episode = open(settings).start(split, task).unwrap();
        let [first, second] = [episode.snapshot(), open(settings).start(split, task).unwrap()].map(|mut it| {
            let mut stream = Stream::new(luck, Purpose::Sampling, [0, 0]);
            (play(&mut *it, random(&mut stream)), it.drawing())
        });
        prop_assert_eq!(first, second);
    }
}
