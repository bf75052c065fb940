//! Settings that cannot be used: one line with the place, the field and the remedy; exit 1.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use crate::support::{fails, hgpo, run, stderr, succeeds};

#[test]
fn bad_settings_files_are_refused_with_line_and_field() {
    let cases: [(&str, &[&str]); 11] = [
        (
            "[estimator]\nalpha = 1.0\nnome = \"hgpo\"\n",
            &["bad.toml:3", "estimator.nome", "`estimator.name`"],
        ),
        ("sed = 3\n", &["bad.toml:1", "`sed`", "`seed`"]),
        ("[lern]\nepochs = 1\n", &["bad.toml:2", "`lern.epochs`", "`learn.epochs`"]),
        (
            "[estimator]\nalpha = \"much\"\n",
            &["bad.toml:2", "`estimator.alpha`", "much", "the default is `1`"],
        ),
        ("[rollout]\n\ntasks = -1\n", &["bad.toml:3", "`rollout.tasks`", "-1"]),
        ("[learn]\ndiscount = nan\n", &["bad.toml:2", "`learn.discount`", "not a finite number"]),
        ("[estimator]\nalpha = nan\n", &["bad.toml:2", "`estimator.alpha`", "nan is not a number"]),
        (
            "[estimator]\nname = \"grpo\"\nalpha = 2.0\n",
            &[
                "bad.toml:3",
                "`estimator.alpha`",
                "grpo does not have this option",
                "episode_statistics",
            ],
        ),
        ("[learn\n", &["bad.toml:1", "invalid TOML"]),
        ("\nseed = 18446744073709551615\n", &["bad.toml:2", "out of range", "9223372036854775807"]),
        ("seed = 99999999999999999999999\n", &["bad.toml:1", "out of range"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, parts) in cases {
        std::fs::write(folder.path().join("bad.toml"), text).unwrap();
        fails(&run(folder.path(), &["train", "--config", "bad.toml"]), parts);
    }
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn bad_assignments_are_refused_by_name() {
    let range = "is out of range: integers go from -9223372036854775808 to 9223372036854775807";
    let seeds = "is out of range: seeds go from 0 to 9223372036854775807";
    let cases: [(&str, &[&str]); 17] = [
        ("seed=18446744073709551615", &["--set seed=", "`seed`: 18446744073709551615", seeds]),
        ("seed=9223372036854775808", &[seeds]),
        ("learn.loss=1", &["unknown field `learn.loss`; [learn] has ", ", clip_high, "]),
        ("loss=1", &["unknown field `loss`; there are seed, environment, policy, "]),
        ("estimator.lose=1", &["unknown field `estimator.lose`; [estimator] has ", "alpha"]),
        ("learn.iterations=-99999999999999999999", &["`learn.iterations`", range, "`500`"]),
        ("rollout.tasks = 0xffffffffffffffff", &["`rollout.tasks`: 0xffffffffffffffff", range]),
        ("evaluation.seeds=[1, 18446744073709551615]", &["`evaluation.seeds`", seeds]),
        (
            "learn.learning_rate=1e400",
            &["`learn.learning_rate`: 1e400", "other numbers to 1.8e308"],
        ),
        ("seed='18446744073709551615'", &["`seed`: invalid type: string"]),
        ("learn.rate=1e-4", &["--set learn.rate=1e-4", "`learn.learning_rate`"]),
        ("estimator=best", &["`estimator.name`", "`best`", "hgpo, gigpo, grpo"]),
        ("estimator.alpha", &["--set estimator.alpha", "KEY=VALUE"]),
        ("estimator.alpha=big", &["`estimator.alpha`", "big"]),
        (
            "estimator.step_weight=2",
            &["`estimator.step_weight`", "hgpo does not have this option", "alpha"],
        ),
        ("learn.alpha=2", &["--set learn.alpha=2", "learn.alpha is now estimator.alpha"]),
        ("evaluation.seeds=1", &["`evaluation.seeds`", "[123, 456, 789]"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (assignment, parts) in cases {
        fails(&run(folder.path(), &["--set", assignment]), parts);
    }
}

#[test]
fn contradictory_settings_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for (assignment, field) in [
        ("estimator.name=best", "estimator.name"),
        ("estimator.base_group=true", "estimator.base_group"),
        ("learn.discount=1.5", "learn.discount"),
        ("environment.name=moon", "environment.name"),
        ("rollout.group_size=0", "rollout.group_size"),
        ("model.num_attention_heads=3", "model."),
        ("model.rms_norm_eps=0", "model.rms_norm_eps"),
        ("learn.beta_2=1", "learn.beta_2"),
        ("evaluation.seeds=[1, 2, 1]", "evaluation.seeds"),
    ] {
        fails(&run(folder.path(), &["--dry-run", "--set", assignment]), &[field]);
    }
}

#[test]
fn renamed_settings_are_refused_with_their_new_names() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("runs/old")).unwrap();
    let text = "[learn]\nestimator = \"gigpo\"\nalpha = 1.0\nscale = \"mean\"\ndiscount = 0.9\n";
    std::fs::write(folder.path().join("runs/old/config.toml"), text).unwrap();
    for arguments in [["eval", "old"], ["train", "--resume=old"], ["bias", "old"]] {
        let parts = [
            "runs/old/config.toml",
            "[estimator]",
            "learn.estimator is now estimator.name",
            "learn.scale is now estimator.scale",
            "learn.alpha goes (gigpo does not have it)",
        ];
        let line = fails(&run(folder.path(), &arguments), &parts);
        assert!(!line.contains("learn.discount"), "{line}");
    }
}

#[test]
fn changed_estimators_report_dropped_settings() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deep.toml"), "[estimator]\nalpha = 3.0\n").unwrap();
    let arguments = ["--config", "deep.toml", "--set", "estimator=gigpo", "--dry-run"];
    let output = run(folder.path(), &arguments);
    // An empty line keeps it apart from the settings that follow on a terminal.
    assert_eq!(stderr(&output), "note: estimator.alpha = 3 is dropped: gigpo does not have it\n\n");
    let idle = ["--preset", "gridworld", "--set", "estimator.base_std=population", "--dry-run"];
    let idle = stderr(&run(folder.path(), &[&["train"][..], &idle].concat()));
    let expected = "note: estimator.base_std has no effect beside the other options of hgpo";
    assert!(idle.starts_with(expected), "{idle}");
    let text = succeeds(&output);
    let table = text.split("[estimator]\n").nth(1).unwrap().split("\n[").next().unwrap();
    // The defaults' scale is kept; the rest is GiGPO's own.
    let expected = "name = \"gigpo\"\nstep_weight = 1.0\nscale = \"mean\"\n\
        episode_statistics = \"steps\"\nsimilarity = \"none\"\nstep_std = \"sample\"\n\
        episode_std = \"sample\"\nstep_singleton = \"zero\"\nepisode_singleton = \"keep\"\n";
    assert_eq!(table, expected);
}

#[test]
fn estimators_of_agents_are_refused_without_agents() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&["--dry-run"][..], &["--name", "team"]] {
        let arguments = ["--preset", "chores-tiny", "--set", "estimator=dr-mas"];
        let output = run(folder.path(), &[&arguments, more].concat());
        fails(&output, &["estimator.name", "dr-mas", "chores has no agents"]);
    }
    assert!(!folder.path().join("runs/team").exists());
}

#[test]
fn similarity_of_embeddings_is_refused_without_embeddings() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&["--dry-run"][..], &["--name", "table"]] {
        let set = ["policy.kind=table", "estimator.similarity=embedding"];
        let set: Vec<&str> = set.iter().flat_map(|setting| ["--set", setting]).collect();
        let output = run(folder.path(), &[&["--preset", "chores-tiny"], &set[..], more].concat());
        fails(&output, &["estimator.similarity", "neither chores nor a table", "=edit"]);
    }
    assert!(!folder.path().join("runs/table").exists());
}

#[test]
fn missing_files_and_names_say_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    fails(&run(&["--config", "none.toml"]), &["none.toml", "--dry-run"]);
    fails(&run(&["--preset", "chess"]), &["`chess`", "chores-tiny"]);
    fails(&run(&["--resume", "nowhere"]), &["nowhere", "runs/nowhere", "--name nowhere"]);
    fails(&run(&["--name", "a/b"]), &["--name a/b", "letters, digits"]);
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
    assert_eq!(text.matches("does not exist").count(), 1, "{text}");
}

#[test]
fn choices_named_by_numbers_can_be_written_as_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let with = |depth: &str| {
        let depth = format!("estimator.depth={depth}");
        let sets = ["--set", "estimator=composed", "--set", &depth];
        run(folder.path(), &[&["train", "--dry-run", "--device", "cpu"], &sets[..]].concat())
    };
    assert_eq!(succeeds(&with("2")), succeeds(&with("'2'")));
    fails(
        &with("7"),
        &["`estimator.depth`: unknown value `7`: use one of 0, 1, 2, 3, fixed-point"],
    );
}

#[cfg(unix)]
#[test]
fn runs_folders_that_cannot_be_made_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/no/such/place", folder.path().join("runs")).unwrap();
    let train = ["train", "--preset", "chores-tiny", "--device", "cpu"];
    let link = "cannot write runs: it is a link to /no/such/place, which is not there";
    fails(&run(folder.path(), &train), &[link]);
    std::fs::remove_file(folder.path().join("runs")).unwrap();
    std::fs::write(folder.path().join("runs"), "").unwrap();
    fails(&run(folder.path(), &train), &["cannot write runs: a file has this name"]);
}
