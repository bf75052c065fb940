//! Summary of a run: `summary.json`, with what the run took, and the table at its end.

use std::fmt::Write as _;

use hgpo_train::trainer::SPLITS;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::run::evaluation::records::{Best, Evaluations, MeanSuccess};

/// The numbers that outlive a run, and its seconds without those of evaluations.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub run: String,
    pub environment: String,
    pub estimator: String,
    pub seed: u64,
    pub device: String,
    pub parameters: usize,
    pub iterations: u64,
    pub environment_steps: u64,
    /// What ended the run: `iterations`, `environment_steps` or `patience`.
    pub ended: Option<&'static str>,
    /// The evaluation whose checkpoint was kept as the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
    #[serde(rename = "seconds/training")]
    pub seconds: f64,
    #[serde(flatten)]
    pub cost: RunCost,
    pub evaluations: Map<String, Value>,
}

/// What the process that finished a run took. Of a run that was stopped and resumed, earlier processes are not
/// in it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct RunCost {
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

/// Success before and after, by split.
pub(crate) fn evaluations_by_split(
    evaluations: &Evaluations,
    iterations: u64,
) -> Map<String, Value> {
    let by_split = SPLITS.map(|split| {
        let (before, after) = (evaluations.at(0, split), evaluations.at(iterations, split));
        (split.name().to_owned(), json!({"before": before, "after": after}))
    });
    Map::from_iter(by_split)
}

/// Success before and after, a line per split.
pub(crate) fn table(evaluations: &Evaluations, iterations: u64) -> String {
    let mut text = format!("{:<8}{:<18}{:<18}steps of an episode", "success", "before", "after");
    for split in SPLITS {
        let (before, after) = (evaluations.at(0, split), evaluations.at(iterations, split));
        let rate = |of: Option<MeanSuccess>| of.map_or_else(|| "-".into(), |of| of.to_string());
        let length = |of: Option<MeanSuccess>| {
            of.map_or_else(|| "-".into(), |of| format!("{:.1}", of.mean_length))
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:<8}{:<18}{:<18}{} before, {} after",
            split.name(),
            rate(before),
            rate(after),
            length(before),
            length(after)
        );
    }
    if evaluations.left_out() > 0 {
        text += "\n(evaluations with other tasks, seeds or temperature, made before these settings were \
                 changed, are left out)";
    }
    text
}

/// The most memory that this process has held so far, in bytes; none if the system does not say.
#[must_use]
pub fn peak_memory() -> Option<u64> {
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
