//! Evaluation report on several runs, as a table and as JSON, and the file that each evaluation leaves in its run.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;

use hgpo_env::Split;
use hgpo_evidence::{Interval, sample_deviation};
use hgpo_study::text_table::aligned;
use serde::Serialize;

use super::held_out::{KindSuccess, RunEvaluation, SplitEvaluation, interval_of, mean_of};
use crate::run::storage::atomic_write;
use crate::run::storage::jsonl_log::encode;
use crate::run::storage::run_names::numbered_names;
use crate::run::{RunDirectory, RunError};
use crate::terminal::escape_control_characters;

/// All that was examined at once.
#[derive(Debug, Serialize)]
pub(crate) struct EvaluationReport {
    /// Each run.
    pub runs: Vec<RunEvaluation>,
    /// Over the runs, if there are several in one environment.
    pub together: Vec<MeanOverRuns>,
}

/// Success over several runs, at a temperature and in a split.
#[derive(Debug, Serialize)]
pub(crate) struct MeanOverRuns {
    temperature: f64,
    split: Split,
    runs: usize,
    success_rate: f64,
    /// Sample standard deviation over the runs.
    standard_deviation: Option<f64>,
    /// The mean, and between what it is expected with other runs.
    over_runs: Interval,
}

impl EvaluationReport {
    /// Of runs that were examined alike.
    pub(crate) fn new(runs: Vec<RunEvaluation>) -> Self {
        let environments: BTreeSet<&str> = runs.iter().map(|it| it.environment.as_str()).collect();
        let compare = runs.len() > 1 && environments.len() == 1;
        let first = runs.first().filter(|_| compare).map(|it| it.results.as_slice());
        let over = |(place, outcome): (usize, &SplitEvaluation)| {
            let rates = runs.iter().filter_map(|run| Some(run.results.get(place)?.success_rate));
            let rates: Vec<f64> = rates.collect();
            MeanOverRuns {
                temperature: outcome.temperature,
                split: outcome.split,
                runs: rates.len(),
                success_rate: mean_of(&rates),
                standard_deviation: sample_deviation(&rates),
                over_runs: interval_of(&rates),
            }
        };
        let together = first.unwrap_or_default().iter().enumerate().map(over).collect();
        Self { runs, together }
    }

    /// As text: a part for each run, and one over all.
    pub(crate) fn table(&self) -> String {
        let mut parts: Vec<String> = self.runs.iter().map(render_run).collect();
        if !self.together.is_empty() {
            let mut rows = vec![owned(["split", "temperature", "success", "over runs [95 %]"])];
            rows.extend(self.together.iter().map(|it| {
                vec![
                    it.split.name().to_owned(),
                    render_temperature(it.temperature),
                    render_spread(it.success_rate, it.standard_deviation),
                    render_interval(it.over_runs),
                ]
            }));
            let runs = self.runs.len();
            parts.push(format!("{runs} runs together, success in %\n{}", aligned(&rows)));
        }
        parts.join("\n")
    }
}

impl RunDirectory {
    /// Keeps what was found in the run, beside what was found before: in the first of
    /// `evaluations/iteration_N.json`, `-2.json`, `-3.json`, … that is free. Whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn save_evaluation(&self, found: &RunEvaluation) -> Result<PathBuf, RunError> {
        let folder = self.root.join("evaluations");
        let stem = format!("iteration_{:06}", found.iteration);
        let text = encode(&folder, found)?;
        for name in numbered_names(&stem) {
            let path = folder.join(format!("{name}.json"));
            if atomic_write::create(&path, &text)? {
                return Ok(path);
            }
        }
        Err(RunError::write(&folder)(ErrorKind::AlreadyExists.into()))
    }
}

fn render_run(found: &RunEvaluation) -> String {
    let trained = found.estimator.as_ref();
    let trained = trained.map(|name| format!(" with {name}, iteration {}", found.iteration));
    let tasks = match &found.panel {
        Some(panel) => format!("the {} tasks of panel {}", found.tasks, panel.name),
        None => format!("{} tasks per split and seed", found.tasks),
    };
    let head = format!(
        "{}: {}{}, {tasks}, success in %",
        found.run,
        found.environment,
        trained.unwrap_or_default()
    );
    let parts = [aligned(&success_rows(found)), render_kinds(found), render_agents(found)];
    format!("{head}\n{}", parts.concat())
}

fn success_rows(found: &RunEvaluation) -> Vec<Vec<String>> {
    let several = found.attempts > 1;
    let mut heads =
        owned(["split", "temperature", "success", "over tasks [95 %]", "over seeds [95 %]"]);
    if several {
        heads[2] = format!("avg@{}", found.attempts);
        heads.push(format!("pass@{}", found.attempts));
    }
    heads.extend(owned(["steps", "episodes"]));
    let row = |it: &SplitEvaluation| {
        let mut row = vec![
            it.split.name().to_owned(),
            render_temperature(it.temperature),
            render_spread(it.success_rate, it.standard_deviation),
            render_interval(it.over_tasks),
            if it.seeds.len() > 1 { render_interval(it.over_seeds) } else { "-".to_owned() },
        ];
        let pass = it.pass_at.get(&found.attempts).filter(|_| several);
        row.extend(pass.map(|&pass| percent(pass)));
        let episodes = it.seeds.len() * found.tasks * found.attempts;
        row.extend([format!("{:.1}", it.mean_length), episodes.to_string()]);
        row
    };
    [heads].into_iter().chain(found.results.iter().map(row)).collect()
}

/// Success by kinds of task, if there are some.
fn render_kinds(found: &RunEvaluation) -> String {
    let names: BTreeSet<&str> =
        found.results.iter().flat_map(|it| it.kinds.keys().copied()).collect();
    if names.is_empty() {
        return String::new();
    }
    let head = |it: &SplitEvaluation| {
        format!("{} {}", it.split.name(), render_temperature(it.temperature))
    };
    let mut rows = vec![owned(["kind of task"])];
    rows[0].extend(found.results.iter().map(head));
    rows.extend(names.into_iter().map(|name| {
        let cell = |it: &SplitEvaluation| match it.kinds.get(name) {
            Some(KindSuccess { tasks, success }) => {
                format!("{} {} of {tasks}", percent(success.point), render_interval(*success))
            }
            None => "-".to_owned(),
        };
        std::iter::once(name.to_owned()).chain(found.results.iter().map(cell)).collect()
    }));
    format!("\n{}", aligned(&rows))
}

/// What each agent did, if there are several.
fn render_agents(found: &RunEvaluation) -> String {
    let mut rows = vec![owned([
        "agent",
        "split",
        "temperature",
        "turns an episode",
        "success where it acted",
        "invalid",
    ])];
    for it in &found.results {
        rows.extend(it.agents.iter().map(|(name, means)| {
            vec![
                escape_control_characters(name).into_owned(),
                it.split.name().to_owned(),
                render_temperature(it.temperature),
                format!("{:.2}", means.turns),
                percent(means.success_rate),
                percent(means.invalid_fraction),
            ]
        }));
    }
    if rows.len() == 1 { String::new() } else { format!("\n{}", aligned(&rows)) }
}

fn owned<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

fn render_temperature(value: f64) -> String {
    if value > 0.0 { value.to_string() } else { "greedy".to_owned() }
}

fn percent(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

fn render_spread(mean: f64, deviation: Option<f64>) -> String {
    let deviation = deviation.map(|it| format!(" ± {}", percent(it))).unwrap_or_default();
    percent(mean) + &deviation
}

fn render_interval(interval: Interval) -> String {
    format!("[{}, {}]", percent(interval.low), percent(interval.high))
}
