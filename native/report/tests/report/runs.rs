//! Run folders as the input of a report.

use std::fs;
use std::path::{Path, PathBuf};

use hgpo_report::render;

use super::fixture::{options, text_of};
use super::markup;

/// A run of two iterations of 100 and 300 steps, with success 0.25 and 0.75.
fn folder(root: &Path, name: &str, seed: u64, estimator: &str, is_done: bool) -> PathBuf {
    let folder = root.join(name);
    fs::create_dir_all(folder.join("traces")).unwrap();
    let put = |file: &str, text: &str| fs::write(folder.join(file), text).unwrap();
    put(
        "config.toml",
        &format!(
            "seed = {seed}\n[environment]\nname = \"gridworld\"\n[estimator]\nname = \"{estimator}\"\n[learn]\niterations = 2\n[rollout]\ntasks = 2\ngroup_size = 4\n"
        ),
    );
    put(
        "metrics.jsonl",
        "{\"iteration\":1,\"steps\":100,\"success_rate\":0.25,\"seconds/rollout\":1.0,\"seconds/advantage\":1.0}\n{\"iteration\":2,\"steps\":300,\"success_rate\":0.75}\n{\"iteration\":3,\"ste",
    );
    put(
        "evaluations.jsonl",
        "{\"iteration\":2,\"split\":\"seen\",\"seed\":1,\"episodes\":8,\"success_rate\":0.5}\n",
    );
    let line = |trajectory: &str, success: bool| {
        format!(
            "{{\"task\":\"g\",\"trajectory\":\"{trajectory}\",\"success\":{success},\"instruction\":\"<b>go</b>\",\"steps\":[{{\"state\":\"<i>hall</i>\",\"action\":\"up\",\"reward\":{}}}]}}\n",
            u8::from(success)
        )
    };
    put("traces/iteration_000001.rollouts.jsonl", &line("old", true));
    put(
        "traces/iteration_000002.rollouts.jsonl",
        &format!(
            "{{\"environment\":\"gridworld\",\"seed\":{seed},\"iteration\":2,\"estimator\":{{\"name\":\"{estimator}\"}}}}\n{}{}",
            line("won", true),
            line("lost", false)
        ),
    );
    if is_done {
        put("summary.json", "{\"device\":\"CPU\"}");
    }
    folder
}

fn text(inputs: &[PathBuf]) -> (String, String) {
    let report = render(inputs, &options()).unwrap().0;
    markup::check(&report);
    let text = text_of(&report);
    (report, text)
}

#[test]
fn runs_with_equal_settings_are_an_arm() {
    let root = tempfile::tempdir().unwrap();
    let of = |name: &str, seed, estimator: &str| folder(root.path(), name, seed, estimator, true);
    let (_, text) = text(&[of("b", 2, "hgpo"), of("c", 1, "grpo"), of("a", 1, "hgpo")]);
    assert!(text.contains("Arms hgpo grpo Tasks gridworld Budget 400 environment steps, which every finished run has made Runs 3 runs; seeds 1, 2"), "{text}");
    // (100 × 0.25 + 300 × 0.75) / 400
    assert!(text.contains("62.5 % (62.5 to 62.5)"), "{text}");
    assert!(text.contains("Arms differ in 1 setting"), "{text}");
    assert!(text.contains("estimator.name hgpo grpo"), "{text}");
}

#[test]
fn a_run_in_training_is_named_and_not_counted() {
    let root = tempfile::tempdir().unwrap();
    let done = folder(root.path(), "done", 1, "hgpo", true);
    let going = folder(root.path(), "going", 2, "hgpo", false);
    let (_, text) = text(&[done, going.clone()]);
    assert!(text.contains("1 run of 2: 1 in training or stopped."), "{text}");
    assert!(text.contains("hgpo 2 in training or stopped 2"), "{text}");
    fs::remove_file(going.join("metrics.jsonl")).unwrap();
    let (_, text) = self::text(&[going]);
    assert!(text.contains("No run is finished"), "{text}");
}

#[test]
fn trajectories_of_the_last_trace_have_links() {
    let root = tempfile::tempdir().unwrap();
    let (report, text) = text(&[folder(root.path(), "run", 5, "hgpo", true)]);
    assert!(
        text.contains("won: success") && text.contains("lost: failure") && !text.contains("old:"),
        "{text}"
    );
    assert!(text.contains("iteration 2"), "{text}");
    assert_eq!(report.matches("href=\"http://127.0.0.1:8080/#1.").count(), 2);
    assert!(
        report.contains("&lt;i&gt;hall&lt;/i&gt;") && report.contains("“&lt;b&gt;go&lt;/b&gt;”")
    );
    let elsewhere = hgpo_report::Options { page: "https://host/lab/".to_owned(), ..options() };
    let report = render(&[root.path().join("run")], &elsewhere).unwrap().0;
    assert!(report.contains("href=\"https://host/lab/#1."));
}

#[test]
fn a_damaged_run_is_named_with_its_line() {
    let root = tempfile::tempdir().unwrap();
    let run = folder(root.path(), "run", 5, "hgpo", true);
    let refused = |file: &str, text: &str| {
        let kept = fs::read(run.join(file)).unwrap();
        fs::write(run.join(file), text).unwrap();
        let error = render(std::slice::from_ref(&run), &options()).unwrap_err().to_string();
        fs::write(run.join(file), kept).unwrap();
        error
    };
    let metrics = refused("metrics.jsonl", "{\"iteration\":1}\n{\"iter\n{\"iteration\":3}\n");
    assert!(metrics.contains("metrics.jsonl, line 2: "), "{metrics}");
    let config = refused("config.toml", "seed = 1\n[learn\n");
    assert!(config.contains("config.toml, line 2: "), "{config}");
    // A trace that cannot be read is no reason to report nothing.
    fs::write(run.join("traces/iteration_000002.rollouts.jsonl"), "{").unwrap();
    let (_, text) = text(&[run]);
    assert!(text.contains("There are no traces"), "{text}");
}
