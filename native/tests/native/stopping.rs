//! Termination: a process that is asked to end does so at once, whatever it is doing.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{ask_to_end, fails, hgpo, run, tiny};

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
