//! Archived study of `docs/studies/`: scores of every run, metrics as means of every arm.

use std::collections::BTreeMap;
use std::{fs, path::Path};

use hgpo_study::summary::{self, Status, sums};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Metrics that explain scores.
const METRICS: [&str; 9] = [
    "no_signal_fraction",
    "grad_norm",
    "advantage/std",
    "entropy",
    "kl",
    "group_size/",
    "singleton_fraction/",
    "context_inconsistency/",
    "critic/explained_variance",
];

#[derive(Serialize, Deserialize)]
#[allow(clippy::struct_field_names)] // as in `summary.json`
pub(crate) struct ArchivedStudy {
    pub(crate) study: String,
    pub(crate) environment_steps: u64,
    pub(crate) arms: Vec<ArchivedArm>,
}

/// One choice of settings. Lists have a number for every seed.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct ArchivedArm {
    /// The name of its `[arms.NAME]`, without what the grid adds.
    pub(crate) name: String,
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) seeds: Vec<u64>,
    pub(crate) area: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) seen: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unseen: Vec<f64>,
    /// `null` if a run never gets there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) steps_to_50: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) steps_to_80: Vec<Option<u64>>,
    /// Means over iterations and seeds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) metrics: BTreeMap<String, f64>,
    /// Seconds a run, by phase.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) seconds: BTreeMap<String, f64>,
    /// The most memory that a run's process held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) peak_memory_bytes: Option<u64>,
}

impl ArchivedStudy {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        read_json(path)
    }

    /// Of a study's `summary.json`; `areas`: nothing but the primary metric.
    pub(crate) fn of(summary: &Path, areas: bool) -> Result<Self, String> {
        let study: summary::StudySummary = read_json(summary)?;
        let arms =
            study.arms.iter().map(|arm| ArchivedArm::of(arm, areas)).collect::<Result<_, _>>()?;
        Ok(Self { study: study.study, environment_steps: study.environment_steps, arms })
    }

    /// With the arms of another one, of the same length and with the same seeds.
    pub(crate) fn with(mut self, more: Self) -> Result<Self, String> {
        let seeds = |study: &Self| study.arms.first().map(|arm| arm.seeds.clone());
        if self.environment_steps != more.environment_steps || seeds(&self) != seeds(&more) {
            return Err(format!("{} and {} differ in length or seeds", self.study, more.study));
        }
        self.arms.extend(more.arms);
        Ok(self)
    }

    /// A line for every arm, so that changes can be read.
    pub(crate) fn text(&self) -> String {
        let arms: Vec<String> = self.arms.iter().map(json).collect();
        let (study, steps) = (json(&self.study), self.environment_steps);
        let arms = arms.join(",\n");
        format!("{{\"study\":{study},\"environment_steps\":{steps},\"arms\":[\n{arms}\n]}}\n")
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let value = fs::read(path).and_then(|text| Ok(serde_json::from_slice(&text)?));
    value.map_err(|error| format!("{}: {error}", path.display()))
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}

impl ArchivedArm {
    fn of(arm: &summary::ArmSummary, areas: bool) -> Result<Self, String> {
        let unfinished = arm.runs.iter().filter(|run| run.status != Status::Finished).count();
        if unfinished > 0 {
            return Err(format!("{unfinished} runs of {} are not finished", arm.name));
        }
        let rounded = |value: f64| (value * 1e5).round() / 1e5;
        let all = |score: fn(&summary::RunSummary) -> Option<f64>| -> Vec<f64> {
            arm.runs.iter().filter_map(score).map(rounded).collect()
        };
        let mut kept = Self {
            name: arm.name.split(',').next().unwrap_or_default().to_owned(),
            settings: arm.settings.clone(),
            seeds: arm.runs.iter().map(|run| run.seed).collect(),
            area: all(|run| Some(run.scores.area)),
            ..Self::default()
        };
        if !areas {
            kept.seen = all(|run| run.scores.last_seen);
            kept.unseen = all(|run| run.scores.last_unseen);
            kept.steps_to_50 = arm.runs.iter().map(|run| run.scores.steps_to_50).collect();
            kept.steps_to_80 = arm.runs.iter().map(|run| run.scores.steps_to_80).collect();
            let explains = |name: &str| METRICS.iter().any(|it| name.starts_with(it));
            kept.metrics = means(arm, |run| &run.metrics, explains);
            kept.seconds = means(arm, |run| &run.seconds, |_| true);
            kept.peak_memory_bytes = arm.runs.iter().filter_map(|run| run.peak_memory_bytes).max();
        }
        Ok(kept)
    }
}

/// Means over the runs that have a number, to five digits.
fn means(
    arm: &summary::ArmSummary,
    numbers: fn(&summary::RunSummary) -> &BTreeMap<String, f64>,
    wanted: impl Fn(&str) -> bool,
) -> BTreeMap<String, f64> {
    let numbers = arm.runs.iter().flat_map(numbers).filter(|(name, _)| wanted(name));
    let sums = sums(numbers.map(|(name, number)| (name, *number)));
    let mean = |(sum, count): (f64, f64)| format!("{:.4e}", sum / count).parse().unwrap_or(0.0);
    sums.into_iter().map(|(name, it)| (name.to_owned(), mean(it))).collect()
}
