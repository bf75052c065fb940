//! `hgpo bias` as a process: its files, repeatability, Ctrl-C and refusals.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{ask_to_end, fails, hgpo, run, run_file, stderr, succeeds, tiny};

const SMALL: [&str; 10] =
    ["bias", "first", "--tasks", "2", "--groups", "3", "--rollouts", "2", "--device", "cpu"];

fn findings(folder: &Path) -> (Vec<u8>, Value) {
    let text = fs::read(folder.join("bias.json")).unwrap();
    let value = serde_json::from_slice(&text).unwrap();
    (text, value)
}

/// Stops a study as soon as it plays.
fn stop(folder: &Path) -> (Option<i32>, String) {
    let endless = ["bias", "first", "--tasks", "1000000", "--device", "cpu"];
    let mut child =
        hgpo(folder, &endless).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("policy ")));
    ask_to_end(&child);
    let last = lines.last().unwrap();
    (child.wait_with_output().unwrap().status.code(), last)
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_tables_are_reported_and_the_study_kept() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &tiny("first", &[])));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = hgpo(folder.path(), &SMALL).stdout(full).output().unwrap();
    fails(&output, &["the study is complete in runs/first/bias", "No space left"]);
    assert_eq!(findings(&run_file(folder.path(), "first", "bias")).1["iteration"], 3);
}

#[test]
fn bias_files_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("first", &[])));
    let output = run(path, &[&SMALL[..], &["--threads", "1"]].concat());
    let text = succeeds(&output);
    assert_eq!(stderr(&output), "");
    for part in ["level 2", "history", "aggregate", "hgpo+adaptive", "gigpo", "grpo", "runs/first"]
    {
        assert!(text.contains(part), "`{part}`: {text}");
    }
    let (bytes, found) = findings(&run_file(path, "first", "bias"));
    let picture = fs::read_to_string(run_file(path, "first", "bias/bias.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("aggregate"));

    // Groups of four and episodes of at most twelve steps.
    assert_eq!((&found["iteration"], &found["group_size"]), (&3.into(), &4.into()));
    let hgpo = &found["estimators"][0];
    assert_eq!(
        (&hgpo["name"], &hgpo["groups"], &hgpo["tasks"]),
        (&"hgpo".into(), &6.into(), &2.into())
    );
    // The discount of the run, not that of `hgpo advantages`.
    assert_eq!(hgpo["options"]["discount"], 0.85);
    let steps = hgpo["steps"].as_u64().unwrap();
    assert!((24..=288).contains(&steps), "{steps}");
    let rows = hgpo["all_steps"].as_array().unwrap();
    let quantities: Vec<String> = rows.iter().map(|row| row["quantity"].to_string()).collect();
    let levels = [r#"{"level":0}"#, r#"{"level":1}"#, r#"{"level":2}"#];
    assert_eq!(quantities, [&levels[..], &[r#""history""#, r#""aggregate""#]].concat());
    let observed = rows[4]["observations"].as_u64().unwrap();
    assert!(observed > 0 && observed <= steps);

    let to = |out: &str, more: &[&str]| run(path, &[&SMALL[..], &["--out", out], more].concat());
    let elsewhere = |out: &str, more: &[&str]| {
        succeeds(&to(out, more));
        findings(&path.join(out)).0
    };
    assert!(elsewhere("again", &["--threads", "3"]) == bytes);
    assert!(elsewhere("other", &["--seed", "9"]) != bytes);
    // Nothing that was found is overwritten.
    fails(&to("again", &["--seed", "9"]), &["again/bias.json already exists", "--out"]);
    assert!(findings(&path.join("again")).0 == bytes);
    succeeds(&run(path, &SMALL));
    assert!(findings(&run_file(path, "first", "bias-2")).0 == bytes);

    fs::write(path.join("file"), "").unwrap();
    let blocked = run(path, &[&SMALL[..], &["--out", "file/below"]].concat());
    fails(&blocked, &["cannot write", "file/below"]);

    #[cfg(unix)]
    {
        fs::remove_dir_all(run_file(path, "first", "bias")).unwrap();
        let (status, last) = stop(path);
        assert_eq!((status, last.as_str()), (Some(130), "stopped: nothing was written"));
        assert!(!run_file(path, "first", "bias").exists());
    }
}

/// The only one that hears of the critic is the estimator that asks for what it says.
#[test]
fn critic_of_the_run_provides_state_values() {
    const POLICY: &str = "checkpoints/iteration_000003/policy.safetensors";
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &tiny("first", &["--set", "critic.kind=least-squares"])));
    let study = |out: &str, more: &[&str]| {
        let arguments = [&SMALL[..], &["--out", out, "--estimators"], more].concat();
        succeeds(&run(folder.path(), &arguments));
        findings(&folder.path().join(out)).1["estimators"].clone()
    };
    let recorded =
        ["--credit", "gae", "--among", "nothing", "--episode-weight", "0", "--state-value"];
    let found = study("critic", &[&["composed"], &recorded[..], &["recorded"]].concat());
    assert_eq!(found[0]["options"]["estimator"]["state_value"], "recorded");
    assert!(found[0]["all_steps"][1]["observations"].as_u64().unwrap() > 0, "{found}");
    assert!(found != study("visits", &[&["composed"], &recorded[..], &["returns"]].concat()));
    succeeds(&run(folder.path(), &tiny("plain", &[])));
    let of = |run: &str| fs::read(run_file(folder.path(), run, POLICY)).unwrap();
    assert!(of("first") == of("plain"));
}

#[test]
fn impossible_studies_are_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bare")).unwrap();
    fs::write(folder.path().join("bare/config.toml"), "").unwrap();
    let cases: [(&[&str], &[&str]); 16] = [
        (&["--tasks", "0"], &["--tasks 0", "at least 1"]),
        (&["--rollouts", "1"], &["--rollouts 1", "at least 2"]),
        (&["--groups", "1"], &["--groups 1", "at least 2"]),
        (&["--estimators", "hgpo,best"], &["--estimators best", "hgpo, gigpo, grpo"]),
        (&["--estimators", "hgpo,"], &["--estimators", "unknown"]),
        (
            &["--estimators", "hgpo+fast"],
            &["--estimators hgpo+fast", "`fast`", "adaptive", "others"],
        ),
        (&["--estimators", "grpo+others"], &["--estimators grpo+others", "of hgpo only"]),
        (&["--estimators", "reinforce-plus-plus"], &["whitens", "choose another"]),
        (&["--estimators", "grpo", "--scale", "mean-std"], &["--scale: mean-std", "`mean`"]),
        (&["--invalid-penalty", "0.1"], &["error: --invalid-penalty: 0.1", "use 0"]),
        (&["--discount", "1.5"], &["error: --discount: 1.5"]),
        (&["--alpha", "-1"], &["error: --alpha: -1"]),
        (&["--estimators", "grpo,gigpo", "--alpha", "2"], &["--alpha", "grpo + gigpo"]),
        (
            &["--estimators", "composed", "--state-value", "recorded", "--credit", "gae"],
            &["--estimators composed", "no critic", "critic.kind=least-squares"],
        ),
        (&["--context-length", "9999"], &["error: --context-length: 9999"]),
        (&[], &["bare/checkpoints has no checkpoint", "hgpo train --resume"]),
    ];
    for (arguments, parts) in cases {
        fails(&run(folder.path(), &[&["bias", "bare"], arguments].concat()), parts);
    }
    fails(&run(folder.path(), &["bias", "nowhere"]), &["nowhere", "hgpo train --name nowhere"]);
}
