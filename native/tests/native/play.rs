//! `hgpo play`: a game replayed from a file of actions, object by object.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use serde_json::{Value, json};

use crate::support::{fails, run, run_with_input, succeeds};
use crate::workshop::{DOMAIN, GRAMMAR, PROBLEM, file};

#[test]
fn actions_are_replayed_as_written_one_object_a_step() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.tw-pddl"), file(DOMAIN, PROBLEM, GRAMMAR)).unwrap();
    std::fs::write(folder.path().join("actions"), "go to box 1\n\nOpen box 1\nopen box 1\n")
        .unwrap();
    let arguments =
        ["play", "--env", "alfworld", "--game", "game.tw-pddl", "--actions", "actions", "--json"];
    let text = succeeds(&run(folder.path(), &arguments));
    let steps: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |field: &str| -> Vec<&Value> { steps.iter().map(|step| &step[field]).collect() };
    assert_eq!(
        of("action"),
        [
            &json!(null),
            &json!("go to box 1"),
            &json!(""),
            &json!("Open box 1"),
            &json!("open box 1")
        ]
    );
    assert_eq!(steps[2]["observation"], "Nothing happens.");
    assert_eq!(steps[3]["observation"], "Nothing happens.");
    assert_eq!(steps[4]["observation"], "You open the box 1.");
    assert_eq!(
        steps[1]["admissible"],
        json!(["blow", "go to bench 1", "go to shelf 1", "look", "open box 1"])
    );
    let fields =
        |step: &Value| -> Vec<String> { step.as_object().unwrap().keys().cloned().collect() };
    let shown = ["observation", "admissible", "reward", "score", "won", "done"];
    assert_eq!(fields(&steps[0]), [&["action", "instruction"][..], &shown].concat());
    assert_eq!(fields(&steps[1]), [&["action", "valid"][..], &shown].concat());
    let valid: Vec<&Value> = steps[1..].iter().map(|step| &step["valid"]).collect();
    assert_eq!(valid, [&json!(true), &json!(false), &json!(false), &json!(true)]);
}

#[test]
fn actions_come_from_standard_input_until_the_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.tw-pddl"), file(DOMAIN, PROBLEM, GRAMMAR)).unwrap();
    let winning = "blow\ntake brush 1 from bench 1\noil nail 2\nput brush 1 in/on bench 1\n\
                   take nail 2 from bench 1\ngo to shelf 1\ninspect shelf 1\nput nail 2 in/on shelf 1\nlook\n";
    let arguments = ["play", "--env", "alfworld", "--game", ".", "--json"];
    let text = succeeds(&run_with_input(folder.path(), &arguments, winning));
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(text.lines().count(), 9);
    let end = [&last["won"], &last["done"], &last["score"], &last["reward"]];
    assert_eq!(end, [&json!(true), &json!(true), &json!(1), &json!(10.0)]);
}

#[test]
fn task_is_shown_once_and_inadmissible_actions_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let play = |arguments: &[&str], actions: &str| {
        let arguments = [&["play"][..], arguments].concat();
        succeeds(&run_with_input(folder.path(), &arguments, actions))
    };
    let first = play(&["--env", "chores", "--json"], "");
    let first: Value = serde_json::from_str(&first).unwrap();
    let task = first["instruction"].as_str().unwrap();
    assert!(task.contains(' ') && !first["observation"].as_str().unwrap().contains(task));
    let said = "Not an admissible action";
    let text = play(&["--env", "chores"], "sing\n");
    assert!(text.starts_with(&format!("Task: {task}\n\n")), "{text}");
    assert_eq!((text.matches(task).count(), text.matches(said).count()), (1, 1), "{text}");
    let listed = first["admissible"][0].as_str().unwrap();
    assert!(!play(&["--env", "chores"], &format!("{listed}\n")).contains(said));
    // From a file that an editor gave a byte order mark, too.
    std::fs::write(folder.path().join("actions"), format!("\u{feff}{listed}\n")).unwrap();
    let replayed = play(&["--env", "chores", "--actions", "actions"], "");
    assert!(!replayed.contains(said), "{replayed}");
    // These games say it themselves.
    let generated = play(&["--env", "alfworld-generated"], "");
    assert!(
        generated.contains("Your task is to: ") && !generated.contains("Task: "),
        "{generated}"
    );
}

#[test]
fn the_whole_state_is_drawn_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let play = |options: &[&str]| {
        let map = "environment.gridworld.map=\"S.G\\n.#.\"";
        let arguments = [&["play", "--env", "gridworld", "--set", map][..], options].concat();
        succeeds(&run_with_input(folder.path(), &arguments, "right\n"))
    };
    let [hidden, drawn] = [play(&[]), play(&["--draw"])];
    assert!(hidden.contains("open: left right\n") && !hidden.contains('@'), "{hidden}");
    for state in ["@.G\n.#.\n\nopen: down right\n", "S@G\n.#.\n\nopen: left right\n"] {
        assert!(drawn.contains(state), "{drawn}");
    }
    let last =
        |text: &str| -> Value { serde_json::from_str(text.lines().last().unwrap()).unwrap() };
    assert_eq!(last(&play(&["--draw", "--json"]))["drawing"], "S@G\n.#.");
    assert_eq!(last(&play(&["--json"]))["drawing"], Value::Null);
    // Not every environment draws.
    let chores = ["play", "--env", "chores", "--draw", "--json"];
    assert_eq!(
        last(&succeeds(&run_with_input(folder.path(), &chores, "")))["drawing"],
        Value::Null
    );
}

#[test]
fn unplayable_games_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let broken = file(&DOMAIN.replace("(:functions", "(:derived"), PROBLEM, GRAMMAR);
    std::fs::write(folder.path().join("broken"), broken).unwrap();
    let play = |game: &str| run(folder.path(), &["play", "--env", "alfworld", "--game", game]);
    fails(&play("broken"), &["broken", "pddl_domain:9:3", ":derived"]);
    fails(&play("missing"), &["cannot read the game missing"]);
    let chores = ["play", "--env", "chores", "--game", "broken"];
    fails(&run(folder.path(), &chores), &["--task"]);
}

#[test]
fn every_environment_is_played_with_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    let play = |options: &[&str]| {
        let arguments = [&["play", "--json"][..], options].concat();
        run_with_input(folder.path(), &arguments, "sing\nsing\nsing\n")
    };
    let steps = |options: &[&str]| -> Vec<Value> {
        let text = succeeds(&play(options));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for entry in hgpo_env::registry::entries().filter(|entry| entry.data.is_none()) {
        let limited = ["--env", entry.name, "--task", "5", "--set", "environment.max_steps=2"];
        let steps = steps(&limited);
        // The start, and two steps that change nothing but their number.
        assert_eq!(steps.len(), 3, "{}", entry.name);
        assert_eq!((&steps[2]["done"], &steps[2]["won"]), (&json!(true), &json!(false)));
        assert_eq!(steps[1]["admissible"], steps[0]["admissible"]);
    }
    let generated = ["--env", "alfworld-generated", "--goal", "5"];
    let with = |set| [&generated[..], &["--set", set]].concat();
    assert_ne!(steps(&generated)[0], steps(&with("environment.generated.rooms=2"))[0]);
    fails(&play(&with("learn.alpha=1")), &["--set learn.alpha=1", "environment."]);
    let misspelt = with("environment.generated.roms=2");
    fails(&play(&misspelt), &["`environment.generated.rooms`"]);
    assert_eq!(play(&["--env", "moon"]).status.code(), Some(2));
}
