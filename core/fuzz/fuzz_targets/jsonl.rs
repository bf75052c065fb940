//! JSON Lines are read or refused on one line; what was read is written and read back the same, and
//! reading task by task gives the same. So is what the first line says of how they were made.
#![no_main]

use hgpo_core::{Trajectory, format};
use libfuzzer_sys::fuzz_target;

fn told(bytes: &[u8]) -> Option<format::Provenance> {
    format::Reader::new(bytes).provenance().ok().flatten()
}

fuzz_target!(|bytes: &[u8]| {
    if let Some(made) = told(bytes) {
        let mut file = Vec::new();
        format::write_provenance(&mut file, &made).expect("what was told can be written");
        assert_eq!(told(&file), Some(made));
    }
    let tasks: Result<Vec<Vec<Trajectory>>, _> = format::Reader::new(bytes).collect();
    match format::read_jsonl(bytes) {
        Ok(trajectories) => {
            let mut file = Vec::new();
            format::write_jsonl(&mut file, &trajectories).expect("what was read can be written");
            let again = format::read_jsonl(&file[..]).expect("what was written can be read");
            assert_eq!(trajectories, again);
            // An error is a task whose trajectories are not together.
            tasks.into_iter().for_each(|tasks| assert_eq!(tasks.concat(), trajectories));
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            assert!(tasks.is_err() || tasks.is_ok_and(|tasks| tasks.is_empty()));
        }
    }
});
