//! Any text is read as a process or refused on one line. What was read is written and read back the
//! same, its values are numbers, and what is drawn from it is possible in it, where it was drawn.
#![no_main]

use hgpo_core::process::{Decision, Process};
use hgpo_core::{Batch, Discount};
use libfuzzer_sys::fuzz_target;

/// Processes beyond this are read, but take too long for the rest.
const SIZE: usize = 4096;

fn values(process: &Process) {
    let values = process.values(Discount::default());
    for (situation, of) in process.situations().iter().enumerate() {
        for steps_left in 1..=process.step_limit() {
            for action in 0..of.actions.len() {
                let truth = values.advantage(Decision { situation, steps_left, action });
                assert!(truth.is_finite());
            }
        }
    }
}

/// Attempts that begin with words of the fuzzer's.
fn attempts(process: &Process, bytes: &[u8]) {
    let mut words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word).reverse_bits()
    });
    let drawn = process.episodes("g", 3, &mut || words.next().unwrap_or_default());
    for attempt in &drawn {
        let located = process.locate(attempt).expect("what was drawn is possible");
        for (step, (decision, taken)) in located.into_iter().zip(&attempt.steps).enumerate() {
            let Some(Decision { situation, steps_left, action }) = decision else { continue };
            assert_eq!(steps_left, process.step_limit() - step);
            let situation = &process.situations()[situation];
            assert_eq!(situation.state, taken.state);
            assert_eq!(Some(&situation.actions[action].action), taken.action.as_ref());
        }
    }
    Batch::new(drawn).expect("attempts make a batch");
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Process::read(text) {
        Ok(process) => {
            let file = serde_json::to_string(&process).expect("what was read can be written");
            assert_eq!(Process::read(&file).expect("what was written can be read"), process);
            if process.step_limit() * process.situations().len() <= SIZE {
                values(&process);
                attempts(&process, bytes);
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});
