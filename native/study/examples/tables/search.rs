//! Best settings of every arm: those of `learn.*` with the largest mean area over tasks and seeds.

use std::collections::BTreeMap;

use hgpo_study::text_table::TextTable;

use crate::archived_study::{ArchivedArm, ArchivedStudy};
use crate::arms::mean_and_error;

/// A choice within an arm: mean area over tasks and seeds, and its standard error over seeds.
struct Choice {
    settings: String,
    mean: f64,
    error: f64,
}

pub(crate) fn table(study: &ArchivedStudy) -> TextTable {
    let mut by_arm: BTreeMap<&str, BTreeMap<String, Vec<&ArchivedArm>>> = BTreeMap::new();
    let mut order = Vec::new();
    for arm in &study.arms {
        if !order.contains(&arm.name.as_str()) {
            order.push(&arm.name);
        }
        by_arm.entry(&arm.name).or_default().entry(searched(arm)).or_default().push(arm);
    }
    let mut made = TextTable::new(["arm", "best", "area, %", "second", "area, %", "worst, %"]);
    for name in order {
        let mut choices: Vec<Choice> =
            by_arm[name].iter().map(|(settings, arms)| choice(settings, arms)).collect();
        choices.sort_by(|left, right| right.mean.total_cmp(&left.mean));
        let shown = |it: &Choice| {
            [it.settings.clone(), format!("{:.1} ± {:.1}", 100.0 * it.mean, 100.0 * it.error)]
        };
        let (best, second) = (&choices[0], choices.get(1).unwrap_or(&choices[0]));
        let worst = choices.last().map_or(0.0, |it| 100.0 * it.mean);
        let cells = shown(best).into_iter().chain(shown(second)).chain([format!("{worst:.1}")]);
        made.rows.push([name.to_owned()].into_iter().chain(cells).collect());
    }
    made
}

/// What is searched: settings of learning, without the tasks and the estimator.
fn searched(arm: &ArchivedArm) -> String {
    let settings = arm.settings.iter().filter(|(name, _)| {
        ["learn.learning_rate", "learn.normalize_advantages"].contains(&name.as_str())
    });
    let shown = settings.map(|(name, value)| match name.as_str() {
        "learn.normalize_advantages" if *value == true => "normalised".to_owned(),
        "learn.normalize_advantages" => "as they are".to_owned(),
        _ => value.to_string(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn choice(settings: &str, arms: &[&ArchivedArm]) -> Choice {
    let seeds = arms[0].area.len();
    let tasks = arms.len() as f64;
    let means: Vec<f64> =
        (0..seeds).map(|seed| arms.iter().map(|arm| arm.area[seed]).sum::<f64>() / tasks).collect();
    let (mean, error) = mean_and_error(&means);
    Choice { settings: settings.to_owned(), mean, error }
}
