//! Divergence: training whose numbers are not finite any more.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;

use crate::support::{fails, run, tiny};

#[test]
fn training_that_diverges_ends_with_the_likely_cause() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let one_update = ["learn.iterations=1", "learn.epochs=1", "learn.mini_batch_size=100000"];
    // The checkpoints that are left, and what is said.
    let cases: [(&str, &str, &[u64], [&str; 2]); 4] = [
        ("warm", "warm_start.learning_rate=1e30", &[], ["warm start", "lower warm_start.le"]),
        ("rate", "learn.learning_rate=1e38", &[0], ["iteration 1", "lower learn.learning_rate"]),
        ("kl", "learn.kl_coefficient=1e38", &[0], ["iteration 1", "learn.kl_coefficient"]),
        // What the only update has made of the weights is seen when they are evaluated.
        ("last", "learn.learning_rate=1e30", &[0, 1], ["probabilities", "far too large"]),
    ];
    for (name, setting, left, parts) in cases {
        let more: &[&str] = if name == "last" { &one_update } else { &[] };
        let set = [setting].into_iter().chain(more.iter().copied()).flat_map(|it| ["--set", it]);
        fails(&run(path, &tiny(name, &set.collect::<Vec<_>>())), &parts);
        let saved = |number: &u64| {
            path.join(format!("runs/{name}/checkpoints/iteration_{number:06}")).is_dir()
        };
        let found: Vec<u64> = (0..9).filter(saved).collect();
        assert_eq!(found, left, "{name}");
    }
}

#[test]
fn diverged_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for rate in ["1e37", "1e30", "1e10"] {
        let rate = format!("learn.learning_rate={rate}");
        let set = ["--set", "policy.kind=table", "--set", "learn.iterations=2", "--set", &rate];
        let name = rate.replace("learn.learning_rate=", "rate-");
        fails(&run(folder.path(), &tiny(&name, &set)), &["policy.csv", "beyond ±1e6", "diverged"]);
    }
}

#[test]
fn non_finite_weights_are_refused_when_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &tiny("nan", &["--set", "learn.iterations=1"]));
    let checkpoint = path.join("runs/nan/checkpoints/iteration_000001");
    let file = checkpoint.join("policy.safetensors");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&file, bytes).unwrap();
    // As in a checkpoint of before there were digests.
    for name in ["manifest.json", "config.toml"] {
        fs::remove_file(checkpoint.join(name)).unwrap();
    }
    let parts = ["iteration_000001 cannot be used", "not finite"];
    fails(&run(path, &["eval", "nan", "--device", "cpu"]), &parts);
    fails(&run(path, &["train", "--resume", "nan", "--device", "cpu"]), &parts);
}
