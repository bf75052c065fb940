//! Finite processes: reading, true values, attempts, and studies of estimators.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]

mod examples;
mod format;
mod locate;
mod sampling;
mod simulation;
mod values;

use hgpo_core::process::Process;

/// A stream of random words: `SplitMix64`.
fn words(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

/// A door that does not show whether it is locked, which it is half of the time: to push opens it for
/// 8 if it is not, to ring costs 1 and unlocks it.
const DOOR: &str = r#"{"step_limit": 2,
    "start": [{"situation": "locked", "probability": 0.5}, {"situation": "open", "probability": 0.5}],
    "situations": [
        {"name": "locked", "state": "door", "hidden": "locked", "actions": [
            {"action": "push", "probability": 0.75, "outcomes": [{"next": "locked"}]},
            {"action": "ring", "probability": 0.25, "outcomes": [{"reward": -1, "next": "open"}]}]},
        {"name": "open", "state": "door", "hidden": "open", "actions": [
            {"action": "push", "probability": 0.75, "outcomes": [{"reward": 8}]},
            {"action": "ring", "probability": 0.25, "outcomes": [{"reward": -1, "next": "open"}]}]}]}"#;

fn door() -> Process {
    Process::read(DOOR).unwrap()
}

/// The worked examples that have a process, with its text.
fn examples() -> Vec<(String, Process)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let name = |path: &std::path::Path| {
        path.file_name()?.to_str()?.strip_suffix(".process.json").map(str::to_owned)
    };
    let mut found: Vec<_> = files
        .filter_map(|path| Some((name(&path)?, std::fs::read_to_string(path).ok()?)))
        .map(|(name, text)| {
            let process = Process::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, process)
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}
