//! Run folder of `hgpo train`, read as a run of a study.

use std::path::Path;

use hgpo_study::arm_names;
use hgpo_study::run_scores;
use hgpo_study::summary::{RunSummary, Scores, Status};
use serde_json::{Map, Value};

use super::metrics::{self, Iterations};
use super::{checkpoint_settings, jsonl};
use crate::ReportError;

/// The changes of settings while the run was resumed, among its settings.
pub(crate) const CHANGED: &str = "changed";

/// A run as its files have it.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// Its settings, without the seed.
    pub(crate) settings: Value,
    /// What it came to, but for its area.
    pub(crate) run: RunSummary,
}

/// Reads the folder of a run, be it done or not.
///
/// # Errors
/// A file cannot be read or is damaged.
pub(crate) fn read(folder: &Path) -> Result<Folder, ReportError> {
    let mut settings = config(&folder.join("config.toml"))?;
    let lines_of = |name: &str| jsonl::read(&folder.join(name));
    let damaged = |name: &str, (line, message): (usize, String)| {
        let advice = jsonl::ADVICE;
        ReportError::Damaged { path: folder.join(name), line, message, advice }
    };
    let metrics = lines_of("metrics.jsonl")?;
    metrics::check(&metrics).map_err(|problem| damaged("metrics.jsonl", problem))?;
    let iterations = Iterations::read(&metrics);
    let evaluations = lines_of("evaluations.jsonl")?;
    for (line, number) in evaluations.iter().zip(1..) {
        metrics::check_success(line)
            .map_err(|message| damaged("evaluations.jsonl", (number, message)))?;
    }
    let of_settings = |line: &Map<String, Value>| is_of(line, &settings["evaluation"]);
    let evaluations: Vec<_> = evaluations.into_iter().filter(of_settings).collect();
    let evaluations = iterations.evaluations(&evaluations);
    let (done, steps) = iterations.steps.last().copied().unwrap_or_default();
    let told = read_summary(&folder.join("summary.json"));
    // Written at the end; a run that is asked for more has an old one.
    let is_done = told.is_some() && has_ended(&settings["learn"], done, steps);
    checkpoint_settings::check(folder, &settings, is_done)?;
    let changes = changes(folder)?;
    let mut seed = None;
    if let Some(all) = settings.as_object_mut() {
        seed = all.remove("seed");
        all.extend(changes.map(|told| (CHANGED.to_owned(), told.into())));
    }
    let each = |keys: [&str; 3]| {
        let of = |key: &&str| settings["rollout"][*key].as_u64().unwrap_or(1);
        keys.iter().map(of).fold(1, u64::saturating_mul)
    };
    let device = told.as_ref().and_then(|it| it.get("device")).and_then(Value::as_str);
    let last = |split: &str| {
        let own = evaluations.iter().rfind(|it| it.split == split && it.iteration == done);
        own.filter(|_| done > 0).map(|it| it.success_rate)
    };
    let scores = Scores {
        last_seen: last("seen"),
        last_unseen: last("unseen"),
        ..run_scores::speed(&iterations.success)
    };
    let run = RunSummary {
        status: if is_done { Status::Finished } else { Status::Stopped },
        iterations: done,
        environment_steps: steps,
        episodes: done.saturating_mul(each(["tasks", "group_size", "batches"])),
        device: device.unwrap_or_default().to_owned(),
        seconds: iterations.seconds,
        curve: run_scores::points(&iterations.success),
        evaluations,
        scores,
        metrics: iterations.means,
        group_sizes: iterations.group_sizes,
        ..RunSummary::missing(
            seed.and_then(|seed| seed.as_u64()).unwrap_or(0),
            folder.display().to_string(),
        )
    };
    Ok(Folder { settings, run })
}

/// The changes of settings while a run was resumed, as one more setting of it: with others that never changed, it is not
/// to be taken together.
fn changes(folder: &Path) -> Result<Option<String>, ReportError> {
    let told = |change: &Map<String, Value>| {
        let of = |key: &str| change.get(key).map(crate::input::render_value).unwrap_or_default();
        format!(
            "{} {} → {} after iteration {}",
            of("setting"),
            of("was"),
            of("is"),
            of("iteration")
        )
    };
    let told: Vec<String> = jsonl::read(&folder.join("changes.jsonl"))?.iter().map(told).collect();
    Ok((!told.is_empty()).then(|| told.join("; ")))
}

/// Whether an evaluation was made with these settings, so that it can stand beside others that were; older lines do not
/// tell the temperature.
fn is_of(line: &Map<String, Value>, settings: &Value) -> bool {
    let is = |key: &str, of: &str| {
        line.get(key).is_none_or(|it| settings[of].is_null() || *it == settings[of])
    };
    let is_seed = |seed: &Value| settings["seeds"].as_array().is_none_or(|all| all.contains(seed));
    is("episodes", "tasks")
        && is("temperature", "temperature")
        && line.get("seed").is_none_or(is_seed)
}

/// Whether a run has made all iterations, or all environment steps, that it is asked for.
fn has_ended(learn: &Value, iterations: u64, steps: u64) -> bool {
    let asked = |key: &str| learn[key].as_u64().filter(|asked| *asked > 0);
    asked("iterations").is_none_or(|asked| iterations >= asked)
        || asked("environment_steps").is_some_and(|asked| steps >= asked)
}

/// The settings of a run.
fn config(path: &Path) -> Result<Value, ReportError> {
    let read = |source| ReportError::Read { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(read)?;
    toml::from_str(&text).map_err(|error: toml::de::Error| ReportError::Damaged {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1),
        message: arm_names::one_line(error.message()),
        advice: "leave this run out",
    })
}

/// What the run's own summary says; none while it is in training.
fn read_summary(path: &Path) -> Option<Map<String, Value>> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}
