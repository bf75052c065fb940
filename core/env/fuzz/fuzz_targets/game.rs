//! Whole files.
#![no_main]

use hgpo_env_fuzz::play;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| play(bytes));
