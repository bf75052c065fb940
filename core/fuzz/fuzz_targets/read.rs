//! Any file is told apart and read or refused; what is read makes a batch.
#![no_main]

use hgpo_core::{Batch, format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(trajectories) = format::read(bytes) {
        Batch::new(trajectories).expect("what was read is valid");
    }
});
