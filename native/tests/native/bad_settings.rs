//! Settings that cannot be used: one line with the place, the field and the remedy; exit 1.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::support::{fails, hgpo, run};

#[test]
fn a_bad_settings_file_is_named_with_line_and_field() {
    let cases: [(&str, &[&str]); 7] = [
        (
            "[learn]\nalpha = 1.0\nestimater = \"hgpo\"\n",
            &["bad.toml:3", "learn.estimater", "`learn.estimator`"],
        ),
        ("sed = 3\n", &["bad.toml:1", "`sed`", "`seed`"]),
        ("[lern]\nalpha = 1.0\n", &["bad.toml:2", "`lern.alpha`", "`learn.alpha`"]),
        ("[learn]\nalpha = \"much\"\n", &["bad.toml:2", "`learn.alpha`", "the default is `1.0`"]),
        ("[rollout]\n\ntasks = -1\n", &["bad.toml:3", "`rollout.tasks`", "-1"]),
        ("[learn]\nalpha = nan\n", &["bad.toml:2", "`learn.alpha`", "not a finite number"]),
        ("[learn\n", &["bad.toml:1", "not TOML"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, parts) in cases {
        std::fs::write(folder.path().join("bad.toml"), text).unwrap();
        fails(&run(folder.path(), &["train", "--config", "bad.toml"]), parts);
    }
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn a_bad_assignment_is_named() {
    let cases: [(&str, &[&str]); 5] = [
        ("learn.rate=1e-4", &["--set learn.rate=1e-4", "`learn.learning_rate`"]),
        ("estimator=gigpo", &["`learn.estimator`"]),
        ("learn.alpha", &["--set learn.alpha", "KEY=VALUE"]),
        ("learn.alpha=big", &["`learn.alpha`", "big"]),
        ("evaluation.seeds=1", &["`evaluation.seeds`", "[123, 456, 789]"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (assignment, parts) in cases {
        fails(&run(folder.path(), &["--set", assignment]), parts);
    }
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (assignment, field) in [
        ("learn.estimator=best", "learn.estimator"),
        ("learn.discount=1.5", "learn.discount"),
        ("environment.name=moon", "environment.name"),
        ("rollout.group_size=0", "rollout.group_size"),
        ("model.num_attention_heads=3", "model."),
    ] {
        fails(&run(folder.path(), &["--dry-run", "--set", assignment]), &[field]);
    }
}

#[test]
fn missing_files_and_names_say_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    fails(&run(&["--config", "none.toml"]), &["none.toml", "--dry-run"]);
    fails(&run(&["--preset", "chess"]), &["`chess`", "chores-tiny"]);
    fails(&run(&["--resume", "nowhere"]), &["nowhere", "runs/nowhere", "--name nowhere"]);
    fails(&run(&["--name", "a/b"]), &["--name a/b", "without slashes"]);
}

#[test]
fn missing_data_is_named_once_with_the_way_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["train", "--set", "environment.name=alfworld", "--dry-run"];
    let mut unset = hgpo(folder.path(), &arguments);
    let text = fails(&unset.env_remove("ALFWORLD_DATA").output().unwrap(), &["alfworld-download"]);
    assert_eq!(text.matches("is not set").count(), 1, "{text}");
    let mut elsewhere = hgpo(folder.path(), &arguments);
    let output = elsewhere.env("ALFWORLD_DATA", folder.path()).output().unwrap();
    let text = fails(&output, &["json_2.1.1/train", "alfworld-download"]);
    assert_eq!(text.matches("there is no").count(), 1, "{text}");
}
