//! Rounds: who acts when, who wins, and by which plans.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::{BTreeSet, HashSet};

use super::{ALL, answer, default_library, facts, library, play, words};
use crate::certain::Certain as _;
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::team::{ActionForm, Agents};
use hgpo_env::{Split, Suite as _};

#[test]
fn a_round_is_judged_searched_and_judged_again_until_the_last() {
    let suite = default_library();
    for seed in 0..200 {
        let mut episode = suite.start(Split::Train, seed).unwrap();
        let mut known = BTreeSet::new();
        for round in 1..4 {
            let seen = episode.observe();
            assert_eq!(seen.agent.as_deref(), Some("verifier"));
            assert!(seen.text.starts_with(&format!("verifier, round {round}: ")), "{}", seen.text);
            assert_eq!(seen.actions.listed(), ["yes", "no"]);
            assert!(episode.act("no").admissible);
            let seen = episode.observe();
            assert_eq!(seen.agent.as_deref(), Some("searcher"));
            let chosen = seen.actions.listed()[seed as usize % seen.actions.listed().len()].clone();
            assert!(chosen.starts_with("search "), "{chosen}");
            assert!(episode.act(&chosen).admissible);
            let after = facts(&episode.observe());
            // A search that was made before may find nothing that matches any more.
            let more = after.len() - known.len();
            assert!(
                after.is_superset(&known) && more <= 2 && !after.is_empty(),
                "{seed}: {after:?}"
            );
            known = after;
        }
        let seen = episode.observe();
        assert_eq!(seen.agent.as_deref(), Some("answerer"));
        assert!(seen.actions.listed().iter().all(|it| it.starts_with("answer ")));
        let right = format!("answer {}", answer(&*episode).to_lowercase());
        let wrong = seen.actions.listed().iter().find(|it| **it != right).unwrap().clone();
        let outcome = episode.snapshot().act(&wrong);
        assert_eq!((outcome.done, outcome.won, outcome.reward.to_bits()), (true, false, 0));
        if seen.actions.listed().contains(&right) {
            let outcome = episode.act(&right);
            assert_eq!((outcome.done, outcome.won), (true, true));
            assert_eq!(outcome.reward.to_bits(), 10.0_f64.to_bits());
            let after = episode.act(&right);
            assert!(after.done && after.won && !after.admissible && after.reward == 0.0);
        }
    }
}

#[test]
fn the_answerer_answers_as_soon_as_the_verifier_says_yes() {
    let suite = default_library();
    let mut episode = suite.start(Split::Train, 3).unwrap();
    assert!(episode.act("yes").admissible);
    let seen = episode.observe();
    assert_eq!(seen.agent.as_deref(), Some("answerer"));
    assert_eq!(seen.text, "answerer, round 1: nothing found.");
    // Nothing is known but the name in the question.
    let [only] = seen.actions.listed() else { panic!("{:?}", seen.actions) };
    assert!(episode.instruction().to_lowercase().contains(only.strip_prefix("answer ").unwrap()));
    assert!(!episode.act("search moon").admissible && !episode.act("no").admissible);
    let outcome = episode.act(only);
    assert_eq!((outcome.admissible, outcome.done, outcome.won), (true, true, false));
}

#[test]
fn one_agent_searches_or_answers_and_answers_in_the_last_round() {
    let suite = library(ActionForm::Listed, Agents::One);
    assert!(suite.agents().is_empty());
    for seed in 0..200 {
        let mut episode = suite.start(Split::Unseen, seed).unwrap();
        for round in 1..4 {
            let seen = episode.observe();
            assert!(seen.agent.is_none() && seen.text.starts_with(&format!("round {round}: ")));
            let searches = seen.actions.listed().iter().filter(|it| it.starts_with("search "));
            let searches: Vec<String> = searches.cloned().collect();
            let answers = seen.actions.listed().iter().filter(|it| it.starts_with("answer "));
            assert_eq!(searches.len(), answers.count());
            assert!(episode.act(&searches[seed as usize % searches.len()]).admissible);
        }
        let last = episode.observe();
        assert!(last.actions.listed().iter().all(|it| it.starts_with("answer ")));
        assert!(!episode.act("search blue lamp").admissible);
        assert!(episode.act(&last.actions.listed()[0]).done);
    }
}

#[test]
fn the_scripted_player_nearly_always_wins_and_chance_rarely_does() {
    for (actions, agents) in ALL {
        let suite = library(actions, agents);
        for split in Split::ALL {
            let (mut won, mut steps, mut lucky) = (0, 0, 0);
            for seed in 0..500 {
                let mut episode = suite.start(split, seed).unwrap();
                let mut random = episode.snapshot();
                let mut reader = suite.player(&*episode, seed).unwrap();
                let turns = play(&mut *episode, |seen| reader.act(seen).unwrap());
                won += usize::from(turns.last().unwrap().2.won);
                steps += turns.len();
                if actions == ActionForm::Listed {
                    let mut stream = Stream::new(seed, Purpose::Sampling, [0, 0]);
                    let turns = play(&mut *random, |seen| {
                        let listed = seen.actions.listed();
                        listed[stream.below(listed.len())].clone()
                    });
                    lucky += usize::from(turns.last().unwrap().2.won);
                }
            }
            println!(
                "{actions:?} {agents:?} {split:?}: {won} won in {steps} steps, {lucky} by chance"
            );
            assert!(won >= 475, "{actions:?} {agents:?} {split:?}: {won}");
            assert!(lucky <= 50, "{actions:?} {agents:?} {split:?}: chance won {lucky}");
        }
    }
}

#[test]
fn plans_win_and_every_step_of_one_makes_it_shorter() {
    for (actions, agents) in ALL {
        let suite = library(actions, agents);
        for split in Split::ALL {
            for seed in 0..100 {
                let mut episode = suite.start(split, seed).unwrap();
                let mut reader = suite.player(&*episode, seed).unwrap();
                let scripted = play(&mut *episode.snapshot(), |seen| reader.act(seen).unwrap());
                let plan = episode.way();
                assert!(plan.len() <= scripted.len(), "{plan:?}");
                if actions == ActionForm::Free {
                    assert_eq!(plan.len(), if agents == Agents::Team { 2 } else { 1 });
                }
                for (step, action) in plan.iter().enumerate() {
                    let possible = episode.possibilities(action).unwrap();
                    let [only] = &possible[..] else { panic!("{} possibilities", possible.len()) };
                    let outcome = episode.act(action);
                    let last = step + 1 == plan.len();
                    assert_eq!((outcome.admissible, outcome.won, outcome.done), (true, last, last));
                    assert_eq!(only.reward.to_bits(), outcome.reward.to_bits());
                    let next = only.next.as_ref().map(|next| next.situation());
                    assert_eq!(next, (!last).then(|| episode.situation()));
                    assert_eq!(episode.way().len(), plan.len() - step - 1);
                }
            }
        }
    }
}

#[test]
fn nobody_plans_after_a_wrong_answer_or_without_the_name_in_the_last_round() {
    let suite = default_library();
    let mut episode = suite.start(Split::Train, 3).unwrap();
    episode.act("yes");
    // The name is not among those that can be chosen, and there is no way back to the searcher.
    assert_eq!(episode.plan(), None);
    let only = episode.observe().actions.listed()[0].clone();
    episode.act(&only);
    assert_eq!(episode.plan(), None);
}

#[test]
fn every_word_of_the_vocabulary_and_every_kind_occurs() {
    let suite = default_library();
    let mut occur = BTreeSet::new();
    let mut kinds = HashSet::new();
    for seed in 0..2000 {
        kinds.insert(suite.kind(Split::Train, seed).unwrap());
        let mut episode = suite.start(Split::Train, seed).unwrap();
        occur.extend(words(episode.instruction()));
        let mut reader = suite.player(&*episode, seed).unwrap();
        for (seen, action, _) in play(&mut *episode, |seen| reader.act(seen).unwrap()) {
            occur.extend([words(&seen.text), words(&action)].concat());
        }
    }
    assert_eq!(occur.into_iter().collect::<Vec<_>>(), suite.vocabulary().unwrap().unwrap());
    assert_eq!(kinds.len(), 14, "{kinds:?}");
    let free = library(ActionForm::Free, Agents::Team);
    assert_eq!(free.vocabulary().unwrap(), None);
}
