//! Cost of a run: time beyond its iterations, threads, memory.

use serde::Serialize;

/// What the process that finished a run took. Of a run that was stopped and resumed, earlier processes are not
/// in it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunCost {
    /// Worker threads.
    pub threads: usize,
    /// Seconds of imitation; none if another process did it.
    #[serde(rename = "seconds/warm_start")]
    pub warm_start: Option<f64>,
    /// Seconds of its evaluations.
    #[serde(rename = "seconds/evaluation")]
    pub evaluation: f64,
    /// Seconds from its start to its end.
    #[serde(rename = "seconds/process")]
    pub process: f64,
    /// The most memory that it held, in bytes; none if the system does not say.
    pub peak_memory_bytes: Option<u64>,
}

/// The most memory that this process has held so far.
pub(crate) fn peak_memory() -> Option<u64> {
    // Only Linux has this file.
    parse_peak_memory(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The line `VmHWM:  1234 kB`, in bytes.
fn parse_peak_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_is_read_in_bytes() {
        assert_eq!(
            parse_peak_memory("VmPeak:\t 9 kB\nVmHWM:\t   1500 kB\nVmRSS:\t 7 kB\n"),
            Some(1_536_000)
        );
        assert_eq!(parse_peak_memory("VmHWM:\t many kB\n"), None);
        assert_eq!(parse_peak_memory(""), None);
        if cfg!(target_os = "linux") {
            assert!(peak_memory().is_some_and(|bytes| bytes > 1 << 20));
        }
    }
}
