//! The library as its users see it.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod collections;
mod free_text;
mod rounds;

use std::collections::BTreeSet;

use crate::certain::{Certain as _, play};
use hgpo_env::library::{Library, LibrarySettings, ScriptedReader};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::team::{ActionForm, Agents};
use hgpo_env::{Environment, EpisodeSettings, Observation, Player as _, Split, Suite as _};
use proptest::prelude::*;

pub(crate) const ALL: [(ActionForm, Agents); 4] = [
    (ActionForm::Listed, Agents::Team),
    (ActionForm::Listed, Agents::One),
    (ActionForm::Free, Agents::Team),
    (ActionForm::Free, Agents::One),
];

pub(crate) fn library(actions: ActionForm, agents: Agents) -> Library {
    let settings = LibrarySettings { actions, agents, ..LibrarySettings::default() };
    Library::new(settings, EpisodeSettings { max_steps: 12, success_reward: 10.0 }).unwrap()
}

pub(crate) fn default_library() -> Library {
    library(ActionForm::Listed, Agents::Team)
}

/// Words as a word-level tokenizer has them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let marks = [".", ",", ":"].iter();
    let spaced =
        marks.fold(text.to_lowercase(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// The facts that an observation tells.
pub(crate) fn facts(seen: &Observation) -> BTreeSet<String> {
    let (_, found) = seen.text.split_once(": ").unwrap();
    let facts = found.split_terminator('.').map(str::trim).filter(|it| *it != "nothing found");
    facts.map(str::to_owned).collect()
}

/// The name that is asked for.
pub(crate) fn answer(episode: &dyn Environment) -> String {
    let drawing = episode.drawing().unwrap();
    drawing.lines().find_map(|line| line.strip_prefix("answer: ")).unwrap().to_owned()
}

fn any_split() -> impl Strategy<Value = Split> {
    prop::sample::select(Split::ALL.to_vec())
}

fn any_suite() -> impl Strategy<Value = Library> {
    prop::sample::select(ALL.to_vec()).prop_map(|(actions, agents)| library(actions, agents))
}

proptest! {
    #[test]
    fn random_play_ends_in_short_texts_of_known_words(split in any_split(), task: u64, luck: u64) {
        for agents in [Agents::Team, Agents::One] {
            let suite = library(ActionForm::Listed, agents);
            let vocabulary = suite.vocabulary().unwrap().unwrap();
            let mut episode = suite.start(split, task).unwrap();
            let mut stream = Stream::new(luck, Purpose::Sampling, [0, 0]);
            let question = episode.instruction().to_owned();
            let turns = play(&mut *episode, |seen| {
                let listed = seen.actions.listed();
                listed[stream.below(listed.len())].clone()
            });
            prop_assert!(turns.len() <= 7);
            for (seen, action, outcome) in turns {
                prop_assert!(outcome.admissible, "{action}");
                let listed = seen.actions.listed().join(", ");
                let texts = [&question, &seen.text, &listed].map(|text| words(text));
                prop_assert!(texts.concat().len() <= 150, "{question} {} {listed}", seen.text);
                prop_assert!(seen.actions.listed().len() <= 18, "{listed}");
                for word in texts.concat() {
                    prop_assert!(vocabulary.binary_search(&word).is_ok(), "{word}");
                }
            }
        }
    }

    #[test]
    fn any_text_is_survived_and_what_is_no_action_changes_nothing(
        suite in any_suite(), split in any_split(), task: u64, texts in prop::collection::vec(".{0,40}", 12)
    ) {
        let mut episode = suite.start(split, task).unwrap();
        for text in texts {
            let (seen, situation) = (episode.observe(), episode.situation());
            let outcome = episode.act(&text);
            if !outcome.admissible {
                prop_assert_eq!(episode.situation(), situation);
                prop_assert_eq!(&episode.observe().text, &seen.text);
            }
            prop_assert!(!outcome.won || seen.agent.as_deref() != Some("verifier"));
        }
        prop_assert!(episode.observe().actions.is_empty());
    }

    #[test]
    fn the_same_task_and_actions_give_the_same_texts_whatever_was_asked_before(
        split in any_split(), task: u64, before: u64
    ) {
        let [first, second] = [0, 1].map(|round| {
            let suite = default_library();
            if round == 1 {
                // Collections are drawn in another order.
                suite.start(split, before).unwrap();
            }
            let mut episode = suite.start(split, task).unwrap();
            let mut reader = ScriptedReader::new(episode.instruction());
            (suite.task_content(split, task).unwrap(), play(&mut *episode, |seen| reader.act(seen).unwrap()))
        });
        prop_assert_eq!(first, second);
    }
}
