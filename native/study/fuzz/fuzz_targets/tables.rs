//! Summaries: one that is read makes tables, and is read again from what is written of it.
#![no_main]

use hgpo_study::result_tables::tables;
use hgpo_study::summary::StudySummary;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut study) = serde_json::from_slice::<StudySummary>(bytes) else { return };
    assert!(!tables(&study).is_empty());
    for run in study.arms.iter_mut().flat_map(|arm| &mut arm.runs) {
        *run = run.clone().rounded();
    }
    let text = serde_json::to_vec(&study).expect("a summary can be written");
    let again: StudySummary = serde_json::from_slice(&text).expect("what is written is read");
    let runs = again.arms.into_iter().flat_map(|arm| arm.runs);
    for (again, run) in runs.zip(study.arms.iter().flat_map(|arm| &arm.runs)) {
        assert_eq!(&again, run);
    }
});
