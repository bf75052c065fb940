//! Study files: one that is read has arms with different names that can be folders, and is read again from
//! what is written of it.
#![no_main]

use hgpo_study::StudyFile;
use hgpo_study::arm_names::is_name;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let study = match StudyFile::read("study.toml", &text) {
        Ok(study) => study,
        Err(error) => {
            assert!(!error.reason.trim().is_empty() && !error.reason.contains('\n'), "{error:?}");
            return;
        }
    };
    let arms = study.arms().expect("a study that is read has arms");
    assert!(!arms.is_empty());
    for arm in &arms {
        assert!(is_name(&arm.name), "{:?}", arm.name);
    }
    let written = study.to_toml();
    let again = StudyFile::read("study.toml", &written).expect("what is written is read");
    assert_eq!(again.difference(&study), None, "{written}");
    assert_eq!(again.arms(), Ok(arms));
});
