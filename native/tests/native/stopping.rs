//! Termination: a process that is asked to end does so at once, whatever it is doing.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hgpo_native::device;

use crate::reference_data::skipped;
use crate::support::{ask_to_end, fails, hgpo, metrics, run, succeeds, tiny};

fn start(folder: &Path, arguments: &[&str]) -> Child {
    hgpo(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Asks a process to end: it may take two seconds.
#[track_caller]
fn ends_at_once(mut child: Child) {
    ask_to_end(&child);
    let asked = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if asked.elapsed() > Duration::from_secs(2) {
            child.kill().unwrap();
            panic!("it went on");
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn termination_does_not_wait_for_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(Command::new("mkfifo").arg(path.join("pipe")).status().unwrap().success());
    let prompt = ["--set", "pretrained.model=model", "--set", "pretrained.prompt=pipe"];
    for arguments in [["train", "--config", "pipe"].as_slice(), &["advantages", "pipe"]] {
        let mut child = start(path, arguments);
        sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} did not wait");
        ends_at_once(child);
    }
    // A briefing is read twice, which a pipe cannot be.
    let train = [&["train", "--preset", "smollm2-chores", "--device", "cpu"], &prompt[..]].concat();
    fails(&run(path, &train), &["pretrained.prompt is 'pipe'", "it is a named pipe"]);
}

#[test]
fn termination_interrupts_demonstrations() {
    let folder = tempfile::tempdir().unwrap();
    let many = ["--set", "warm_start.episodes=300000"];
    let mut child = start(folder.path(), &tiny("many", &many));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("policy ")));
    sleep(Duration::from_millis(500));
    let asked = Instant::now();
    ask_to_end(&child);
    let last = lines.last().unwrap();
    assert!(last.starts_with("stopped during the warm start"), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

/// While an adapter computes, its driver's own end waits for it or crashes beside it.
#[test]
fn termination_ends_a_run_on_an_adapter_that_goes_on_from_its_checkpoint() {
    if device::adapters().is_empty() {
        skipped("ends of runs on graphics adapters", "install mesa-vulkan-drivers");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let saved = ["--set", "learn.iterations=1", "--set", "warm_start.episodes=8"];
    succeeds(&run(path, &tiny("card", &saved)));
    let resume = ["train", "--resume", "card", "--set", "learn.iterations=2"];
    for moment in [0, 400, 1500] {
        let mut child = start(path, &[&resume[..], &["--device", "wgpu"]].concat());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line.starts_with("policy ")));
        sleep(Duration::from_millis(moment));
        let asked = Instant::now();
        ask_to_end(&child);
        let last = lines.last().unwrap();
        assert!(last.starts_with("stopped; saved after iteration 1"), "{last}");
        // A crash has no status.
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    }
    succeeds(&run(path, &[&resume[..], &["--device", "cpu"]].concat()));
    assert_eq!(metrics(path, "card").len(), 2);
}
