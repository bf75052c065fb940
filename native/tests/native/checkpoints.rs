//! Checkpoints that are missing, damaged or cannot be written.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{fails, hgpo, metrics, run, run_file, stderr, succeeds, tiny, weights};

fn trained(folder: &Path, name: &str) {
    succeeds(&run(folder, &tiny(name, &["--set", "learn.iterations=2"])));
}

#[test]
fn missing_runs_and_checkpoints_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fails(&run(path, &["eval", "nowhere"]), &["nowhere", "runs/nowhere"]);
    trained(path, "bare");
    fs::remove_dir_all(run_file(path, "bare", "checkpoints")).unwrap();
    fails(&run(path, &["eval", "bare"]), &["runs/bare/checkpoints", "no checkpoint", "--resume"]);
}

/// What can happen to a file: cut short, emptied, replaced, one bit turned at the start, in the middle
/// and at the end.
fn damaged(whole: &[u8]) -> Vec<Vec<u8>> {
    let turned = |at: usize| {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 1 << (at % 8);
        bytes
    };
    let mut all = vec![whole[..whole.len() / 2].to_vec(), Vec::new(), b"not a checkpoint".to_vec()];
    all.extend([0, whole.len() / 2, whole.len() - 1].map(turned));
    all
}

#[test]
fn corrupted_checkpoints_are_named_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "hurt");
    let expected = weights(path, "hurt", 2);
    let newest = run_file(path, "hurt", "checkpoints/iteration_000002");
    let mut names: Vec<_> =
        fs::read_dir(&newest).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 8, "{names:?}");
    for name in names {
        let file = newest.join(&name);
        let whole = fs::read(&file).unwrap();
        for bytes in damaged(&whole) {
            fs::write(&file, bytes).unwrap();
            let evaluated = run(path, &["eval", "hurt", "--device", "cpu"]);
            fails(&evaluated, &["iteration_000002", "delete that folder", "iteration 1"]);
            let resumed = run(path, &["--resume", "hurt", "--device", "cpu"]);
            succeeds(&resumed);
            let note = stderr(&resumed);
            let parts = ["iteration_000002 cannot be used: ", "goes back to iteration 1"];
            assert!(parts.iter().all(|part| note.contains(part)), "{name:?}: {note}");
            // The same iteration again gives the same weights, and nothing was thrown away.
            assert!(weights(path, "hurt", 2) == expected);
            fs::remove_dir_all(newest.with_extension("unusable")).unwrap();
        }
    }
}

#[test]
fn lost_lines_take_a_run_back_to_an_older_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "cut");
    let expected = (weights(path, "cut", 2), metrics(path, "cut"));
    let file = run_file(path, "cut", "metrics.jsonl");
    let whole = fs::read(&file).unwrap();
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&file, &whole[..first + 9]).unwrap();
    let resumed = run(path, &["--resume", "cut", "--device", "cpu"]);
    succeeds(&resumed);
    let note = stderr(&resumed);
    assert!(note.contains("complete lines for only 1 iterations"), "{note}");
    assert!((weights(path, "cut", 2), metrics(path, "cut")) == expected);
    // If no checkpoint has what it needs, none is thrown away and training does not begin anew.
    fs::remove_file(&file).unwrap();
    fs::remove_dir_all(run_file(path, "cut", "checkpoints/iteration_000000")).ok();
    let resumed = run(path, &["--resume", "cut", "--device", "cpu"]);
    fails(&resumed, &["iteration_000002", "complete lines for only 0 iterations", "new run"]);
    assert!(run_file(path, "cut", "checkpoints/iteration_000002").is_dir());
}

#[test]
fn immutable_settings_stay_and_others_may_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "kept");
    let file = run_file(path, "kept", "config.toml");
    let whole = fs::read_to_string(&file).unwrap();
    let commands: [&[&str]; 2] =
        [&["eval", "kept", "--device", "cpu"], &["--resume", "kept", "--device", "cpu"]];
    for (from, to, parts) in [
        ("seed = 1\n", "seed = 2\n", ["seed was 1 and is 2", "change it back"]),
        ("max_steps = 12", "max_steps = 9", ["environment.max_steps was 12 and is 9", "new run"]),
    ] {
        assert!(whole.contains(from), "{whole}");
        fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        for arguments in commands {
            fails(&run(path, arguments), &parts);
        }
    }
    // What a cut file lacks is what it was.
    fs::write(&file, "seed = 1\n").unwrap();
    for arguments in commands {
        succeeds(&run(path, arguments));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    let more = ["--resume", "kept", "--device", "cpu", "--set", "learn.iterations=3"];
    succeeds(&run(path, &more));
    assert!(fs::read_to_string(&file).unwrap().contains("iterations = 3\n"));
}

#[test]
fn runs_are_written_by_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let endless = tiny("busy", &["--set", "learn.iterations=1000000"]);
    let mut first = hgpo(path, &endless).stdout(Stdio::null()).spawn().unwrap();
    let file = run_file(path, "busy", "metrics.jsonl");
    while fs::read(&file).is_ok_and(|bytes| bytes.is_empty()) || !file.is_file() {
        std::thread::sleep(Duration::from_millis(20));
        assert!(first.try_wait().unwrap().is_none());
    }
    let resume = ["--resume", "busy", "--device", "cpu", "--set", "learn.iterations=1"];
    let process = format!("in use by process {} on ", first.id());
    fails(&run(path, &resume), &["runs/busy", &process, "stop it"]);
    fails(&run(path, &tiny("busy", &[])), &["this run exists"]);
    first.kill().unwrap();
    first.wait().unwrap();
    succeeds(&run(path, &resume));
}

#[test]
fn starts_that_were_killed_are_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir_all(path.join("runs/early")).unwrap();
    trained(path, "early");
    // A start that fails leaves nothing behind.
    let set = ["--set", "environment.name=alfworld", "--set", "environment.max_steps=50"];
    let mut command = hgpo(path, &tiny("none", &set));
    let output = command.env("ALFWORLD_DATA", path.join("nowhere")).output().unwrap();
    fails(&output, &["nowhere"]);
    assert!(!path.join("runs/none").exists());
}

/// Runs the program where no file may grow beyond `blocks` of 512 bytes, as on a full disk.
#[cfg(unix)]
fn run_on_full_disk(folder: &Path, blocks: u64, arguments: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_hgpo");
    let script = format!("ulimit -f {blocks}; exec '{program}' {arguments}");
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap()
}

#[cfg(unix)]
fn largest_file(folder: &Path) -> u64 {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .max()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn full_disks_leave_the_last_good_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "whole");
    succeeds(&run(path, &tiny("full", &["--set", "learn.iterations=1"])));
    let before = weights(path, "full", 1);

    let resume = "--resume full --device cpu --set learn.iterations=2";
    let blocks = (largest_file(&run_file(path, "full", "checkpoints/iteration_000001")) - 1) / 512;
    let output = run_on_full_disk(path, blocks, resume);
    fails(
        &output,
        &["cannot write runs/full/checkpoints", "free some space", "--resume runs/full"],
    );
    assert!(weights(path, "full", 1) == before);
    let left: Vec<_> = fs::read_dir(run_file(path, "full", "checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("000002"))
        .collect();
    assert!(left.is_empty(), "half a checkpoint is left: {left:?}");

    succeeds(&run(path, &["eval", "full", "--device", "cpu"]));
    succeeds(&run(path, &resume.split(' ').collect::<Vec<_>>()));
    assert!(weights(path, "full", 2) == weights(path, "whole", 2));
}

#[test]
fn lost_settings_are_taken_from_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let six = ["--set", "learn.iterations=6", "--set", "learn.max_grad_norm=0.7"];
    succeeds(&run(path, &tiny("lost", &six)));
    let file = run_file(path, "lost", "config.toml");
    let settings = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let shown = |arguments: &[&str]| succeeds(&run(path, arguments));
    assert!(shown(&["eval", "lost", "--device", "cpu", "--seeds", "7"]).contains("unseen"));
    shown(&["train", "--resume", "lost", "--device", "cpu"]);
    assert!(fs::read(&file).unwrap() == settings);
}

#[test]
fn other_lost_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeeds(&run(path, &tiny("whole", &[])));
    succeeds(&run(path, &tiny("lost", &[])));
    let newest = "checkpoints/iteration_000003";
    fs::remove_file(run_file(path, "lost", &format!("{newest}/manifest.json"))).unwrap();
    let eval = ["eval", "lost", "--device", "cpu"];
    fails(&run(path, &eval), &[newest, "manifest.json is missing"]);

    fs::remove_dir_all(run_file(path, "lost", "checkpoints")).unwrap();
    let again = run(path, &["train", "--resume", "lost", "--device", "cpu"]);
    succeeds(&again);
    let note = "runs/lost has no checkpoint: training starts over, although 3 iterations";
    assert!(stderr(&again).contains(note), "{}", stderr(&again));
    assert!(weights(path, "whole", 3) == weights(path, "lost", 3));
    assert_eq!(metrics(path, "whole"), metrics(path, "lost"));
}

#[test]
fn unreadable_settings_are_restored_by_the_printed_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "garbled");
    let file = run_file(path, "garbled", "config.toml");
    let whole = fs::read(&file).unwrap();
    for garbled in [&b"seed = \xff\n"[..], b"seed = ["] {
        fs::write(&file, garbled).unwrap();
        for arguments in [["eval", "garbled"], ["--resume", "garbled"], ["bias", "garbled"]] {
            let text = fails(&run(path, &arguments), &["runs/garbled/config.toml", ": cp runs/"]);
            assert!(!text.contains("dry-run"), "{text}");
        }
        let text = fails(&run(path, &["eval", "garbled"]), &[]);
        let (_, command) = text.trim_end().rsplit_once("checkpoint: ").unwrap();
        let copied = Command::new("sh").args(["-c", command]).current_dir(path).status().unwrap();
        assert!(copied.success(), "{command}");
        assert!(fs::read(&file).unwrap() == whole);
    }
}
