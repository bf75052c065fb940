//! metrics.jsonl and evaluations.jsonl of a run, taken together.

use std::collections::BTreeMap;

use hgpo_study::summary::{Evaluation, Point};
use serde_json::{Map, Value};

use super::lines::{count, number};

/// The most points that a curve keeps.
const POINTS: usize = 200;

/// Phases of an iteration.
const PHASES: [&str; 3] = ["rollout", "advantage", "update"];

/// What the iterations of a run say together.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterations {
    /// Environment steps after every iteration, with the iteration's number.
    pub(super) steps: Vec<(u64, u64)>,
    /// Success in training.
    pub(super) curve: Vec<Point>,
    /// Means by key, without those of the clock.
    pub(super) means: BTreeMap<String, f64>,
    /// Seconds by phase.
    pub(super) seconds: BTreeMap<String, f64>,
}

impl Iterations {
    /// Of the lines of metrics.jsonl.
    pub(super) fn read(lines: &[Map<String, Value>]) -> Self {
        let mut sums: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
        let (mut all, mut points) = (Self::default(), Vec::new());
        let mut environment_steps = 0;
        for (at, line) in lines.iter().enumerate() {
            for (key, value) in line {
                if let Some(value) = value.as_f64().filter(|value| value.is_finite()) {
                    let sum = sums.entry(key).or_default();
                    *sum = (sum.0 + value, sum.1 + 1);
                }
            }
            environment_steps += count(line, "steps").unwrap_or(0);
            let iteration = count(line, "iteration").unwrap_or(at as u64 + 1);
            all.steps.push((iteration, environment_steps));
            if let Some(success_rate) = number(line, "success_rate") {
                points.push(Point { environment_steps, iteration, success_rate });
            }
        }
        all.curve = thinned(&points);
        for (key, (sum, count)) in sums {
            match key.strip_prefix("seconds/") {
                Some("iteration") => *all.seconds.entry("total".to_owned()).or_default() += sum,
                Some(phase) if PHASES.contains(&phase) => {
                    all.seconds.insert(phase.to_owned(), sum);
                }
                _ if ["iteration", "time"].contains(&key) || key.ends_with("_per_second") => {}
                _ => {
                    all.means.insert(key.to_owned(), sum / count as f64);
                }
            }
        }
        all
    }

    /// Environment steps after an iteration.
    fn steps_at(&self, iteration: u64) -> u64 {
        let done = self.steps.partition_point(|(number, _)| *number <= iteration);
        done.checked_sub(1).map_or(0, |last| self.steps[last].1)
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

/// At most [`POINTS`] points, each the mean of as many, at the steps of its last.
fn thinned(points: &[Point]) -> Vec<Point> {
    let every = points.len().div_ceil(POINTS).max(1);
    let mean = |some: &[Point]| {
        let sum: f64 = some.iter().map(|point| point.success_rate).sum();
        some.last().map(|last| Point { success_rate: sum / some.len() as f64, ..*last })
    };
    points.chunks(every).filter_map(mean).collect()
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
            json!({ "iteration": 1, "steps": 100.0, "success_rate": 0.25, "kl": 0.0, "seconds/rollout": 1.5, "seconds/iteration": 2.0, "time": 7.0 }),
            json!({ "iteration": 2, "steps": 60.0, "success_rate": 0.75, "kl": 0.5, "seconds/rollout": 0.5, "seconds/iteration": 1.0, "time": 8.0 }),
        ]));
        assert_eq!(
            all.curve[1],
            Point { environment_steps: 160, iteration: 2, success_rate: 0.75 }
        );
        assert_eq!(all.means.get("kl"), Some(&0.25));
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

    #[test]
    fn long_curves_are_thinned_by_means() {
        let point =
            |at: u64| Point { environment_steps: 10 * at, iteration: at, success_rate: at as f64 };
        let points: Vec<_> = (1..=400).map(point).collect();
        let thin = thinned(&points);
        assert_eq!(thin.len(), 200);
        assert_eq!(thin[0], Point { environment_steps: 20, iteration: 2, success_rate: 1.5 });
        assert!(thinned(&[]).is_empty());
    }
}
