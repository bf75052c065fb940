//! Other settings, and earlier iterations.

use serde_json::{Value, json};

use crate::ask::{asked, run, settings, start, with};

fn change(settings: &Value) -> Value {
    asked(&json!({ "change": { "settings": settings } }), "changed")
}

fn go_back(iteration: u64) {
    let went = asked(&json!({ "go-back": { "iteration": iteration } }), "went");
    assert_eq!(went["iteration"], iteration);
}

/// What the first seed has learned to do at each place, after the most frequent past.
fn learned() -> Vec<Value> {
    let mut arrows = asked(&json!({ "arrows": { "seed": 0 } }), "arrows");
    let places = arrows["places"].as_array_mut().unwrap();
    places.iter_mut().map(|place| place["memories"][0]["after"].take()).collect()
}

#[test]
fn what_was_learned_is_kept_where_it_means_the_same() {
    let settings = settings("signpost");
    for other in [
        json!({ "estimator": { "name": "gigpo" } }),
        json!({ "rollout": { "group_size": 6, "tasks": 2, "temperature": 0.8 } }),
        json!({ "learn": { "learning_rate": 0.02, "iterations": 50, "beta_1": 0.5 } }),
        json!({ "environment": { "success_reward": 5.0, "max_steps": 12, "gridworld": { "slip": 0.3, "cost": 2.0 } } }),
    ] {
        start(&settings, &[1, 2]);
        run(3);
        let known = learned();
        assert!(known.len() > 10);
        let changed = change(&with(&settings, &other));
        assert_eq!(changed, json!({ "keeps-weights": true, "iteration": 3 }), "{other}");
        assert_eq!(learned(), known, "{other}");
        let lines = run(1);
        assert!(lines.iter().all(|lines| lines[0].starts_with(r#"{"iteration":4,"#)));
    }
    for other in [
        json!({ "rollout": { "history_length": 1 } }),
        json!({ "environment": { "gridworld": { "world": "comb" } } }),
        json!({ "environment": { "gridworld": { "map": "S.G" } } }),
        json!({ "environment": { "gridworld": { "sight": "walls" } } }),
        json!({ "warm_start": { "episodes": 2 } }),
    ] {
        start(&settings, &[1, 2]);
        run(3);
        let other = with(&settings, &other);
        assert_eq!(change(&other), json!({ "keeps-weights": false, "iteration": 0 }), "{other}");
        let lines = run(2);
        start(&other, &[1, 2]);
        assert_eq!(lines, run(2), "{other}");
    }
}

#[test]
fn settings_that_stay_change_nothing() {
    let settings = settings("locked");
    start(&settings, &[1, 2]);
    let lines = run(8);
    start(&settings, &[1, 2]);
    let mut again = run(5);
    change(&settings);
    again.iter_mut().zip(run(3)).for_each(|(lines, more)| lines.extend(more));
    assert_eq!(again, lines);
}

#[test]
fn who_goes_back_comes_the_same_way_again() {
    start(&settings("signpost"), &[1, 2]);
    let lines = run(100);
    let look = |seed: usize| asked(&json!({ "look": { "seed": seed } }), "look");
    let arrows = || asked(&json!({ "arrows": { "seed": 1 } }), "arrows");
    let at = (look(0), look(1), arrows());
    for iteration in [97, 60, 31, 1, 0] {
        go_back(iteration);
        assert_eq!(look(1)["iteration"], iteration);
        let again = run(2);
        for (again, lines) in again.iter().zip(&lines) {
            let from = iteration as usize;
            assert_eq!(again[..], lines[from..from + 2], "{iteration}");
        }
    }
    run(98);
    assert_eq!((look(0), look(1), arrows()), at);
    go_back(100);
    assert_eq!(look(0), at.0);
}

#[test]
fn what_is_played_again_is_played_with_the_settings_of_then() {
    let first = settings("signpost");
    let second = with(
        &first,
        &json!({ "estimator": { "name": "gigpo" }, "learn": { "beta_1": 0.5, "learning_rate": 0.03 },
            "environment": { "gridworld": { "slip": 0.2 } } }),
    );
    let look = || asked(&json!({ "look": { "seed": 0 } }), "look");
    start(&first, &[1]);
    run(5);
    change(&second);
    let fifth = run(5);
    run(5);
    change(&first);
    run(3);
    // In the middle of the second settings: what was played is theirs, and what comes is of the third.
    go_back(8);
    let eighth = look();
    let rollouts = eighth["rollouts"].as_str().unwrap();
    assert!(rollouts.lines().next().unwrap().contains("gigpo"));
    let ninth = run(1);
    assert_ne!(ninth[0][0], fifth[0][3]);
    // The same way without detours.
    start(&first, &[1]);
    run(5);
    change(&second);
    run(3);
    assert_eq!(look(), eighth);
    change(&first);
    assert_eq!(run(1), ninth);
    // Before and after the first change.
    go_back(5);
    change(&second);
    assert_eq!(run(5), fifth);
}
