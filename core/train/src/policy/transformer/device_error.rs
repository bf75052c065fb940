//! Device errors, by what can be done about them. burn hands over the words of cubecl, with the calls that led there.

use crate::policy::PolicyError;

/// What cubecl says of memory that a device does not give: too little is left, or it gives no buffer so large.
const OUT_OF_MEMORY: [&str; 4] =
    ["out of device memory", "can't allocate", "out-of-memory", "every page size"];
/// What they say of a device that is gone; the first read after that may only find that it cannot read.
const LOST: [&str; 3] = ["device is poisoned", "device was poisoned", "staging buffer"];

/// Why a device did not give values back.
pub(super) fn device_error(words: &str) -> PolicyError {
    let has = |parts: &[&str]| parts.iter().any(|part| words.to_lowercase().contains(part));
    let reason = reason(words);
    if has(&LOST) {
        PolicyError::DeviceLost(reason)
    } else if has(&OUT_OF_MEMORY) {
        PolicyError::OutOfMemory(reason)
    } else {
        PolicyError::Device(reason)
    }
}

/// The first cause, without headings and calls.
fn reason(words: &str) -> String {
    let before = words.find("Backtrace").unwrap_or(words.len());
    let is_call = |line: &&str| {
        let number = line.split_once(": ").map_or(*line, |(number, _)| number);
        line.starts_with("at ")
            || (!number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()))
    };
    let lines = words[..before].lines().map(str::trim).take_while(|line| !is_call(line));
    let said = |line: &&str| !line.is_empty() && *line != "No backtrace available";
    let last = lines.filter(said).filter(|line| *line != "Caused by:").last();
    last.unwrap_or("it does not say why").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart_by_what_can_be_done() {
        let memory = "An error happened during execution\nCaused by:\n  An IO error happened\nCaused by:\n  \
                      out of device memory allocating 4096 bytes\n   0: cubecl::reserve\n             at client.rs:12";
        let found = device_error(memory);
        let PolicyError::OutOfMemory(reason) = &found else { panic!("{found}") };
        assert_eq!(reason, "out of device memory allocating 4096 bytes");
        assert!(
            !found.to_string().contains('\n') && found.to_string().contains("rollout.batch_size")
        );
        let large = device_error("can't allocate buffer of size: 99\nNo backtrace available");
        assert!(matches!(large, PolicyError::OutOfMemory(_)), "{large}");
        let lost = "The device is poisoned\nCaused by:\n  The device is poisoned\nCaused by:\n  Unknown: gone\n\
                    Backtrace:\n   0: a";
        let lost = device_error(lost);
        assert!(
            matches!(&lost, PolicyError::DeviceLost(reason) if reason == "Unknown: gone"),
            "{lost}"
        );
        let unread = device_error(
            "An error happened during execution\nCaused by:\n  the staging buffer could not be mapped",
        );
        assert!(matches!(unread, PolicyError::DeviceLost(_)), "{unread}");
        let other = device_error("An error happened during execution\nCaused by:\n  no kernel");
        assert!(matches!(&other, PolicyError::Device(reason) if reason == "no kernel"), "{other}");
        assert!(matches!(device_error(""), PolicyError::Device(_)));
    }
}
