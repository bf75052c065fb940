//! `hgpo advantages` as a process: the contract of its output, formats and failures.
#![allow(
    clippy::float_cmp,
    clippy::unwrap_used,
    reason = "the same number twice; a test stops where its ground is missing"
)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support;
use crate::support::{
    assert_close, fails, hgpo, lines, numbers, run, run_with_input, stderr, succeeds,
};

/// Two tasks; the first has four trajectories that reach the same states in different ways.
const ROLLOUTS: &str = r#"{"task":"g","trajectory":"a","success":true,"steps":[{"state":"x","reward":0},{"state":"s","reward":6}]}
{"task":"g","trajectory":"b","steps":[{"state":"x","reward":0},{"state":"s","reward":0}]}
{"task":"g","trajectory":"c","steps":[{"state":"y","reward":0},{"state":"s","reward":3,"valid":false}]}
{"task":"h","trajectory":"a","steps":[{"state":"x","reward":1}]}
"#;

#[test]
fn output_has_one_line_per_trajectory_in_input_order() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let arguments = [
        "advantages",
        "r.jsonl",
        "--context-length",
        "1",
        "--scale",
        "mean",
        "--discount",
        "0.5",
        "--invalid-penalty",
        "1",
    ];
    let output = run(folder.path(), &arguments);
    let text = succeeds(&output);
    assert_eq!(stderr(&output), "");
    let found = lines(&text);
    let fields: Vec<&str> = found[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["task", "trajectory", "returns", "step_rewards", "advantages"]);
    let names: Vec<(&str, &str)> = found
        .iter()
        .map(|line| (line["task"].as_str().unwrap(), line["trajectory"].as_str().unwrap()))
        .collect();
    assert_eq!(names, [("g", "a"), ("g", "b"), ("g", "c"), ("h", "a")]);
    // Returns before the penalty; c's second step is invalid: 3 - 1.
    assert_eq!(numbers(&found[2], "returns"), [1.5, 3.0]);
    assert_eq!(numbers(&found[2], "step_rewards"), [1.5, 2.0]);
    // Step 0 at x: {3, 0}, mean 1.5, level 0 only. Step 1: level 0 {6, 0, 2}, mean 8/3;
    // level 1 (x, s): {6, 0}, mean 3; weights 1/3 and 2/3.
    let second = (6.0 - 8.0 / 3.0) / 3.0 + 3.0 * 2.0 / 3.0;
    assert_close(&numbers(&found[0], "advantages"), &[1.5, second], 1e-12);
    // c is alone at y (level 0) and at (y, s): level 0 keeps the whole weight, 2 - 8/3.
    assert_close(&numbers(&found[2], "advantages"), &[0.0, -2.0 / 3.0], 1e-12);
    assert_eq!(numbers(&found[3], "advantages"), [0.0]);
}

#[test]
fn standard_input_csv_and_verl_rows_give_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let expected = succeeds(&run(folder.path(), &["advantages", "r.jsonl"]));
    let mut csv = "task,trajectory,state,action,reward,valid\n".to_owned();
    let mut verl = String::new();
    for line in lines(ROLLOUTS) {
        for step in line["steps"].as_array().unwrap() {
            let valid = step.get("valid").is_none_or(|valid| valid == true);
            let (task, trajectory) =
                (line["task"].as_str().unwrap(), line["trajectory"].as_str().unwrap());
            let (state, reward) = (step["state"].as_str().unwrap(), &step["reward"]);
            writeln!(csv, "{task},{trajectory},{state},,{reward},{valid}").unwrap();
            let row = json!({"uid": task, "traj_uid": trajectory, "anchor_obs": state, "rewards": reward, "is_action_valid": valid});
            writeln!(verl, "{row}").unwrap();
        }
    }
    for input in [ROLLOUTS, &csv, &verl] {
        let text = succeeds(&run_with_input(folder.path(), &["advantages", "-"], input));
        assert_eq!(text, expected);
    }
    fs::write(folder.path().join("r.csv"), &csv).unwrap();
    assert_eq!(succeeds(&run(folder.path(), &["advantages", "r.csv"])), expected);
}

#[test]
fn an_explanation_sums_to_the_advantage_in_text_and_json() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let run =
        |more: &[&str]| succeeds(&run(folder.path(), &[&["advantages", "r.jsonl"], more].concat()));
    let expected = numbers(&lines(&run(&[]))[0], "advantages")[1];
    let explained: Value =
        serde_json::from_str(&run(&["--explain", "g/a/1", "--format", "json"])).unwrap();
    assert_eq!(explained["advantage"].as_f64().unwrap(), expected);
    let sum: f64 = explained["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| term["weight"].as_f64().unwrap() * term["advantage"].as_f64().unwrap())
        .sum();
    assert!((sum - expected).abs() < 1e-12);
    let text = run(&["--explain", "g/a/1"]);
    assert!(text.contains("level 1") && text.contains("a/1") && text.contains("b/1"), "{text}");
    let text = run(&["--explain", "g/a/1", "--alpha", "2"]);
    assert!(text.contains("weight (level + 1)^2 / sum  options  alpha 2"), "{text}");

    let measured: Value =
        serde_json::from_str(&run(&["--diagnostics", "--format", "json"])).unwrap();
    assert_eq!(measured["steps"], 7);
    assert!(run(&["--diagnostics"]).contains("level 2"));
}

#[test]
fn missing_summaries_are_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let by_summary = ["advantages", "r.jsonl", "--history", "summary"];
    let output = run(folder.path(), &by_summary);
    assert!(stderr(&output).contains("warning: r.jsonl: no step has a `context`"));
    succeeds(&output);
    let with_context = ROLLOUTS.replace("\"reward\"", "\"context\":\"c\",\"reward\"");
    fs::write(folder.path().join("r.jsonl"), with_context).unwrap();
    assert_eq!(stderr(&run(folder.path(), &by_summary)), "");
}

#[test]
fn missing_agents_are_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let plain = succeeds(&run(folder.path(), &["advantages", "r.jsonl", "--estimator", "gigpo"]));
    let by_agent = ["advantages", "r.jsonl", "--estimator", "dr-mas", "--inside", "gigpo"];
    let output = run(folder.path(), &by_agent);
    assert!(stderr(&output).contains("warning: r.jsonl: no step has an `agent`"));
    assert_eq!(succeeds(&output), plain);
    let with_agent = ROLLOUTS.replacen("\"reward\"", "\"agent\":\"one\",\"reward\"", 1);
    fs::write(folder.path().join("r.jsonl"), with_agent).unwrap();
    assert_eq!(stderr(&run(folder.path(), &by_agent)), "");
}

#[cfg(target_os = "linux")]
#[test]
fn closed_outputs_are_quiet_and_full_ones_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let to = |output: Stdio| {
        hgpo(folder.path(), &["advantages", "r.jsonl"])
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut closed = to(Stdio::piped());
    drop(closed.stdout.take());
    let output = closed.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    fails(&to(full.into()).wait_with_output().unwrap(), &["cannot write", "No space left"]);
}

#[cfg(target_os = "linux")]
#[test]
fn tasks_are_taken_one_by_one_in_bounded_memory() {
    // 100 tasks of four trajectories, 80 KB each: 32 MB, of which one task is held at a time.
    const TASKS: usize = 100;
    let step = format!(r#"{{"state":"{}","reward":1}}"#, "x".repeat(80_000));
    let folder = tempfile::tempdir().unwrap();
    let mut child = hgpo(folder.path(), &["advantages", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let peak_kilobytes = || {
        let status = fs::read_to_string(&status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    let mut after_ten = 0;
    for task in 0..TASKS {
        // More than fits into the pipe: when it is written, the tasks before were read.
        for member in 0..4 {
            let names = format!(r#""task":"g{task}","trajectory":"t{member}""#);
            writeln!(input, "{{{names},\"steps\":[{step}]}}").unwrap();
        }
        if task == 10 {
            after_ten = peak_kilobytes();
        }
    }
    let grown = peak_kilobytes() - after_ten;
    assert!(grown < 2048, "89 tasks of 320 KB each took {grown} KB more");
    drop(input);
    assert_eq!(succeeds(&child.wait_with_output().unwrap()).lines().count(), 4 * TASKS);
}

#[test]
fn bad_files_are_refused_with_line_trajectory_and_step() {
    let first = ROLLOUTS.lines().next().unwrap();
    let second = r#"{"task":"g","trajectory":"b","steps":[{"state":"x","reward":0},{"state":"s","reward":REWARD}]}"#;
    let with = |reward: &str| format!("{first}\n{}\n", second.replace("REWARD", reward));
    let cases: [(String, &[&str]); 12] = [
        (format!("{first}\n{}", &first[..60]), &["line 2", "middle of this line"]),
        (format!("{first}\nnot json\n"), &["line 2"]),
        (format!("{first}\n{{\"task\":\"g\"}}\n"), &["line 2"]),
        (with("NaN"), &["line 2", "\"b\"", "step 1", "NaN"]),
        (with("Infinity"), &["line 2", "\"b\"", "step 1", "Infinity"]),
        (with("-Infinity"), &["line 2", "\"b\"", "step 1", "-Infinity"]),
        (with("1e999"), &["line 2", "\"b\"", "step 1", "1e999"]),
        (with("\"much\""), &["line 2", "reward"]),
        (
            format!("{first}\n{{\"task\":\"g\",\"trajectory\":\"b\",\"steps\":[]}}\n"),
            &["line 2", "\"b\"", "no steps"],
        ),
        (format!("{first}\n{first}\n"), &["line 2", "\"a\"", "line 1"]),
        (String::new(), &["no trajectories"]),
        (
            format!(
                "{first}\n{}\n{}\n",
                first.replace("\"g\"", "\"h\""),
                with("0").lines().nth(1).unwrap()
            ),
            &["line 3", "\"g\"", "--whole-file"],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, parts) in &cases {
        fs::write(folder.path().join("bad.jsonl"), text).unwrap();
        if !parts.contains(&"--whole-file") {
            let line = fails(&run(folder.path(), &["advantages", "bad.jsonl"]), parts);
            assert!(line.contains("bad.jsonl"), "{line}");
        }
        let input = run_with_input(folder.path(), &["advantages", "-"], text);
        fails(&input, parts);
    }
    let scattered = &cases[11].0;
    fs::write(folder.path().join("scattered.jsonl"), scattered).unwrap();
    let whole = ["advantages", "scattered.jsonl"];
    assert_eq!(succeeds(&run(folder.path(), &whole)).lines().count(), 3);
}

#[test]
fn bad_options_and_step_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.jsonl"), ROLLOUTS).unwrap();
    let run = |more: &[&str]| run(folder.path(), &[&["advantages", "r.jsonl"], more].concat());
    // By their flags, as they were typed.
    let best = "error: --estimator: unknown name `best`: use one of hgpo, gigpo, grpo";
    fails(&run(&["--estimator", "best"]), &[best]);
    fails(&run(&["--alpha", "-1"]), &["error: --alpha: -1.0 is not a number from 0 to 100"]);
    fails(&run(&["--alpha", "nan"]), &["error: --alpha: NaN is not a number from 0 to 100"]);
    fails(&run(&["--context-length", "1001"]), &["error: --context-length: 1001 is not a whole"]);
    fails(&run(&["--discount", "1.5"]), &["error: --discount: 1.5 is not a number from 0 to 1"]);
    fails(&run(&["--base-group"]), &["error: --base-group: only `weights = verl`"]);
    let inside = run(&["--estimator", "dr-mas", "--inside", "best"]);
    fails(&inside, &["error: --inside: unknown name `best`"]);
    fails(&run(&["--explain", "g/a/9"]), &["g/a/9", "0 to 1"]);
    fails(&run(&["--explain", "g/z/0"]), &["g/z/0"]);
    // What the estimator would not look at is refused, not left unread.
    let grpo = run(&["--estimator", "grpo", "--scale", "mean", "--alpha", "2"]);
    fails(&grpo, &["--alpha", "grpo", "--episode-statistics"]);
    fails(&run(&["--inside", "hgpo"]), &["--inside", "hgpo"]);
    for (idle, flag) in [
        (&["--weights", "adaptive", "--alpha", "2"][..], "--alpha"),
        (&["--scale", "mean", "--std", "sample"], "--std"),
        (&["--estimator", "composed", "--lambda", "0.5"], "--lambda"),
    ] {
        let output = run(idle);
        let note = format!("note: {flag}: has no effect beside the other options of ");
        assert!(output.status.success() && stderr(&output).starts_with(&note), "{output:?}");
    }
    succeeds(&run(&["--estimator", "dr-mas", "--inside", "hgpo", "--alpha", "2"]));
    assert_eq!(run(&["--threshold", "0.9"]).status.code(), Some(2));
    fails(&run(&["--run", "first", "--alpha", "2"]), &["--alpha", "--run first"]);
    fails(&run(&["--run", "first", "--estimator", "hgpo"]), &["--estimator", "--run first"]);
    fails(&run(&["--run", "first"]), &["first"]);
    assert_eq!(run(&["--explain", "g"]).status.code(), Some(2));
    let scale = run(&["--scale", "median"]);
    assert_eq!(scale.status.code(), Some(2));
    let line = "'--scale <mean-std|mean>': unknown value `median`: use one of mean-std, mean";
    assert!(stderr(&scale).contains(line), "{}", stderr(&scale));
    fails(
        &support::run(folder.path(), &["advantages", "none.jsonl"]),
        &["none.jsonl", "No such file"],
    );
}

#[test]
fn tables_and_conversations_of_other_names_give_the_same_advantages() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("plain.csv", "task,trajectory,state,reward\nq,1,q,0\nq,1,4,1\nq,2,q,0\n");
    write("named.csv", "group,id,obs,score\nq,1,q,0\nq,1,4,1\nq,2,q,0\n");
    let row = |id: u8, obs: &str, score: u8| {
        format!(r#"{{"group":"q","id":"{id}","obs":"{obs}","score":{score}}}"#)
    };
    write("named.jsonl", &[row(1, "q", 0), row(1, "4", 1), row(2, "q", 0)].join("\n"));
    let [asked, said, told] = [("user", "q"), ("assistant", "a"), ("tool", "4")]
        .map(|(role, content)| format!(r#"{{"role":"{role}","content":"{content}"}}"#));
    let line = |messages: &[&String], reward: u8| {
        let messages: Vec<&str> = messages.iter().map(|message| message.as_str()).collect();
        format!("{{\"messages\":[{}],\"score\":{reward}}}\n", messages.join(","))
    };
    write(
        "conversations.jsonl",
        &[line(&[&asked, &said, &told, &said], 1), line(&[&asked, &said], 0)].concat(),
    );
    let advantages = |file: &str, more: &[&str]| {
        succeeds(&run(folder.path(), &[&["advantages", file], more].concat()))
    };
    let expected = advantages("plain.csv", &[]);
    let named = ["--columns", "task=group,trajectory=id,state=obs,reward=score"];
    for file in ["named.csv", "named.jsonl"] {
        assert_eq!(advantages(file, &named), expected, "{file}");
        fails(
            &run(folder.path(), &["advantages", file]),
            &["there are `group`, `id`, `obs`, `score`"],
        );
    }
    assert_eq!(advantages("conversations.jsonl", &["--columns", "reward=score"]), expected);
    let whole =
        advantages("conversations.jsonl", &["--columns", "reward=score", "--state", "transcript"]);
    assert_eq!(whole, expected, "the states are others, but as equal as before");
    for (option, value, told) in [
        ("--columns", "group=a", "no field `group`: there are task, "),
        ("--state", "all", "no state `all`: there are last-observation, "),
    ] {
        let output = run(folder.path(), &["advantages", "plain.csv", option, value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}
