//! The metrics of a run, as `hgpo train` writes them: a JSON object a line, one an iteration.

use hgpo_core::read_json;
use serde_json::{Map, Value};

/// What counts the lines.
const ITERATION: &str = "iteration";

/// The metrics of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// The name of its file.
    pub(crate) name: String,
    /// The names of its metrics, in order of appearance.
    pub(crate) keys: Vec<String>,
    /// Iteration and value of each metric, iterations rising; lines without one have no point.
    pub(crate) points: Vec<Vec<(u64, f64)>>,
}

/// What the first line of rollouts may say beside an iteration, and metrics never do.
const OF_ROLLOUTS: [&str; 7] =
    ["task", "trajectory", "environment", "seed", "discount", "invalid_penalty", "estimator"];

/// Whether a text is that of metrics: its first line counts an iteration, has numbers beside it, and says
/// nothing that only rollouts do.
pub(crate) fn is_metrics(text: &str) -> bool {
    first(text).is_some_and(|fields| {
        let is_metric = |(name, value): (&String, &Value)| name != ITERATION && value.is_number();
        fields.get(ITERATION).is_some_and(Value::is_u64)
            && !OF_ROLLOUTS.iter().any(|name| fields.contains_key(*name))
            && fields.iter().any(is_metric)
    })
}

/// The iteration that a rollouts file of a run names: in its first line, as traces do, or in its name, such as
/// `iteration_000120.rollouts.jsonl`.
pub(crate) fn iteration(name: &str, beginning: &str) -> Option<u64> {
    let said = first(beginning).and_then(|line| line.get(ITERATION)?.as_u64());
    said.or_else(|| named(name))
}

/// The digits after `iteration`, without what stands between.
fn named(name: &str) -> Option<u64> {
    let (_, after) = name.rsplit_once(ITERATION)?;
    let digits = after.trim_start_matches(['_', '-', ' ', '=']);
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// The first line with anything in it.
fn first(text: &str) -> Option<Map<String, Value>> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    object(lines.find(|line| !line.trim().is_empty())?).ok()
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    match read_json(line).map_err(|error| error.to_string())? {
        Value::Object(fields) => Ok(fields),
        _ => Err("no JSON object".to_owned()),
    }
}

impl Run {
    /// Reads the metrics of a run. A last line that is cut off, as while the run goes on, is left out.
    ///
    /// # Errors
    /// The first line that is no object or counts no iteration beyond the line before, with its number;
    /// a file without a line.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, String> {
        let mut run = Self { name: name.to_owned(), keys: Vec::new(), points: Vec::new() };
        let (mut last, mut lines) = (0, 0);
        let is_cut = !text.ends_with('\n');
        let all: Vec<(usize, &str)> = text
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .collect();
        for (place, (number, line)) in all.iter().enumerate() {
            let fields = match object(line) {
                Err(_) if is_cut && place > 0 && place + 1 == all.len() => break,
                fields => fields.map_err(|error| format!("line {}: {error}", number + 1))?,
            };
            let iteration = fields.get(ITERATION).and_then(Value::as_u64);
            let iteration = iteration.filter(|now| lines == 0 || *now > last).ok_or_else(|| {
                format!("line {}: `iteration` does not go on from the line before", number + 1)
            })?;
            run.add(iteration, &fields);
            (last, lines) = (iteration, lines + 1);
        }
        if run.keys.is_empty() { Err("no metrics".to_owned()) } else { Ok(run) }
    }

    fn add(&mut self, iteration: u64, fields: &Map<String, Value>) {
        for (key, value) in fields.iter().filter(|(key, _)| *key != ITERATION) {
            let Some(value) = value.as_f64() else { continue };
            let place = self.keys.iter().position(|known| known == key).unwrap_or_else(|| {
                self.keys.push(key.clone());
                self.points.push(Vec::new());
                self.keys.len() - 1
            });
            self.points[place].push((iteration, value));
        }
    }

    /// The values of a metric by iteration; none if the run has no such metric.
    pub(crate) fn of(&self, key: &str) -> &[(u64, f64)] {
        let place = self.keys.iter().position(|known| known == key);
        place.map_or(&[], |place| &self.points[place])
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, is_metrics, iteration};

    const LINES: &str = "{\"iteration\":1,\"success_rate\":0.25,\"kl\":0.5,\"note\":\"x\"}\n{\"iteration\":2,\"success_rate\":0.5,\"kl\":null}\n\n{\"iteration\":4,\"success_rate\":0.75,\"kl\":2}\n";

    #[test]
    fn the_iteration_of_rollouts_is_in_the_first_line_or_else_in_the_name() {
        let line = "\u{feff}\n{\"environment\":\"chores\",\"iteration\":30}\n{\"task\":\"g\"}";
        assert_eq!(iteration("iteration_000010.rollouts.jsonl", line), Some(30));
        assert_eq!(iteration("iteration_000010.rollouts.jsonl", "{\"task\":\"g"), Some(10));
        assert_eq!(iteration("run iteration-7.jsonl", ""), Some(7));
        assert_eq!(iteration("rollouts 12.jsonl", "task,trajectory"), None);
    }

    #[test]
    fn every_number_of_a_line_is_a_point() {
        let run = Run::read("metrics.jsonl", LINES).expect("metrics");
        assert_eq!(run.keys, ["success_rate", "kl"]);
        assert_eq!(run.of("success_rate"), [(1, 0.25), (2, 0.5), (4, 0.75)]);
        assert_eq!(run.of("kl"), [(1, 0.5), (4, 2.0)]);
        assert!(run.of("reward/mean").is_empty());
    }

    #[test]
    fn a_line_that_is_still_being_written_is_left_out_and_others_are_refused() {
        let of = |text: &str| Run::read("m", text).map(|run| run.of("success_rate").len());
        assert_eq!(of(&format!("{LINES}{{\"iteration\":5,\"succ")), Ok(3));
        let broken = of("{\"iteration\":1,\"kl\":1}\n{\"iter\n{\"iteration\":2,\"kl\":1}\n");
        assert!(broken.is_err_and(|error| error.starts_with("line 2: ")));
        let back = of("{\"iteration\":3,\"kl\":1}\n{\"iteration\":3,\"kl\":1}\n");
        assert!(back.is_err_and(|error| error.starts_with("line 2: `iteration`")));
        assert_eq!(of(""), Err("no metrics".to_owned()));
    }

    #[test]
    fn metrics_are_told_from_rollouts() {
        assert!(is_metrics(LINES));
        for other in [
            "{\"environment\":\"chores\",\"seed\":1,\"iteration\":3,\"discount\":0.85,\"estimator\":{\"name\":\"hgpo\"}}",
            "{\"seed\":1,\"iteration\":3}",
            "{\"task\":\"g\",\"trajectory\":\"t\",\"steps\":[]}",
            "task,trajectory,state,reward",
            "",
        ] {
            assert!(!is_metrics(other), "{other}");
        }
    }
}
