//! Checkpoints that are missing, damaged or cannot be written.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{fails, run, run_file, succeeds, tiny, weights};

fn trained(folder: &Path, name: &str) {
    succeeds(&run(folder, &tiny(name, &["--set", "learn.iterations=2"])));
}

#[test]
fn a_missing_run_or_checkpoint_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fails(&run(path, &["eval", "nowhere"]), &["nowhere", "runs/nowhere"]);
    trained(path, "bare");
    fs::remove_dir_all(run_file(path, "bare", "checkpoints")).unwrap();
    fails(&run(path, &["eval", "bare"]), &["runs/bare/checkpoints", "no checkpoint", "--resume"]);
}

#[test]
fn a_damaged_checkpoint_is_named_and_the_older_one_serves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "hurt");
    let newest = "checkpoints/iteration_000002";
    let commands: [&[&str]; 2] =
        [&["eval", "hurt", "--device", "cpu"], &["--resume", "hurt", "--device", "cpu"]];
    let parts = ["iteration_000002", "remove that folder", "iteration 1"];

    for file in ["policy.safetensors", "trainer.json", "optimizer.safetensors"] {
        let file = run_file(path, "hurt", &format!("{newest}/{file}"));
        let whole = fs::read(&file).unwrap();
        for damage in [&whole[..whole.len() / 2], b"", b"not a checkpoint"] {
            fs::write(&file, damage).unwrap();
            for arguments in commands {
                fails(&run(path, arguments), &parts);
            }
        }
        fs::remove_file(&file).unwrap();
        fails(&run(path, commands[0]), &parts);
        fs::write(&file, whole).unwrap();
    }
    fs::remove_dir_all(run_file(path, "hurt", newest)).unwrap();
    for arguments in commands {
        succeeds(&run(path, arguments));
    }
}

/// Runs the program where no file may grow beyond `blocks` of 512 bytes, as on a full disk.
#[cfg(unix)]
fn run_on_full_disk(folder: &Path, blocks: u64, arguments: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_hgpo");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {arguments}");
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
fn a_full_disk_leaves_the_last_good_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    trained(path, "whole");
    succeeds(&run(path, &tiny("full", &["--set", "learn.iterations=1"])));
    let before = weights(path, "full", 1);

    let resume = "--resume full --device cpu --set learn.iterations=2";
    let blocks = (largest_file(&run_file(path, "full", "checkpoints/iteration_000001")) - 1) / 512;
    let output = run_on_full_disk(path, blocks, resume);
    fails(&output, &["cannot write runs/full/checkpoints", "make room", "--resume runs/full"]);
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
