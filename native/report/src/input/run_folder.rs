//! Run folder of `hgpo train`, read as a run of a study.

use std::path::Path;

use hgpo_study::arm_names;
use hgpo_study::run_scores;
use hgpo_study::summary::{RunSummary, Scores, Status};
use serde_json::{Map, Value};

use super::metrics::{self, ADVICE, Iterations, read_lines};
use super::settings::{self, Settings, flattened, render_value};
use crate::ReportError;

/// The changes of settings while the run was resumed, among its settings.
pub(crate) const CHANGED: &str = "changed";

/// Reads the folder of a run, be it done or not: its settings, without the seed, and what it came to, but for its area.
///
/// # Errors
/// A file cannot be read or is damaged.
pub(super) fn read(folder: &Path) -> Result<(Settings, RunSummary), ReportError> {
    let mut settings = flattened(&config(&folder.join("config.toml"))?);
    let damaged = |name: &str, (line, message): (usize, String)| ReportError::Damaged {
        path: folder.join(name),
        line,
        message,
        advice: ADVICE,
    };
    let metrics = read_lines(&folder.join("metrics.jsonl"))?;
    metrics::check(&metrics).map_err(|problem| damaged("metrics.jsonl", problem))?;
    let iterations = Iterations::read(&metrics);
    let mut evaluations = read_lines(&folder.join("evaluations.jsonl"))?;
    for (line, number) in evaluations.iter().zip(1..) {
        metrics::check_success(line)
            .map_err(|message| damaged("evaluations.jsonl", (number, message)))?;
    }
    evaluations.retain(|line| is_of(line, &settings));
    let evaluations = iterations.evaluations(&evaluations);
    let (done, steps) = (metrics.len() as u64, iterations.steps.last().copied().unwrap_or(0));
    let told = read_summary(&folder.join("summary.json"));
    // Written at the end; a run that is asked for more has an old one.
    let is_early = told.as_ref().is_some_and(|it| {
        it.get("ended").is_some_and(|end| end == "patience")
            && it.get("iterations").is_some_and(|made| *made == done)
    });
    let is_done = is_early || told.is_some() && has_ended(&settings, done, steps);
    settings::check(folder, &settings, is_done)?;
    settings.extend(changes(folder)?.map(|told| (CHANGED.to_owned(), told.into())));
    let seed = settings.remove("seed").and_then(|seed| seed.as_u64()).unwrap_or(0);
    let counts = ["rollout.tasks", "rollout.group_size", "rollout.batches"];
    let counts = counts.into_iter().filter_map(|key| settings.get(key)?.as_u64());
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
    let mut curve = run_scores::points(&iterations.success);
    let budget = settings.get("learn.environment_steps").and_then(Value::as_u64);
    if is_early {
        run_scores::carry_forward(&mut curve, budget.unwrap_or(0));
    }
    let run = RunSummary {
        status: if is_done { Status::Finished } else { Status::Stopped },
        iterations: done,
        environment_steps: steps,
        episodes: counts.fold(done, u64::saturating_mul),
        device: device.unwrap_or_default().to_owned(),
        seconds: iterations.seconds,
        curve,
        evaluations,
        scores,
        metrics: iterations.means,
        group_sizes: iterations.group_sizes,
        ..RunSummary::missing(seed, folder.display().to_string())
    };
    Ok((settings, run))
}

/// The changes of settings while a run was resumed, as one more setting of it: with others that never changed, it is not
/// to be taken together.
fn changes(folder: &Path) -> Result<Option<String>, ReportError> {
    let told = |change: &Map<String, Value>| {
        let [setting, was, is, iteration] = ["setting", "was", "is", "iteration"]
            .map(|key| change.get(key).map(render_value).unwrap_or_default());
        format!("{setting} {was} → {is} after iteration {iteration}")
    };
    let changes = read_lines(&folder.join("changes.jsonl"))?;
    Ok(changes.iter().map(told).reduce(|told, next| told + "; " + &next))
}

/// Whether an evaluation was made with these settings, so that it can stand beside others that were; older lines do not
/// tell the temperature.
fn is_of(line: &Map<String, Value>, settings: &Settings) -> bool {
    let is = |key: &str, of: &str| {
        line.get(key).is_none_or(|it| settings.get(of).is_none_or(|of| it == of))
    };
    let seeds = settings.get("evaluation.seeds").and_then(Value::as_array);
    is("episodes", "evaluation.tasks")
        && is("temperature", "evaluation.temperature")
        && is("top_p", "evaluation.top_p")
        && line.get("seed").is_none_or(|seed| seeds.is_none_or(|all| all.contains(seed)))
}

/// Whether a run has made all iterations, or all environment steps, that it is asked for.
fn has_ended(settings: &Settings, iterations: u64, steps: u64) -> bool {
    let asked = |key: &str| settings.get(key)?.as_u64().filter(|asked| *asked > 0);
    asked("learn.iterations").is_none_or(|asked| iterations >= asked)
        || asked("learn.environment_steps").is_some_and(|asked| steps >= asked)
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
