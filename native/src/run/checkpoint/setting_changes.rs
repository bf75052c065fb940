//! Setting changes of a resumed run: those that are refused, as the weights of its checkpoint were made with these settings,
//! and those that are recorded, with their iteration, so that nobody takes it for a run that had its last settings from the
//! start.

use std::fmt;
use std::path::Path;

use hgpo_study::settings::{flattened, is_immutable, is_outside_training};
use hgpo_train::config::Config;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::run::{Checkpoint, JsonlLog, RunDirectory, RunError, if_exists};

/// A setting that training goes by, and that is another one after an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SettingChange {
    /// Iterations done before.
    pub iteration: u64,
    /// The setting, as `table.key`.
    pub setting: String,
    /// Its value until then.
    pub was: Value,
    /// Its value from then on.
    pub is: Value,
}

impl fmt::Display for SettingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { iteration, setting, was, is } = self;
        write!(f, "{setting} was {was} and is {is} after iteration {iteration}")
    }
}

/// Checks settings against those that a checkpoint was made with, if it says so.
///
/// # Errors
/// Names the first fixed setting that is another one, and what it was.
pub(crate) fn check(checkpoint: &Checkpoint, now: &Config) -> Result<(), RunError> {
    let Some(was) = checkpoint.settings() else { return Ok(()) };
    let refused = |reason: String| RunError::Settings { path: checkpoint.path.clone(), reason };
    let was: Table = was.parse().map_err(|error: toml::de::Error| refused(error.to_string()))?;
    let now = Table::try_from(now).map_err(|error| refused(error.to_string()))?;
    let mut all = differences(&was, &now).into_iter();
    match all.find(|(setting, ..)| is_immutable(setting)) {
        Some((setting, was, now)) => Err(refused(format!("{setting} was {was} and is {now}"))),
        None => Ok(()),
    }
}

/// Records how the settings differ from those of the checkpoint that a run goes on from, in place of what was recorded
/// there or later; the changes of this moment.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn record(
    directory: &RunDirectory,
    newest: Option<&Checkpoint>,
    now: &Config,
) -> Result<Vec<SettingChange>, RunError> {
    let path = directory.changes();
    let iteration = newest.map_or(0, |checkpoint| checkpoint.iteration);
    let mut lines = JsonlLog::open(&path, |change: SettingChange| change.iteration < iteration)?;
    let was = newest.and_then(Checkpoint::settings);
    let changes = was.map(|was| between(iteration, &was, now)).unwrap_or_default();
    changes.iter().try_for_each(|change| lines.append(change))?;
    lines.synchronise()?;
    Ok(changes)
}

/// Refuses settings that a run is resumed with although nothing is left to train, so that it would be called by them and
/// was made with others.
///
/// # Errors
/// Names the first of them.
pub(crate) fn refuse_without_effect(
    newest: Option<&Checkpoint>,
    now: &Config,
    has_ended: bool,
) -> Result<(), RunError> {
    let Some((checkpoint, was)) = newest.and_then(|it| Some((it, it.settings()?))) else {
        return Ok(());
    };
    let done = checkpoint.iteration;
    // Fewer iterations are the end of a run.
    match between(done, &was, now).into_iter().find(|it| it.setting != "learn.iterations") {
        Some(SettingChange { setting, .. }) if has_ended => {
            Err(RunError::NothingLeft { done, setting })
        }
        _ => Ok(()),
    }
}

/// The changes of a run; none if there is no file.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub(crate) fn read(path: &Path) -> Result<Vec<SettingChange>, RunError> {
    let text = if_exists(std::fs::read_to_string(path)).map_err(RunError::read(path))?;
    let lines = text.iter().flat_map(|text| text.lines());
    let changes: Result<_, serde_json::Error> = lines.map(serde_json::from_str).collect();
    changes.map_err(|error| RunError::read(path)(error.into()))
}

/// The settings that differ, of those that iterations went by which are done.
fn between(iteration: u64, was: &str, now: &Config) -> Vec<SettingChange> {
    let (Ok(was), Ok(of_now)) = (was.parse::<Table>(), Table::try_from(now)) else {
        // Settings that cannot be compared are refused before.
        return Vec::new();
    };
    let of_was = Config::deserialize(was.clone()).ok();
    let rates_are_the_same = of_was.is_some_and(|was| {
        let rate = |config: &Config, at| config.learn.learning_rate_of(at).to_bits();
        (1..=iteration).all(|at| rate(&was, at) == rate(now, at))
    });
    let matters = |setting: &str| match setting {
        "learn.environment_steps" | "learn.patience" => false,
        // If the rate falls towards the end, it was another one.
        "learn.iterations" => !rates_are_the_same,
        other => !is_outside_training(other),
    };
    let differences = differences(&was, &of_now).into_iter();
    let of_past = differences.filter(|(setting, ..)| iteration > 0 && matters(setting));
    of_past.map(|(setting, was, is)| SettingChange { iteration, setting, was, is }).collect()
}

/// The settings that differ, with both of their values. If one of two tables lacks a setting, another version
/// wrote it, which is no change.
fn differences(was: &Table, now: &Table) -> Vec<(String, Value, Value)> {
    let now = flattened(now);
    let both = flattened(was).into_iter().filter_map(|(name, was)| {
        let now = now.get(&name)?.clone();
        Some((name, was, now))
    });
    both.filter(|(_, was, now)| was != now).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_that_past_iterations_depended_on_are_recorded() {
        let mut now = Config::default();
        now.learn.final_learning_rate_fraction = 0.5;
        let was = toml::to_string(&now).unwrap();
        now.learn.learning_rate *= 2.0;
        now.learn.iterations += 1;
        now.learn.environment_steps += 1;
        now.evaluation.tasks += 1;
        now.checkpoint.every += 1;
        let told = |iteration, was: &str, now: &Config| -> Vec<String> {
            between(iteration, was, now).into_iter().map(|it| it.setting).collect()
        };
        assert_eq!(told(7, &was, &now), ["learn.iterations", "learn.learning_rate"]);
        // Before the first iteration, a run is what it will be.
        assert_eq!(told(0, &was, &now), <[&str; 0]>::default());
        // The first iteration has the whole rate however long a run is.
        let was = toml::to_string(&now).unwrap();
        now.learn.iterations += 1;
        assert_eq!(told(1, &was, &now), <[&str; 0]>::default());
        assert_eq!(told(2, &was, &now), ["learn.iterations"]);
        now.learn.final_learning_rate_fraction = 1.0;
        let was = toml::to_string(&now).unwrap();
        now.learn.iterations += 1;
        assert_eq!(told(7, &was, &now), <[&str; 0]>::default());
    }

    #[test]
    fn differences_are_named_with_both_values() {
        let of = |text: &str| -> Table { text.parse().unwrap() };
        let was = of("a = 1\nb.c = [1, 2]\nb.d = 3\nold = 1");
        let told = |now: &str| -> Vec<String> {
            let all = differences(&was, &of(now)).into_iter();
            all.map(|(setting, was, now)| format!("{setting}: {was}, {now}")).collect()
        };
        assert_eq!(told("a = 1\nb.c = [1, 2]\nb.d = 3\nnew = 1"), <[&str; 0]>::default());
        assert_eq!(told("a = 1\nb.c = [1, 3]\nb.d = 4"), ["b.c: [1, 2], [1, 3]", "b.d: 3, 4"]);
    }
}
