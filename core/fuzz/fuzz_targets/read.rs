//! Any file is told apart and read or refused; what is read makes a batch, can be written and read again, and with its
//! advantages it is the same log.
#![no_main]

use hgpo_core::format::{self, Annotator, Layout};
use hgpo_core::{Batch, Options, PerStep, Trajectory, estimate};
use libfuzzer_sys::fuzz_target;

/// The log with its advantages; none of JSON Lines that begin with something else.
fn annotated(bytes: &[u8], batch: &Batch, advantages: &PerStep) -> Vec<u8> {
    let mut written = Vec::new();
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if text.trim_ascii_start().starts_with(b"{") {
        let mut log = Annotator::new(bytes, Layout::default());
        log.write(batch, advantages, &mut written).expect("what was read can be written");
        log.finish(&mut written).expect("what was read can be written");
    } else {
        format::annotate_csv(bytes, &Layout::default(), batch, advantages, &mut written)
            .expect("what was read can be written");
    }
    written
}

/// What the advantages are of.
fn compared(trajectories: &[Trajectory]) -> Vec<(&str, &str, &str, u64, bool)> {
    let all = trajectories.iter().flat_map(|own| own.steps.iter().map(move |step| (own, step)));
    all.map(|(Trajectory { task, trajectory, .. }, step)| {
        (&**task, &**trajectory, &*step.state, step.reward.to_bits(), step.valid)
    })
    .collect()
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(trajectories) = format::read(bytes) {
        let batch = Batch::new(trajectories.clone()).expect("what was read is valid");
        let mut written = Vec::new();
        format::write_jsonl(&mut written, &trajectories).expect("what was read can be written");
        let again = format::read(&written[..]).expect("what was read can be read again");
        assert_eq!(again, trajectories);
        if let Ok(estimate) = estimate(&batch, &Options::default()) {
            let written = annotated(bytes, &batch, &estimate.advantages);
            let again = format::read(&written[..]).expect("what was written can be read");
            assert_eq!(compared(&again), compared(&trajectories));
        }
    }
});
