//! Contradictions, and what would count twice, are refused before anything is made of them.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::compare::{STUDY, statuses, summary, write};
use crate::eval::maze;
use crate::support::{fails, hgpo, run, run_file, run_with_input, stderr, succeeds};

#[test]
fn contradicting_seeds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let with = |set: &str| {
        run(folder.path(), &["train", "--dry-run", "--device", "cpu", "--seed", "3", "--set", set])
    };
    fails(&with("seed=4"), &["--set seed=4: --seed 3 gives the same setting another value"]);
    succeeds(&with("seed=3"));
    let model = ["train", "--dry-run", "--model", "a", "--set", "pretrained.model=b"];
    fails(&run(folder.path(), &model), &["--set pretrained.model=b: --model \"a\" gives"]);
}

#[test]
fn runs_named_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    for names in [["one", "one"], ["one", "runs/one"], ["runs/../runs/one", "runs/one/"]] {
        let eval = run(path, &["eval", "--device", "cpu", names[0], names[1]]);
        fails(&eval, &[names[1], "the same run as", names[0]]);
        let report = run(path, &["report", names[0], names[1]]);
        fails(&report, &["the same folder as", "a run counts once"]);
    }
    assert!(!run_file(path, "one", "evaluations").exists());
    // A copy is the same run as well.
    copy_folder(&path.join("runs/one"), &path.join("runs/copy"));
    let eval = run(path, &["eval", "--device", "cpu", "one", "copy"]);
    fails(&eval, &["copy: the same settings and seed as one"]);
    for temperatures in ["0.4,0.4", "0,-0"] {
        let temperatures = format!("--temperature={temperatures}");
        let eval = run(path, &["eval", "--device", "cpu", "one", &temperatures]);
        fails(&eval, &["--temperature: one is named twice"]);
    }
    let bias = run(path, &["bias", "--device", "cpu", "one", "--estimators", "hgpo,hgpo"]);
    fails(&bias, &["--estimators hgpo: it is named twice"]);
    fails(&run(path, &["report", "one", "copy"]), &["the same settings and seed as"]);
}

fn copy_folder(from: &Path, to: &Path) {
    let status = std::process::Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

#[test]
fn impossible_metrics_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    let file = run_file(path, "one", "metrics.jsonl");
    let good = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let rate = lines[3].split("\"success_rate\":").nth(1).unwrap().split(',').next().unwrap();
    let wrong = lines[3].replace(&format!("\"success_rate\":{rate}"), "\"success_rate\":7");
    let cases = [
        ([&lines[..2], &lines[3..]].concat(), "line 3: `iteration` is 4, and 3 on this line"),
        ([&lines[..3], &lines[2..]].concat(), "line 4: `iteration` is 3, and 4 on this line"),
        ([lines[0], lines[2], lines[1]].to_vec(), "line 2: `iteration` is 3, and 2 on this line"),
        (
            [&lines[..3], &[wrong.as_str()], &lines[4..]].concat(),
            "line 4: `success_rate` is 7, not between 0 and 1",
        ),
    ];
    for (lines, problem) in cases {
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        fails(&run(path, &["report", "one"]), &["metrics.jsonl, ", problem]);
    }
    fs::write(&file, good).unwrap();
    succeeds(&run(path, &["report", "one"]));
}

#[test]
fn study_folders_are_continued_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml"]));
    let before = summary(path, "small");
    // Elsewhere, under another name, and while another study has the name.
    fs::create_dir(path.join("elsewhere")).unwrap();
    fs::rename(path.join("runs/small"), path.join("elsewhere/moved")).unwrap();
    fs::create_dir_all(path.join("runs/small")).unwrap();
    let told = succeeds(&run(path, &["compare", "elsewhere/moved"]));
    assert!(told.contains("elsewhere/moved: 2 arms x 2 seeds"), "{told}");
    assert!(told.contains("4 of them finished before"), "{told}");
    assert_eq!(fs::read_dir(path.join("runs/small")).unwrap().count(), 0);
    let text = fs::read(path.join("elsewhere/moved/summary.json")).unwrap();
    let after: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(statuses(&after), statuses(&before));
}

#[test]
fn runs_of_unequal_length_are_compared_at_equal_steps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(
        path,
        &STUDY
            .replace("environment_steps = 2000\n", "")
            .replace("seeds = \"3-4\"", "seeds = \"3\"")
            .replace("[set]\n", "[set]\n\"learn.iterations\" = 12\n")
            .replace("[arms.grpo]\n", "[arms.grpo]\nlearn.iterations = 4\n"),
    );
    let told = succeeds(&run(path, &["compare", "study.toml"]));
    let summary = summary(path, "small");
    let runs: Vec<&serde_json::Value> =
        summary["arms"].as_array().unwrap().iter().map(|arm| &arm["runs"][0]).collect();
    let steps: Vec<u64> =
        runs.iter().map(|run| run["environment_steps"].as_u64().unwrap()).collect();
    assert!(steps[0] < steps[1], "{steps:?}");
    let until = |run: &serde_json::Value| {
        let (mut from, mut sum) = (0.0, 0.0);
        for point in run["curve"].as_array().unwrap() {
            let end = point["environment_steps"].as_f64().unwrap().min(steps[0] as f64);
            sum += point["success_rate"].as_f64().unwrap() * (end - from);
            from = end;
        }
        sum / steps[0] as f64
    };
    for run in &runs {
        let area = run["scores"]["area"].as_f64().unwrap();
        assert!((area - until(run)).abs() < 1e-9, "{area} {}", until(run));
    }
    let said =
        format!("area: mean success in training over the first {} environment steps", steps[0]);
    assert!(told.contains(&said), "{told}");
    // The report, of the study and of its runs, has the same.
    let of_study = succeeds(&run(path, &["report", "small", "-o", "study.html"]));
    drop(of_study);
    succeeds(&run(path, &["report", "runs/small/grpo/3", "runs/small/hgpo/3", "-o", "runs.html"]));
    let page = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    for run in &runs {
        let area = format!("{:.1}", 100.0 * run["scores"]["area"].as_f64().unwrap());
        assert!(page("study.html").contains(&area) && page("runs.html").contains(&area), "{area}");
    }
}

#[test]
fn two_values_for_one_option_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(&run(folder.path(), &maze("one", "1")));
    let bias = ["bias", "one", "--device", "cpu", "--estimators", "hgpo+adaptive+verl"];
    let told = fails(&run(folder.path(), &bias), &["+adaptive and +verl both choose --weights"]);
    assert!(told.contains("leave one of them out"), "{told}");
}

#[test]
fn studies_of_bias_do_not_overwrite_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    let all_at_once = |more: &[&str]| -> Vec<Output> {
        let bias = ["bias", "one", "--device", "cpu", "--estimators", "hgpo", "--tasks", "4"];
        let bias = [&bias, more].concat();
        let start = |_| {
            let mut command = hgpo(path, &bias);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let all: Vec<_> = (0..4).map(start).collect();
        all.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
    };
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    // Each has a folder of its own, unless one is asked for.
    for output in all_at_once(&[]) {
        succeeds(&output);
    }
    for name in ["bias", "bias-2", "bias-3", "bias-4"] {
        assert_eq!(names(&path.join("runs/one").join(name)).len(), 2, "{name}");
    }
    let ended = all_at_once(&["--out", "same"]);
    let refused: Vec<String> =
        ended.iter().filter(|output| !output.status.success()).map(stderr).collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    for told in refused {
        assert!(told.contains("is in use by") || told.contains("already exists"), "{told}");
    }
    assert_eq!(names(&path.join("same")).len(), 2);
}

#[test]
fn actions_after_the_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("actions"), "right\n".repeat(40)).unwrap();
    let play = ["play", "--env", "gridworld", "--actions", "actions"];
    let told = fails(&run(folder.path(), &play), &["the episode ended with line"]);
    assert!(told.contains("actions, line "), "{told}");
}

#[test]
fn unreadable_study_summaries_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml"]));
    let file = path.join("runs/small/summary.json");
    let good = fs::read_to_string(&file).unwrap();
    let newer = good.replacen("\"version\":1", "\"version\":99", 1);
    for (text, problem) in [("{", "EOF while parsing"), (newer.as_str(), "version 99")] {
        fs::write(&file, text).unwrap();
        let refused = run(path, &["compare", "study.toml"]);
        fails(&refused, &["summary.json: ", problem, "move it away"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn settings_given_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.toml"), "\"learn.iterations\" = 5\n[learn]\niterations = 7\n").unwrap();
    let dry = ["train", "--config", "a.toml", "--dry-run", "--device", "cpu"];
    fails(&run(path, &dry), &["a.toml: `learn.iterations` gives the same setting another value"]);
    let arms = "seeds = \"1\"\n[arms.a]\nestimator = \"grpo\"\n";
    for (more, problem) in [
        ("\"estimator.name\" = \"hgpo\"\n", "`arms.a`: `estimator.name` is there twice"),
        (
            "[grid]\nestimator = [\"gigpo\", \"hgpo\"]\n",
            "`arms.a`: `estimator.name` has several values",
        ),
        ("[set]\nlearn.epochs = 1\n\"learn.epochs\" = 2\n", "`set`: `learn.epochs` is there twice"),
    ] {
        write(path, &format!("{arms}{more}"));
        fails(&run(path, &["compare", "study.toml", "--list"]), &[problem]);
    }
}

#[test]
fn runs_are_reported_by_the_settings_of_their_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    let config = run_file(path, "one", "config.toml");
    let good = fs::read_to_string(&config).unwrap();
    for (from, to, problem) in [
        ("seed = 1\n", "seed = 7\n", "`seed` is 7, and the run was made with 1"),
        (
            "name = \"hgpo\"",
            "name = \"gigpo\"",
            "`estimator.name` is gigpo, and the run was made with hgpo",
        ),
        ("seed = 1\n", "", "`seed` is missing"),
    ] {
        fs::write(&config, good.replacen(from, to, 1)).unwrap();
        fails(&run(path, &["report", "one"]), &["config.toml, line 1: ", problem]);
    }
    fs::write(&config, &good).unwrap();
    // With nothing left to train, a run is not renamed by what did not make it.
    let resume =
        |set: &str| run(path, &["train", "--resume", "one", "--device", "cpu", "--set", set]);
    fails(
        &resume("estimator=gigpo"),
        &["iterations are done, and estimator.name would change nothing"],
    );
    assert_eq!(fs::read_to_string(&config).unwrap(), good);
    // Evaluations of other settings are no part of the report's numbers.
    succeeds(&resume("evaluation.tasks=3"));
    let told = |name: &str| {
        succeeds(&run(path, &["report", "one", "-o", name]));
        fs::read_to_string(path.join(name)).unwrap()
    };
    let with_both = told("both.html");
    let lines = fs::read_to_string(run_file(path, "one", "evaluations.jsonl")).unwrap();
    let kept: Vec<&str> = lines.lines().filter(|line| line.contains("\"episodes\":3,")).collect();
    assert!(!kept.is_empty() && kept.len() < lines.lines().count());
    fs::write(run_file(path, "one", "evaluations.jsonl"), kept.join("\n") + "\n").unwrap();
    let numbers = |html: &str| html.replace("both.html", "").replace("kept.html", "");
    assert_eq!(numbers(&told("kept.html")), numbers(&with_both));
}

#[test]
fn checkpoints_are_refused_as_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &maze("one", "1")));
    let checkpoints = run_file(path, "one", "checkpoints");
    let checkpoint = fs::read_dir(&checkpoints).unwrap().next().unwrap().unwrap().path();
    let before = fs::read_dir(&checkpoint).unwrap().count();
    let name = checkpoint.to_str().unwrap();
    for command in [&["train", "--resume", name][..], &["eval", name], &["bias", name]] {
        fails(&run(path, command), &["is a checkpoint, not a run: name its run, ", "runs/one"]);
    }
    fails(&run(path, &["report", name]), &["a checkpoint, not a run"]);
    assert_eq!(fs::read_dir(&checkpoint).unwrap().count(), before);
}

#[test]
fn standard_input_is_read_even_if_a_file_has_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("-"), "something else").unwrap();
    let rollouts = r#"{"task":"a","trajectory":"x","steps":[{"state":"s","reward":1}]}"#;
    let read = run_with_input(path, &["advantages", "-"], rollouts);
    assert!(succeeds(&read).contains("\"advantages\""));
    fails(&run(path, &["report", "one", "-o", "-"]), &["a report is written to a file"]);
}
