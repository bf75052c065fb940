//! `hgpo advantages` on files that are not what they seem: put together, scattered, without an end.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{fails, hgpo, run, run_with_input, stderr, stdout, succeeds};

fn trajectory(task: &str, name: &str, steps: &str) -> String {
    format!("{{\"task\":{task:?},\"trajectory\":{name:?},\"steps\":[{steps}]}}\n")
}

const STEP: &str = r#"{"state":"s","reward":1}"#;

/// g, h, g again, i, h again.
fn scattered() -> String {
    let of = |task, name| trajectory(task, name, STEP);
    [of("g", "a"), of("h", "a"), of("g", "b"), of("i", "a"), of("h", "b")].concat()
}

#[test]
fn a_file_without_trajectories_is_refused_with_and_without_a_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let first = r#"{"environment":"chores","seed":1,"estimator":{"name":"grpo"}}"#;
    for text in ["", "\n\n", first, &format!("\u{feff}\n{first}\n\n")] {
        fs::write(folder.path().join("none.jsonl"), text).unwrap();
        for more in [&[][..], &["--diagnostics"], &["--explain", "g/a/0"], &["--whole-file"]] {
            let output = run(folder.path(), &[&["advantages", "none.jsonl"], more].concat());
            fails(&output, &["none.jsonl: no trajectories: at least one is needed"]);
            assert_eq!(stdout(&output), "");
        }
        fails(&run_with_input(folder.path(), &["advantages", "-"], text), &["no trajectories"]);
    }
}

#[test]
fn first_lines_with_duplicate_keys_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = r#"{"seed":1,"estimator":{"name":"grpo","name":"hgpo"}}"#;
    let text = format!("{first}\n{}", trajectory("g", "a", STEP));
    fs::write(folder.path().join("twice.jsonl"), text).unwrap();
    for more in [&[][..], &["--recorded"], &["--estimator", "grpo"], &["--diagnostics"]] {
        let output = run(folder.path(), &[&["advantages", "twice.jsonl"], more].concat());
        fails(&output, &["twice.jsonl: line 1", "duplicate field `name`"]);
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn names_stay_on_their_line_of_an_explanation() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [trajectory("g\nh", "a\tb\nc", STEP), trajectory("g\nh", "d\u{1b}[2J", STEP)];
    let lines = lines.concat().replace("\\u{1b}", "\\u001b");
    fs::write(folder.path().join("names.jsonl"), lines).unwrap();
    let step = r#"["g\nh","a\tb\nc",0]"#;
    let text = succeeds(&run(folder.path(), &["advantages", "names.jsonl", "--explain", step]));
    assert!(text.starts_with(r"g\nh/a\tb\nc/0  hgpo"), "{text}");
    assert!(text.contains(r"members  a\tb\nc/0 1.000000, d\u{1b}[2J/0 1.000000"), "{text}");
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let known = ["rule  ", "reward ", "episode ", "level ", "  ", "advantage "];
    assert!(rest.iter().all(|line| known.iter().any(|start| line.starts_with(start))), "{text}");
    assert!(!text.contains(['\t', '\u{1b}']), "{text}");
}

#[test]
fn a_file_whose_tasks_are_scattered_is_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.jsonl"), scattered()).unwrap();
    let whole = succeeds(&run(folder.path(), &["advantages", "s.jsonl", "--whole-file"]));
    assert_eq!(whole.lines().count(), 5);
    assert_eq!(succeeds(&run(folder.path(), &["advantages", "s.jsonl"])), whole);
    for more in [&["--diagnostics"][..], &["--explain", "h/a/0"]] {
        // These are told at the end: the file is read again, a pipe cannot be.
        let told = succeeds(&run(folder.path(), &[&["advantages", "s.jsonl"], more].concat()));
        let whole = [&["advantages", "s.jsonl", "--whole-file"], more].concat();
        assert_eq!(told, succeeds(&run(folder.path(), &whole)));
        let output =
            run_with_input(folder.path(), &[&["advantages", "-"], more].concat(), scattered());
        let line = fails(&output, &["line 3, task \"g\"", "--whole-file"]);
        assert!(!line.contains("printed"), "{line}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn scattered_tasks_of_a_pipe_are_reported_after_printing() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_with_input(folder.path(), &["advantages", "-"], scattered());
    fails(&output, &["line 3", "discard what was printed: task \"g\" is incomplete there"]);
    // The task before it is not told: it might come again.
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn concatenated_dumps_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let header = "task,trajectory,state,reward\n";
    let (mut csv, mut rows) = (String::new(), String::new());
    for name in ["a", "a", "b", "b"] {
        writeln!(csv, "g,{name},s,1").unwrap();
        let names = format!(r#""uid":"g","traj_uid":"{name}""#);
        writeln!(rows, r#"{{{names},"anchor_obs":"s","rewards":1}}"#).unwrap();
    }
    let cases = [
        (format!("{header}{csv}{header}{csv}"), "line 6: only the first line may say this"),
        (format!("{header}{csv}{csv}"), "line 6, task \"g\", trajectory \"a\", step 2: the task"),
        (format!("{rows}{rows}"), "line 5, task \"g\", trajectory \"a\", step 2: the task already"),
    ];
    for (text, place) in cases {
        fs::write(folder.path().join("both"), text).unwrap();
        for more in [&[][..], &["--whole-file"], &["--diagnostics"]] {
            fails(&run(folder.path(), &[&["advantages", "both"], more].concat()), &["both", place]);
        }
    }
}

#[test]
fn padding_is_left_out_and_repeated_rows_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let row = |name: &str, reward: u8, active: bool| {
        format!(
            "{{\"uid\":\"g\",\"traj_uid\":\"{name}\",\"anchor_obs\":\"s\",\"rewards\":{reward},\
             \"active_masks\":{active}}}\n"
        )
    };
    let rows = |rows: &[(&str, u8, bool)]| -> String {
        rows.iter().map(|&(name, reward, active)| row(name, reward, active)).collect()
    };
    let warned = |text: &str, more: &[&str]| {
        fs::write(folder.path().join("rows.jsonl"), text).unwrap();
        let output = run(folder.path(), &[&["advantages", "rows.jsonl"], more].concat());
        (succeeds(&output), stderr(&output))
    };
    let active = rows(&[("a", 1, true), ("b", 2, true)]);
    let padded = rows(&[("a", 1, true), ("b", 2, true), ("b", 0, false), ("b", 0, false)]);
    for more in [&[][..], &["--whole-file"], &["--diagnostics"], &["--explain", "g/b/0"]] {
        let (expected, quiet) = warned(&active, more);
        assert_eq!(quiet, "");
        assert_eq!(
            warned(&padded, more),
            (
                expected,
                "warning: rows.jsonl: 2 rows with `active_masks` false (padding after the end of an \
                 episode) were left out\n"
                    .to_owned()
            )
        );
    }
    let (_, warning) = warned(&rows(&[("a", 1, true), ("a", 1, true), ("b", 2, true)]), &[]);
    let expected = "warning: rows.jsonl: 1 row repeats the row before and is a step of its own;";
    assert!(warning.starts_with(expected), "{warning}");
}

#[test]
fn ambiguous_step_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        trajectory("a", "b/c", STEP),
        trajectory("x/y", "z", STEP),
        trajectory("a/b", "c", &format!("{STEP},{STEP}")),
    ];
    fs::write(folder.path().join("r.jsonl"), lines.concat()).unwrap();
    let explain = |step: &str| {
        run(folder.path(), &["advantages", "r.jsonl", "--format", "json", "--explain", step])
    };
    let both = [r#"'["a","b/c",0]'"#, r#"'["a/b","c",0]'"#];
    fails(&explain("a/b/c/0"), &["a/b/c/0: ambiguous: write ", both[0], both[1]]);
    let explained =
        |step: &str| -> Value { serde_json::from_str(&succeeds(&explain(step))).unwrap() };
    for (step, task) in [(r#"["a","b/c",0]"#, "a"), (r#"["a/b","c",1]"#, "a/b"), ("x/y/z/0", "x/y")]
    {
        assert_eq!(explained(step)["address"]["task"], task);
    }
    fails(&explain(r#"["a","c",0]"#), &["the first are b/c"]);
    fails(&explain("a/b/d/0"), &["the first tasks are a, x/y, a/b"]);
    fails(&explain("x/y/z/1"), &["0 to 0"]);
    assert_eq!(explain(r#"["a"]"#).status.code(), Some(2));
}

#[test]
fn embeddings_that_cannot_be_compared_are_named_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let step = |embedding: &str| format!(r#"{{"state":"s","reward":1,"embedding":{embedding}}}"#);
    let first = trajectory("g", "a", &step("[1,0]"));
    for (embedding, problem) in [
        ("[1]", "as long as the first step's, not one of 1"),
        ("[0,0]", "that are not all 0, not zeros"),
        ("null", "`embedding` is missing"),
    ] {
        let steps = format!("{},{}", step("[0,1]"), step(embedding));
        let text = format!("\n{first}{}", trajectory("g", "b", &steps));
        fs::write(folder.path().join("e.jsonl"), text).unwrap();
        let place = "e.jsonl: line 3, task \"g\", trajectory \"b\", step 1: ";
        for more in [&[][..], &["--whole-file"], &["--explain", "g/a/0"], &["--diagnostics"]] {
            let by_embedding = ["advantages", "e.jsonl", "--similarity", "embedding"];
            fails(&run(folder.path(), &[&by_embedding, more].concat()), &[place, problem]);
        }
    }
    let csv = "task,trajectory,state,reward,embedding\ng,a,s,1,[1]\ng,a,\"s\nt\",1,[1]\ng,a,s,1,\n";
    fs::write(folder.path().join("e.csv"), csv).unwrap();
    let output = run(folder.path(), &["advantages", "e.csv", "--similarity", "embedding"]);
    fails(
        &output,
        &["e.csv: line 5, task \"g\", trajectory \"a\", step 2: `embedding` is missing"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn endless_inputs_are_refused_with_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let limit = "268435456 bytes";
    let zero = "/dev/zero";
    for arguments in [
        &["advantages", zero][..],
        &["train", "--config", zero, "--dry-run"],
        &["play", "--env", "alfworld", "--game", zero],
        &["play", "--env", "chores", "--actions", zero],
    ] {
        fails(&run(folder.path(), arguments), &[zero, limit]);
    }
    // A line that begins well, and goes on.
    let mut child = hgpo(folder.path(), &["advantages", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"task\":\"g\",\"trajectory\":\"").unwrap();
    // The program closes its input at the limit.
    let piece = vec![b'x'; 1 << 16];
    while input.write_all(&piece).is_ok() {}
    let line = format!("the line at byte 0 is longer than {limit}");
    fails(&child.wait_with_output().unwrap(), &[&line]);
}

#[cfg(target_os = "linux")]
#[test]
fn diagnostics_and_explanations_hold_one_task() {
    // 60 tasks of 800 KB; the program holds one of them, and the text of a line.
    let folder = tempfile::tempdir().unwrap();
    let step = format!(r#"{{"state":"{}","reward":1}}"#, "x".repeat(200_000));
    for more in [&["--diagnostics"][..], &["--explain", "g3/t0/0", "--format", "json"]] {
        let mut child = hgpo(folder.path(), &[&["advantages", "-"], more].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        let peak_kilobytes = || {
            let status = fs::read_to_string(&status).unwrap();
            let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
        };
        let mut input = child.stdin.take().unwrap();
        let mut after_ten = 0;
        for task in 0..60 {
            for member in 0..4 {
                let line = trajectory(&format!("g{task}"), &format!("t{member}"), &step);
                input.write_all(line.as_bytes()).unwrap();
            }
            if task == 10 {
                after_ten = peak_kilobytes();
            }
        }
        let grown = peak_kilobytes() - after_ten;
        assert!(grown < 8192, "49 tasks of 800 KB each took {grown} KB more");
        drop(input);
        succeeds(&child.wait_with_output().unwrap());
    }
}

#[test]
fn estimates_of_excessive_size_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let states = |count: usize| {
        let step = |state: usize| format!(r#"{{"state":"{state}","reward":1}}"#);
        (0..count).map(step).collect::<Vec<_>>().join(",")
    };
    fs::write(folder.path().join("states.jsonl"), trajectory("g", "a", &states(4_001))).unwrap();
    let complete = ["advantages", "states.jsonl", "--similarity", "edit", "--linkage", "complete"];
    fails(
        &run(folder.path(), &complete),
        &["\"g\" has 4001 different states", "the limit is 4000"],
    );

    let long = format!("{STEP},").repeat(1999) + STEP;
    let lines = (0..50).map(|name| trajectory("g", &name.to_string(), &long));
    fs::write(folder.path().join("long.jsonl"), lines.collect::<String>()).unwrap();
    let deep = ["advantages", "long.jsonl", "--context-length", "1000", "--baseline", "others"];
    // 1,001 levels of 100,000 steps, 52 bytes each: 5.2 GB.
    fails(&run(folder.path(), &deep), &["1001 levels of 100000 steps", "5.2 GB", "4.3 GB"]);
    let few = ["advantages", "long.jsonl", "--context-length", "100", "--baseline", "others"];
    succeeds(&run(folder.path(), &few));
}
