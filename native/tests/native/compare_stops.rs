//! Studies that are stopped, killed, or run out of disk.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::compare::{STUDY, statuses, summary, write};
use crate::support::{ask_to_end, fails, hgpo, run, stderr, succeeds};

/// Runs of a second or more, with checkpoints on the way.
fn longer() -> String {
    let set = "[set]\n\"learn.iterations\" = 100000\n\"checkpoint.every\" = 20\n";
    let study = STUDY.replace("[set]\n", set);
    study.replace("environment_steps = 2000", "environment_steps = 150000")
}

fn begin(folder: &Path) -> Child {
    hgpo(folder, &["compare", "study.toml", "--jobs", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Processes of this program that work in a folder.
#[cfg(target_os = "linux")]
fn working_in(folder: &Path) -> usize {
    let folder = fs::canonicalize(folder).unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes.filter(|it| fs::read_link(it.join("cwd")).is_ok_and(|cwd| cwd == folder)).count()
}

/// Waits until all processes in a folder have ended.
#[cfg(target_os = "linux")]
#[track_caller]
fn all_end(folder: &Path) {
    let asked = Instant::now();
    while working_in(folder) > 0 {
        assert!(asked.elapsed() < Duration::from_secs(20), "a run goes on without its study");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn repeatedly_killed_studies_have_the_same_results() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [whole, killed] = folders.each_ref().map(tempfile::TempDir::path);
    for path in [whole, killed] {
        write(path, &longer());
    }
    succeeds(&run(whole, &["compare", "study.toml"]));
    for kill in 0..10 {
        let mut child = begin(killed);
        // Early, later, and while runs of the one before are still ending.
        sleep(Duration::from_millis(30 + 12 * kill));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None, "it ended before it was killed");
    }
    succeeds(&run(killed, &["compare", "study.toml"]));
    let told = summary(killed, "small");
    assert_eq!(statuses(&told), ["finished"; 4]);
    assert_eq!(told, summary(whole, "small"));
}

#[cfg(target_os = "linux")]
#[test]
fn no_run_outlives_its_study() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, &longer().replace("150000", "1500000000"));
    let mut child = begin(path);
    let asked = Instant::now();
    while working_in(path) < 2 {
        assert!(asked.elapsed() < Duration::from_secs(20), "no run has begun");
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    // One at a time works on all of it.
    fails(&run(path, &["compare", "study.toml"]), &["works on this study", "--only"]);
    fails(&run(path, &["compare", "study.toml", "--only", "hgpo"]), &["works on this study"]);
    child.kill().unwrap();
    child.wait().unwrap();
    all_end(path);

    // Asked to end, it says how to go on.
    let mut child = begin(path);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    sleep(Duration::from_millis(700));
    ask_to_end(&child);
    let last = lines.last().unwrap();
    assert!(last.starts_with("stopped: 0 of 4 runs are finished; to go on: "), "{last}");
    assert!(last.ends_with("compare runs/small"), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    all_end(path);
    assert_eq!(statuses(&summary(path, "small"))[0], "stopped");
}

#[cfg(unix)]
#[test]
fn finished_runs_are_kept_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, STUDY);
    succeeds(&run(path, &["compare", "study.toml", "--only", "grpo"]));
    // No file may be larger than this: the traces of a run, for one, are.
    let program = env!("CARGO_BIN_EXE_hgpo");
    let script = format!("ulimit -f 16; exec '{program}' compare study.toml");
    let output = Command::new("sh").args(["-c", &script]).current_dir(path).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("hgpo/3 failed: "), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    succeeds(&run(path, &["compare", "study.toml"]));
    assert_eq!(statuses(&summary(path, "small")), ["finished"; 4]);
}
