//! JSON Lines are read or refused on one line; what was read is written and read back the same.
#![no_main]

use hgpo_core::format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match format::read_jsonl(bytes) {
        Ok(trajectories) => {
            let mut file = Vec::new();
            format::write_jsonl(&mut file, &trajectories).expect("what was read can be written");
            let again = format::read_jsonl(&file[..]).expect("what was written can be read");
            assert_eq!(trajectories, again);
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
    // Task by task gives the same, up to the first task that is not together.
    for task in format::Reader::new(bytes) {
        if task.is_err() {
            break;
        }
    }
});
