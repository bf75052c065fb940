//! What a run says about itself, a line at a time.

use hgpo_train::config::Config;
use hgpo_train::learn::Metrics;

use super::RunDirectory;
use super::display::duration;
use super::evaluation::Record;
use crate::shown::{program, quoted};

/// A run in one line.
pub(super) fn run(
    directory: &RunDirectory,
    config: &Config,
    parameters: usize,
    done: u64,
) -> String {
    let depth = config.estimator.get("context_length");
    let level = depth.map(|depth| format!(" K={depth}")).unwrap_or_default();
    format!(
        "run {}: {} with {}{level}, seed {}, {parameters} parameters, {done} of {} iterations done",
        directory.root().display(),
        config.environment.name,
        config.estimator.name(),
        config.seed,
        config.learn.iterations,
    )
}

/// An iteration in one line, with the time that the remaining ones will take at so many seconds each.
pub(super) fn iteration(number: u64, total: u64, metrics: &Metrics, each: f64) -> String {
    let value =
        |name: &str| metrics.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
    let width = total.to_string().len();
    format!(
        "iteration {number:>width$}/{total}  success {:5.1} %  reward {:6.2}  steps {:5.1}  \
         kl {:.4}  entropy {:.3}  {}  eta {}",
        100.0 * value("success_rate"),
        value("reward/mean"),
        value("episode_length/mean"),
        value("kl"),
        value("entropy"),
        duration(value("seconds/iteration")),
        duration(total.saturating_sub(number) as f64 * each),
    )
}

/// An evaluation in one line.
pub(super) fn evaluation(record: &Record) -> String {
    let when = match record.iteration {
        0 => "before".to_owned(),
        iteration => format!("after {iteration}"),
    };
    format!(
        "evaluation {when}: {} tasks, seed {}: success {:.1} % of {}, {:.1} steps",
        record.split.name(),
        record.seed,
        100.0 * record.success_rate,
        record.episodes,
        record.mean_length,
    )
}

/// The command that goes on with a run.
pub(crate) fn resumption(directory: &RunDirectory) -> String {
    format!("{} train --resume {}", program(), quoted(&directory.root().display().to_string()))
}

/// What is said when a run stops, which was saved after so many iterations.
pub(super) fn stopped(directory: &RunDirectory, saved: Option<u64>) -> String {
    let resume = resumption(directory);
    match saved {
        Some(iteration) => {
            format!("stopped; saved after iteration {iteration}; continue with: {resume}")
        }
        None => format!("stopped during the warm start, which starts again with: {resume}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(seconds: f64) -> Metrics {
        let mut metrics = Metrics::new();
        metrics.insert("seconds/iteration".into(), seconds.into());
        metrics.insert("success_rate".into(), 0.5.into());
        metrics
    }

    #[test]
    fn an_iteration_tells_the_time_that_is_left() {
        // 3 s an iteration, 8 iterations left.
        let line = iteration(2, 10, &metrics(4.0), 3.0);
        assert!(line.starts_with("iteration  2/10  success  50.0 %"), "{line}");
        assert!(line.ends_with("4.0 s  eta 24 s"), "{line}");
    }
}
