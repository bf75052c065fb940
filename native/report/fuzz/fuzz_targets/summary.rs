//! A study's summary: it is refused with the name of its file, or makes a report whose texts of others are no
//! markup.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use hgpo_evidence::Bootstrap;
use hgpo_report::{Options, ReportError, render};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// A folder in memory, if there is one: a file per trial is much for a disk.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = tempfile::tempdir_in("/dev/shm");
    memory.or_else(|_| tempfile::tempdir()).expect("there is room for a file")
});

fuzz_target!(|bytes: &[u8]| {
    let path: PathBuf = FOLDER.path().join("summary.json");
    std::fs::write(&path, bytes).expect("there is room for a file");
    // Intervals are not what is tested.
    let bootstrap = Bootstrap { resamples: 20, ..Bootstrap::default() };
    let options = Options { bootstrap, ..Options::default() };
    match render(&[path], &options) {
        Ok((text, written)) => {
            assert!(text.ends_with("</html>\n") && written.arms <= bytes.len());
            assert!(
                !text.contains("NaN") || bytes.windows(3).any(|it| it == b"NaN"),
                "not a number"
            );
        }
        Err(ReportError::Evidence(error)) => panic!("not checked before: {error}"),
        Err(error) => {
            let told = error.to_string();
            assert!(told.contains("summary.json") && !told.contains('\n'), "{told}");
        }
    }
});
