//! Metrics and evaluations of a run, from the JSON Lines in `metrics.jsonl` and `evaluations.jsonl`, which may still be
//! growing.

use std::collections::BTreeMap;
use std::path::Path;

use hgpo_study::arm_names;
use hgpo_study::run_scores::{Iteration, environment_steps, group_sizes};
use hgpo_study::summary::{Evaluation, ITERATION_PHASES, sums};
use serde_json::{Map, Value};

use crate::ReportError;

/// What to do with a run whose lines are damaged.
pub(super) const ADVICE: &str = "leave this run out, or restore the file from a backup";

/// The objects of a file, one a line; none if there is no file. The last line may be cut off, if
/// the run is being written or was interrupted.
///
/// # Errors
/// The file cannot be read, or another line is damaged.
pub(super) fn read_lines(path: &Path) -> Result<Vec<Map<String, Value>>, ReportError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(ReportError::Read { path: path.to_owned(), source }),
    };
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let object = |(text, line)| {
        serde_json::from_str(text).map_err(|error| ReportError::Damaged {
            path: path.to_owned(),
            line,
            message: arm_names::one_line(&error.to_string()),
            advice: ADVICE,
        })
    };
    whole.lines().zip(1..).map(object).collect()
}

/// A number of an object.
fn number(object: &Map<String, Value>, key: &str) -> Option<f64> {
    object.get(key)?.as_f64().filter(|number| number.is_finite())
}

/// A count of an object, which may be written as `3.0`.
fn count(object: &Map<String, Value>, key: &str) -> Option<u64> {
    number(object, key).filter(|number| *number >= 0.0).map(|number| number as u64)
}

/// What the iterations of a run say together.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterations {
    /// Environment steps after every iteration.
    pub(super) steps: Vec<u64>,
    /// Success in training.
    pub(super) success: Vec<Iteration>,
    /// Means by key, without those of the clock.
    pub(super) means: BTreeMap<String, f64>,
    /// Seconds by phase.
    pub(super) seconds: BTreeMap<String, f64>,
    /// Groups of every level by their size.
    pub(super) group_sizes: Vec<BTreeMap<u64, u64>>,
}

/// Checks that iterations follow one another from 1 on, and that what figures are drawn of can be.
///
/// # Errors
/// The first line that is wrong, from 1, and what is wrong with it.
pub(super) fn check(lines: &[Map<String, Value>]) -> Result<(), (usize, String)> {
    for (line, expected) in lines.iter().zip(1_usize..) {
        let wrong = |message: String| Err((expected, message));
        let told = |key: &str| line.get(key).map_or("missing".to_owned(), Value::to_string);
        if count(line, "iteration") != Some(expected as u64) {
            let found = told("iteration");
            return wrong(format!("`iteration` is {found}, and {expected} on this line"));
        }
        let absent = |key: &str| key == "environment_steps" && !line.contains_key(key);
        for key in ["steps", "environment_steps"] {
            if count(line, key).is_none() && !absent(key) {
                return wrong(format!("`{key}` is {}, not a number from 0", told(key)));
            }
        }
        check_success(line).map_err(|message| (expected, message))?;
    }
    Ok(())
}

/// Checks that success, if a line has it, is a share.
pub(super) fn check_success(line: &Map<String, Value>) -> Result<(), String> {
    match line.get("success_rate") {
        None | Some(Value::Null) => Ok(()),
        Some(found) if found.as_f64().is_some_and(|it| (0.0..=1.0).contains(&it)) => Ok(()),
        Some(found) => Err(format!("`success_rate` is {found}, not between 0 and 1")),
    }
}

impl Iterations {
    /// Of the lines of metrics.jsonl.
    pub(super) fn read(lines: &[Map<String, Value>]) -> Self {
        let mut all = Self { group_sizes: group_sizes(lines), ..Self::default() };
        let mut total = 0;
        for line in lines {
            let played = environment_steps(line);
            total += played;
            all.steps.push(total);
            if let Some(success_rate) = number(line, "success_rate").filter(|_| played > 0) {
                all.success.push(Iteration { environment_steps: played, success_rate });
            }
        }
        let numbers = lines.iter().flatten().map(|(key, value)| (key, value.as_f64()));
        let finite =
            numbers.filter_map(|(key, value)| Some((key, value.filter(|it| it.is_finite())?)));
        for (key, (sum, count)) in sums(finite) {
            match key.strip_prefix("seconds/") {
                Some("iteration") => *all.seconds.entry("total".to_owned()).or_default() += sum,
                Some(phase) if ITERATION_PHASES.contains(&phase) => {
                    all.seconds.insert(phase.to_owned(), sum);
                }
                _ if ["iteration", "time"].contains(&key) || key.ends_with("_per_second") => {}
                _ => {
                    all.means.insert(key.to_owned(), sum / count);
                }
            }
        }
        all
    }

    /// Environment steps after an iteration.
    fn steps_at(&self, iteration: u64) -> u64 {
        let done = self.steps.len().min(iteration as usize);
        self.steps[..done].last().copied().unwrap_or(0)
    }

    /// Of the lines of evaluations.jsonl: the mean over the evaluation seeds, weighted by episodes.
    pub(super) fn evaluations(&self, lines: &[Map<String, Value>]) -> Vec<Evaluation> {
        let mut found: BTreeMap<(u64, String), (f64, u64)> = BTreeMap::new();
        for line in lines {
            let split = line.get("split").and_then(Value::as_str).unwrap_or_default().to_owned();
            let (Some(iteration), Some(rate), Some(episodes)) =
                (count(line, "iteration"), number(line, "success_rate"), count(line, "episodes"))
            else {
                continue;
            };
            let sum = found.entry((iteration, split)).or_default();
            *sum = (sum.0 + rate * episodes as f64, sum.1 + episodes);
        }
        let made = found.into_iter().filter(|(_, (_, episodes))| *episodes > 0);
        made.map(|((iteration, split), (won, episodes))| Evaluation {
            iteration,
            environment_steps: self.steps_at(iteration),
            split,
            success_rate: won / episodes as f64,
            episodes,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(values: &[Value]) -> Vec<Map<String, Value>> {
        values.iter().map(|value| value.as_object().unwrap().clone()).collect()
    }

    #[test]
    fn iterations_are_added_up_and_averaged() {
        let all = Iterations::read(&lines(&[
            json!({ "iteration": 1, "steps": 100.0, "success_rate": 0.25, "kl": 0.0, "group_size/level_0/histogram": [[1, 4], [8, 2]], "seconds/rollout": 1.5, "seconds/iteration": 2.0, "time": 7.0 }),
            json!({ "iteration": 2, "steps": 40.0, "environment_steps": 60.0, "success_rate": 0.75, "kl": 0.5, "group_size/level_0/histogram": [[8, 3]], "seconds/rollout": 0.5, "seconds/iteration": 1.0, "time": 8.0 }),
        ]));
        let second = Iteration { environment_steps: 60, success_rate: 0.75 };
        assert_eq!((all.success[1], all.steps[1]), (second, 160));
        assert_eq!(all.means.get("kl"), Some(&0.25));
        assert_eq!(all.group_sizes, [[(1, 4), (8, 5)].into_iter().collect()]);
        assert!(!all.means.contains_key("time"));
        let seconds: Vec<_> = all.seconds.iter().map(|(key, sum)| (key.as_str(), *sum)).collect();
        assert_eq!(seconds, [("rollout", 2.0), ("total", 3.0)]);
    }

    #[test]
    fn evaluation_seeds_are_averaged_by_their_episodes() {
        let all = Iterations::read(&lines(&[json!({ "iteration": 1, "steps": 100.0 })]));
        let found = all.evaluations(&lines(&[
            json!({ "iteration": 1, "split": "seen", "seed": 1, "episodes": 10, "success_rate": 0.5 }),
            json!({ "iteration": 1, "split": "seen", "seed": 2, "episodes": 30, "success_rate": 0.9 }),
        ]));
        // (5 + 27) / 40
        assert_eq!((found.len(), found[0].success_rate, found[0].episodes), (1, 0.8, 40));
        assert_eq!(found[0].environment_steps, 100);
    }
}
