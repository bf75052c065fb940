//! Commands that the program prints do what they say when they are copied as they are, wherever the program
//! and the run are.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support::{ask_to_end, fails, metrics, run_file, succeeds, tiny};

/// Names that a shell takes apart unless they are quoted.
const ODD: &str = "it's a $HOME & more";

/// A folder to work in, and the program under a name of its own.
struct Place {
    _root: tempfile::TempDir,
    work: PathBuf,
    program: PathBuf,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let work = root.path().join(ODD);
        fs::create_dir(&work).unwrap();
        let program = root.path().join("the program's link");
        symlink(env!("CARGO_BIN_EXE_hgpo"), &program).unwrap();
        Self { _root: root, work, program }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.work).args(arguments).env_remove("RUST_BACKTRACE");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a printed command as a reader would who copies it.
    fn copied(&self, command: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.current_dir(&self.work).args(["-c", command]).stdin(Stdio::null());
        shell.env_remove("RUST_BACKTRACE").output().unwrap()
    }

    /// Starts a run, stops it at the line that starts so, and returns the command it then prints.
    #[track_caller]
    fn stopped(&self, arguments: &[&str], line: &str, before: &str) -> String {
        let mut child = self.command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.by_ref().any(|text| text.starts_with(line)), "`{line}` was not shown");
        ask_to_end(&child);
        let last = lines.last().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        after(&last, before)
    }
}

/// What stands behind a mark in a text, up to the end of the line.
#[track_caller]
fn after(text: &str, mark: &str) -> String {
    let line = text.lines().find_map(|line| Some(line.split_once(mark)?.1));
    line.unwrap_or_else(|| panic!("`{mark}` is not in: {text}")).to_owned()
}

#[test]
fn printed_commands_resume_and_extend_a_run() {
    let place = Place::new();
    let more = ["--threads", "1", "--set", "learn.iterations=30"];
    let begun = tiny("first", &more);
    let command = place.stopped(&begun, "policy ", "which starts again with: ");
    assert!(command.ends_with("train --resume runs/first --device cpu --threads 1"), "{command}");
    // The command of a run that was resumed is the same, and does what it was resumed to do.
    let resumed = ["train", "--resume", "first", "--device", "cpu", "--threads", "1"];
    let longer = [&resumed[..], &["--set", "learn.iterations=40"]].concat();
    assert_eq!(place.stopped(&longer, "iteration  2/40", "continue with: "), command);
    let finished = succeeds(&place.copied(&command));
    assert!(finished.starts_with("device CPU: chosen with --device cpu"), "{finished}");
    assert_eq!(metrics(&place.work, "first").len(), 40);

    let again = succeeds(&place.copied(&command));
    let further = after(&finished, "  train on: ");
    assert_eq!(after(&again, "to train it further: "), further);
    succeeds(&place.copied(&further));
    assert_eq!(metrics(&place.work, "first").len(), 80);

    let compare = after(&finished, "  compare: ");
    assert!(compare.ends_with(" --device cpu --threads 1"), "{compare}");
    succeeds(&place.copied(&compare));
    // The settings of the run, as they are since it was trained further.
    assert_eq!(metrics(&place.work, "chores-gigpo-seed1").len(), 80);
}

#[test]
fn printed_commands_have_only_given_flags() {
    let place = Place::new();
    succeeds(&place.run(&tiny("first", &[])));
    // A finished run says what to do before anything else, on whatever device.
    let text = succeeds(&place.run(&["--resume", "first"]));
    let further = after(&text, "to train it further: ");
    assert!(further.ends_with("train --resume runs/first --set learn.iterations=6"), "{further}");
}

#[test]
fn runs_elsewhere_are_named_by_their_path() {
    let place = Place::new();
    succeeds(&place.run(&tiny("first", &[])));
    let (elsewhere, dashed) = (place.work.join("../--runs of mine"), place.work.join("-r"));
    fs::rename(run_file(&place.work, "first", ""), &elsewhere).unwrap();
    for name in ["../--runs of mine", elsewhere.to_str().unwrap()] {
        let further = ["--resume", name, "--device", "cpu", "--set", "learn.iterations=1000000"];
        let command = place.stopped(&further, "iteration ", "continue with: ");
        let few = format!("{command} --set learn.iterations=1");
        assert!(succeeds(&place.copied(&few)).contains("is finished"), "{few}");
    }
    fs::rename(&elsewhere, &dashed).unwrap();
    let text = succeeds(&place.run(&["--resume=-r", "--device", "cpu"]));
    let command = after(&text, "to train it further: ");
    assert!(command.contains(" --resume ./-r --device cpu --set "), "{command}");
}

#[test]
fn commands_in_errors_can_be_copied() {
    let place = Place::new();
    let advised = |output: &Output| {
        let text = fails(output, &["`"]);
        text.split('`').find(|part| part.contains(" train ")).unwrap().to_owned()
    };
    let begin = advised(&place.run(&["eval", "tidy"]));
    succeeds(&place.copied(&format!("{begin} --preset chores-tiny --device cpu")));
    assert_eq!(metrics(&place.work, "tidy").len(), 3);

    let name = "a run's folder";
    fs::rename(run_file(&place.work, "tidy", ""), place.work.join(name)).unwrap();
    fs::remove_dir_all(place.work.join(name).join("checkpoints")).unwrap();
    let train = advised(&place.run(&["eval", name, "--device", "cpu"]));
    succeeds(&place.copied(&format!("{train} --device cpu")));
    succeeds(&place.run(&["eval", name, "--device", "cpu", "--split", "seen"]));

    // Settings that were damaged are had back from the newest checkpoint.
    fs::write(place.work.join(name).join("config.toml"), "seed =").unwrap();
    let restore = after(&fails(&place.run(&["--resume", name]), &["cp "]), "checkpoint: ");
    succeeds(&place.copied(&restore));
    succeeds(&place.run(&["eval", name, "--device", "cpu", "--split", "seen"]));

    let write = advised(&place.run(&["--config", "my settings.toml"]));
    succeeds(&place.copied(&write));
    succeeds(&place.run(&["--config", "my settings.toml", "--dry-run"]));
}
