//! CSV is read or refused; what was read can be written as JSON Lines and read back the same.
#![no_main]

use hgpo_core::format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let body = [&b"task,trajectory,state,action,reward,valid\n"[..], bytes].concat();
    for file in [bytes, &body[..]] {
        if let Ok(trajectories) = format::read_csv(file) {
            let mut written = Vec::new();
            format::write_jsonl(&mut written, &trajectories).expect("what was read can be written");
            assert_eq!(
                format::read_jsonl(&written[..]).expect("read"),
                trajectories
            );
        }
    }
});
