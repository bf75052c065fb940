//! `countdown-team`: the rules, the splits, and the scripted team.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::HashSet;

use crate::certain::{Certain as _, play};
use hgpo_env::countdown::{Countdown, CountdownSettings};
use hgpo_env::registry::Table as _;
use hgpo_env::team::{ActionForm, Agents};
use hgpo_env::{Actions, Environment, EpisodeSettings, Outcome, Split, Suite};

const EPISODE: EpisodeSettings = EpisodeSettings { max_steps: 60, success_reward: 10.0 };

fn suite(settings: CountdownSettings) -> Countdown {
    Countdown::new(settings, EPISODE).unwrap()
}

fn free() -> CountdownSettings {
    CountdownSettings { actions: ActionForm::Free, ..CountdownSettings::default() }
}

/// Plays the scripted team to the end; how many steps it takes, and whether it wins.
fn scripted(suite: &Countdown, episode: &mut dyn Environment, seed: u64) -> (usize, bool) {
    let mut player = suite.player(episode, seed).unwrap();
    let turns = play(episode, |seen| player.act(seen).unwrap());
    assert!(turns.iter().all(|(_, _, outcome)| outcome.admissible));
    (turns.len(), turns.last().unwrap().2.won)
}

/// The first possible action, as long as the solver acts.
fn propose_badly(episode: &mut dyn Environment) -> Outcome {
    loop {
        let actions = episode.observe().actions.complete();
        let outcome = episode.act(&actions[0]);
        if outcome.done || episode.observe().text.starts_with("proposed") {
            return outcome;
        }
    }
}

/// A task whose first proposal would be wrong.
fn hard(suite: &Countdown) -> Box<dyn Environment> {
    let start = |seed| suite.start(Split::Train, seed).unwrap();
    let is_hard = |seed: &u64| {
        let mut tried = start(*seed);
        propose_badly(&mut *tried);
        tried.act("approve").reward == 0.0
    };
    start((0..1000).find(is_hard).unwrap())
}

#[test]
fn a_wrong_proposal_that_is_approved_loses_and_one_that_is_rejected_is_made_again() {
    let suite = suite(CountdownSettings::default());
    let mut episode = hard(&suite);
    assert_eq!(episode.observe().agent.as_deref(), Some("solver"));
    let start = episode.observe().text;
    propose_badly(&mut *episode);
    let seen = episode.observe();
    assert_eq!(seen.agent.as_deref(), Some("checker"));
    assert_eq!(seen.actions.listed(), ["approve", "reject"]);
    let proposal = seen.text.strip_prefix("proposed: ").unwrap().to_owned();
    let approved = episode.snapshot().act("approve");
    assert_eq!((approved.done, approved.won, approved.reward), (true, false, 0.0));
    assert!(!episode.act("reject").done);
    assert_eq!(episode.observe().text, format!("{start} rejected: {proposal}"));
    // The third proposal is final.
    propose_badly(&mut *episode);
    episode.act("reject");
    let last = propose_badly(&mut *episode);
    assert_eq!((last.done, last.won), (true, false));
    assert!(episode.observe().actions.is_empty());
}

#[test]
fn the_last_proposal_wins_unchecked_and_with_one_attempt_nobody_checks() {
    let settings = CountdownSettings { attempts: 1, ..CountdownSettings::default() };
    let suite = suite(settings);
    assert_eq!(suite.agents(), ["solver"]);
    for seed in 0..50 {
        let mut episode = suite.start(Split::Seen, seed).unwrap();
        assert_eq!(scripted(&suite, &mut *episode, seed), (2, true));
    }
}

#[test]
fn the_scripted_team_wins_always_also_after_others_began_badly() {
    for (numbers, agents, actions) in [
        (3, Agents::Team, ActionForm::Listed),
        (4, Agents::Team, ActionForm::Listed),
        (4, Agents::Team, ActionForm::Free),
        (3, Agents::One, ActionForm::Free),
    ] {
        let settings =
            CountdownSettings { numbers, actions, agents, ..CountdownSettings::default() };
        let suite = suite(settings);
        for (split, seed) in
            Split::ALL.into_iter().flat_map(|split| (0..100).map(move |it| (split, it)))
        {
            let mut episode = suite.start(split, seed).unwrap();
            let length = if actions == ActionForm::Free { 2 } else { numbers };
            assert_eq!(episode.plan().unwrap().len(), length);
            assert_eq!(scripted(&suite, &mut *episode, seed), (length, true), "{split:?} {seed}");
            if actions == ActionForm::Listed {
                let mut episode = suite.start(split, seed).unwrap();
                let first = episode.observe().actions.complete();
                episode.act(&first[seed as usize % first.len()]);
                let plan = episode.plan().unwrap();
                let last = plan.iter().map(|action| episode.act(action)).last().unwrap();
                assert!(last.won && last.done, "{split:?} {seed} {plan:?}");
                let mut episode = suite.start(split, seed).unwrap();
                episode.act(&first[seed as usize % first.len()]);
                assert!(scripted(&suite, &mut *episode, seed).1);
            }
        }
    }
}

#[test]
fn one_agent_sees_what_the_team_sees_without_a_name() {
    let one = CountdownSettings { agents: Agents::One, ..CountdownSettings::default() };
    let (one, team) = (suite(one), suite(CountdownSettings::default()));
    assert!(one.agents().is_empty());
    let (mut alone, mut together) =
        (one.start(Split::Train, 5).unwrap(), team.start(Split::Train, 5).unwrap());
    for action in together.plan().unwrap() {
        let (single, shared) = (alone.observe(), together.observe());
        assert_eq!((single.text, single.actions), (shared.text, shared.actions));
        assert_eq!((single.agent.is_some(), shared.agent.is_some()), (false, true));
        assert_eq!(alone.act(&action), together.act(&action));
    }
}

#[test]
fn a_written_expression_has_to_use_every_number_once() {
    let suite = suite(free());
    let mut episode = suite.start(Split::Train, 3).unwrap();
    assert_eq!(episode.observe().actions, Actions::Text);
    let plan = episode.plan().unwrap();
    let long = "1+".repeat(50_000);
    for wrong in ["", "1", "approve", &format!("{} + 1", plan[0]), &long, "\u{0}", "(((("] {
        let outcome = episode.act(wrong);
        assert_eq!((outcome.admissible, outcome.done, outcome.reward), (false, false, 0.0));
    }
    let outcome = episode.act(&format!("  {}  ", plan[0].replace('*', "×").replace('-', "−")));
    assert!(outcome.admissible);
    assert!(!episode.act("yes").admissible);
    assert!(episode.act("approve").won);
}

#[test]
fn splits_share_no_task_and_unseen_numbers_are_never_trained_on() {
    let suite = suite(CountdownSettings::default());
    let tasks = |split| -> HashSet<(String, String)> {
        let task = |seed| {
            let text = suite.start(split, seed).unwrap().instruction().to_owned();
            let (target, numbers) = text.split_once(" from ").unwrap();
            (target.to_owned(), numbers.to_owned())
        };
        (0..20_000).map(task).collect()
    };
    let [train, seen, unseen] = Split::ALL.map(tasks);
    assert!(train.is_disjoint(&seen) && train.is_disjoint(&unseen) && seen.is_disjoint(&unseen));
    let numbers = |tasks: &HashSet<(String, String)>| -> HashSet<String> {
        tasks.iter().map(|(_, numbers)| numbers.clone()).collect()
    };
    let (trained, new) = (numbers(&train), numbers(&unseen));
    assert!(trained.is_disjoint(&new) && numbers(&seen).is_subset(&trained));
    // Of 364 sets of three numbers up to 12.
    assert_eq!(trained.len() + new.len(), 364);
    // There are 3,763 tasks for training, of which 20,000 draws miss a few.
    assert_eq!((seen.len(), unseen.len()), (518, 436));
    assert!((3700..=3763).contains(&train.len()), "{}", train.len());
}

#[test]
fn every_split_has_tasks_whatever_the_settings_are() {
    for (numbers, largest) in [(3, 8), (3, 20), (4, 8), (4, 20)] {
        let suite = suite(CountdownSettings { numbers, largest, ..CountdownSettings::default() });
        for split in Split::ALL {
            assert!(suite.start(split, 1).unwrap().plan().is_some_and(|plan| !plan.is_empty()));
        }
    }
}

#[test]
fn training_can_draw_from_a_few_tasks() {
    let tasks = |training_tasks| -> HashSet<u64> {
        let suite = suite(CountdownSettings { training_tasks, ..CountdownSettings::default() });
        (0..500).map(|place| suite.training_task(7, 1, place)).collect()
    };
    assert_eq!((tasks(5), tasks(0).len()), ((0..5).collect(), 500));
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings: CountdownSettings| settings.check().unwrap_err().field;
    let usual = CountdownSettings::default;
    assert_eq!(refused(CountdownSettings { numbers: 5, ..usual() }), "numbers");
    assert_eq!(refused(CountdownSettings { largest: 7, ..usual() }), "largest");
    assert_eq!(refused(CountdownSettings { attempts: 0, ..usual() }), "attempts");
    let error = Countdown::new(CountdownSettings { numbers: 2, ..usual() }, EPISODE).unwrap_err();
    assert!(error.to_string().contains("countdown.numbers"), "{error}");
    assert!(toml::from_str::<CountdownSettings>("agents = \"three\"").is_err());
    assert_eq!(
        toml::from_str("agents = \"one\"\nactions = \"free\""),
        Ok(CountdownSettings { agents: Agents::One, ..free() })
    );
}
