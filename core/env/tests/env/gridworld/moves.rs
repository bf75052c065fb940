//! What moves do, by hand.

use super::{on, situation, start, suite};
use crate::certain::Certain;
use hgpo_env::gridworld::{Gridworld, GridworldSettings};
use hgpo_env::{Environment, EpisodeSettings, Outcome, Split, Suite};

/// Carries out actions; where each led, and what it earned.
fn walk(episode: &mut dyn Environment, actions: &[&str]) -> Vec<(String, f64)> {
    let step = |action: &&str| {
        let outcome = episode.act(action);
        assert!(outcome.admissible, "{action}");
        (situation(episode), outcome.reward)
    };
    actions.iter().map(step).collect()
}

/// What is expected of it.
fn way(steps: &[(&str, f64)]) -> Vec<(String, f64)> {
    steps.iter().map(|&(situation, reward)| (situation.to_owned(), reward)).collect()
}

#[test]
fn walls_and_edges_stop_and_the_goal_earns_the_reward() {
    let mut episode = start(on("S.#\n#.G"));
    assert_eq!(situation(&*episode), "0,0");
    let moves = ["up", "left", "down", "right", "right", "down"];
    let expected =
        [("0,0", 0.0), ("0,0", 0.0), ("0,0", 0.0), ("0,1", 0.0), ("0,1", 0.0), ("1,1", 0.0)];
    assert_eq!(walk(&mut *episode, &moves), way(&expected));
    let last = episode.act(" right\n");
    assert_eq!(last, Outcome { reward: 10.0, done: true, won: true, admissible: true });
    assert_eq!(situation(&*episode), "1,2");
}

#[test]
fn after_the_end_nothing_is_carried_out() {
    let mut episode = start(on("SG."));
    episode.act("right");
    assert!(episode.observe().actions.is_empty() && episode.possibilities("left").is_none());
    for action in ["left", "sing"] {
        let after = Outcome { reward: 0.0, done: true, won: true, admissible: false };
        assert_eq!(episode.act(action), after);
        assert_eq!(situation(&*episode), "0,1");
    }
    assert!(episode.way().is_empty());
}

#[test]
fn every_step_counts_towards_the_limit_even_one_that_is_no_action() {
    let episode = EpisodeSettings { max_steps: 3, success_reward: 2.5 };
    let suite = Gridworld::new(on("S.G"), episode).unwrap();
    let mut failed = suite.start(Split::Train, 0).unwrap();
    assert!(!failed.act("Right").done && !failed.act("").done);
    assert_eq!(situation(&*failed), "0,0");
    let end = failed.act("right");
    assert_eq!(end, Outcome { reward: 0.0, done: true, won: false, admissible: true });
    assert!(failed.observe().actions.is_empty());
    assert!(!failed.act("right").won);
    // The limit is no part of the situation, nor of what an action can lead to, nor of the plan.
    let ahead = failed.possibilities("right").unwrap();
    assert_eq!((ahead.len(), ahead[0].reward, ahead[0].next.is_none()), (1, 2.5, true));
    assert_eq!(failed.way(), ["right"]);
    // Winning with the last step is winning.
    let mut solved = suite.start(Split::Train, 0).unwrap();
    solved.act("up");
    solved.act("right");
    let end = solved.act("right");
    assert_eq!(end, Outcome { reward: 2.5, done: true, won: true, admissible: true });
}

#[test]
fn a_door_is_a_wall_until_the_key_was_found() {
    let mut episode = start(on("K.S.DG"));
    assert_eq!(episode.instruction(), "find the key, open the door, reach the goal");
    assert_eq!(episode.way().len(), 7);
    let expected = [("0,3", 0.0), ("0,3", 0.0), ("0,2", 0.0), ("0,1", 0.0), ("0,0 key", 0.0)];
    assert_eq!(walk(&mut *episode, &["right", "right", "left", "left", "left"]), way(&expected));
    assert_eq!(episode.way(), ["right"; 5]);
    let expected =
        [("0,1 key", 0.0), ("0,2 key", 0.0), ("0,3 key", 0.0), ("0,4 key", 0.0), ("0,5 key", 10.0)];
    assert_eq!(walk(&mut *episode, &["right"; 5]), way(&expected));
}

#[test]
fn drawings_show_the_task_and_the_agent_in_it() {
    let mut episode = start(on("K.SDG"));
    let drawn = |episode: &dyn Environment| episode.drawing().unwrap();
    assert_eq!(drawn(&*episode), "K.@DG");
    episode.act("left");
    assert_eq!(drawn(&*episode), "K@SDG");
    episode.act("left");
    assert_eq!(drawn(&*episode), "@.SDG");
    episode.act("right");
    assert_eq!(drawn(&*episode), ".@SDG");
    // Of several starts, keys and goals, those of the task.
    let several = suite(on("SKG.\nSKGa"));
    for seed in 0..20 {
        let drawing = drawn(&*several.start(Split::Train, seed).unwrap());
        let count = |tile: char| drawing.matches(tile).count();
        assert_eq!(['@', 'S', 'K', 'G', 'a', '.'].map(count), [1, 0, 1, 1, 1, 4], "{drawing}");
    }
}

#[test]
fn a_cost_cell_is_paid_for_whenever_it_is_entered() {
    let cost = |cost| GridworldSettings { cost, ..on("#~#\nS~G") };
    let mut episode = start(cost(1.5));
    let moves = ["right", "down", "up", "up", "down", "right"];
    // Down from the lower one and up from the upper one there is nothing: who stays enters nothing.
    let expected =
        [("1,1", -1.5), ("1,1", 0.0), ("0,1", -1.5), ("0,1", 0.0), ("1,1", -1.5), ("1,2", 10.0)];
    assert_eq!(walk(&mut *episode, &moves), way(&expected));
    let mut free = start(cost(0.0));
    assert_eq!(walk(&mut *free, &["right"]), way(&[("1,1", 0.0)]));
}

#[test]
fn only_slips_draw_chance_and_a_copy_goes_on_by_itself() {
    let mut episode = start(on("S..G"));
    let kept = episode.snapshot();
    assert_eq!(walk(&mut *episode, &["right"; 3])[2].1.to_bits(), f64::to_bits(10.0));
    assert_eq!(situation(&*kept), "0,0");
    assert_eq!(walk(&mut *kept.snapshot(), &["right"]), way(&[("0,1", 0.0)]));
}

#[test]
fn each_of_several_starts_keys_and_goals_is_some_task() {
    let suite = suite(on("SKK.GS\n.....G\nS....."));
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..400 {
        let mut episode = suite.start(Split::Train, seed).unwrap();
        let first = situation(&*episode);
        for action in episode.way() {
            episode.act(&action);
        }
        let last = situation(&*episode);
        seen.insert((first, last[..3].to_owned()));
    }
    // Three starts, each with either goal.
    assert_eq!(seen.len(), 6);
    let ends: Vec<&str> = seen.iter().map(|(_, last)| &**last).collect();
    assert!(ends.iter().all(|last| ["0,4", "1,5"].contains(last)), "{ends:?}");
}
