//! Group diagnostics, which say why arms differ: sizes of groups, steps without signal, weights, gradients.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name};
use super::groups;
use super::section::{Place, small_print};
use super::table::Table;
use crate::ReportError;
use crate::findings::Part;
use crate::number_format::{percent, significant};

/// How a metric is read.
type Render = fn(f64) -> String;

/// What stands before and after the level in a metric's key, what it is, and how it is read.
type OfLevel = (&'static str, &'static str, &'static str, Render);

/// Metrics of a level.
const OF_LEVELS: [OfLevel; 4] = [
    ("group_size/", "/mean", "steps per group", significant),
    ("singleton_fraction/", "", "steps alone in their group", percent),
    ("zero_std_fraction/", "", "steps in groups of equal returns", percent),
    ("weight/", "/mean", "weight", percent),
];

/// Whether histories differ in groups of equal states, and whether that matters.
const INCONSISTENCY: [OfLevel; 4] = [
    ("context_inconsistency/", "/split_fraction", "groups that are split", percent),
    ("context_inconsistency/", "/explained", "spread that the split explains", percent),
    ("context_inconsistency/", "/by_chance", "by chance", percent),
    ("context_inconsistency/", "/beyond_chance", "beyond chance", percent),
];

/// Metrics of all steps.
const OF_ALL: [(&str, &str, Render); 6] = [
    ("no_signal_fraction", "steps without signal", percent),
    ("advantage/std", "deviation of advantages", significant),
    ("grad_norm", "norm of the gradient", significant),
    ("kl", "divergence, nats a token", significant),
    ("entropy", "entropy, nats a token", significant),
    ("episode_length/mean", "steps per episode", significant),
];

pub(crate) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    if part.arms.iter().all(|arm| arm.finished.iter().all(|run| run.metrics.is_empty())) {
        return Ok(html! { p { "No finished run holds metrics." } });
    }
    let levels = levels(part);
    Ok(html! {
        p class="finding" { (finding(part)) }
        (metrics_table(part, place))
        @if !levels.is_empty() {
            (place.subheading("Groups of every level"))
            @if let Some(table) = levels_table(part, &levels, "Groups of every level, arm by arm", &OF_LEVELS) { (place.table(&table)) }
            (small_print("Level k compares steps that share their last k + 1 states. A step that is alone in its group, or in a group of equal returns, learns nothing from it. Weights are means over all steps, 0 where a level is left out."))
        }
        (groups::histograms(part, place)?)
        @if let Some(table) = levels_table(part, &levels, "Context inconsistency of every level, arm by arm", &INCONSISTENCY) {
            (place.subheading("Context inconsistency"))
            (place.table(&table))
            (small_print("Groups of equal states whose steps have different histories are split at level k. Beyond chance: how much of the spread of returns in split groups lies between their parts, less what any such split would explain; around 0, histories do not matter, towards 100 % they decide."))
        }
        (small_print("Means over the iterations of every finished run, then over runs."))
    })
}

/// What is seen.
fn finding(part: &Part<'_>) -> String {
    let told = |key: &str, render: Render| {
        let known = part.arms.iter().filter_map(|arm| Some((arm, arm.metric(key)?)));
        let low = known.clone().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let high = known.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let [low_name, high_name] = [low.0, high.0].map(arm_name);
        let [low, high] = [low.1, high.1].map(render);
        Some(if low == high {
            if part.arms.len() == 1 { high } else { format!("{high} in every arm that has it") }
        } else {
            format!("from {low} ({low_name}) to {high} ({high_name})")
        })
    };
    let parts: [(&str, &str, Render); 3] = [
        ("Norm of the gradient", "grad_norm", significant),
        ("steps alone with their state", "singleton_fraction/level_0", percent),
        ("steps whose state always came to the same return", "zero_std_fraction/level_0", percent),
    ];
    let all = parts
        .into_iter()
        .filter_map(|(what, key, render)| Some(format!("{what}: {}", told(key, render)?)));
    let all: Vec<_> = all.collect();
    if all.is_empty() { String::new() } else { format!("{}.", all.join("; ")) }
}

fn metrics_table(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let known =
        OF_ALL.iter().filter(|(key, ..)| part.arms.iter().any(|arm| arm.metric(key).is_some()));
    let known: Vec<_> = known.collect();
    let mut table = Table::new("Signal and update, arm by arm", &["arm"]);
    table.head.extend(known.iter().map(|(_, what, _)| (*what).to_owned()));
    for arm in &part.arms {
        table
            .push(arm_label(arm), known.iter().map(|(key, _, render)| arm.metric(key).map(render)));
    }
    place.table(&table)
}

/// The levels of which there are metrics.
fn levels(part: &Part<'_>) -> Vec<String> {
    let keys = part.arms.iter().flat_map(|arm| &arm.finished).flat_map(|run| run.metrics.keys());
    let level = |key: &String| {
        let (_, rest) = key.split_once("/level_")?;
        rest.split('/').next()?.parse::<u32>().ok()
    };
    let levels: BTreeSet<u32> = keys.filter_map(level).collect();
    levels.into_iter().map(|level| level.to_string()).collect()
}

/// A row for every arm and level that has one of the metrics; none without any.
fn levels_table(
    part: &Part<'_>,
    levels: &[String],
    caption: &str,
    metrics: &[OfLevel],
) -> Option<Table> {
    let mut table = Table::new(caption, &["arm", "level"]);
    table.head.extend(metrics.iter().map(|(.., what, _)| (*what).to_owned()));
    for arm in &part.arms {
        for level in levels {
            let of = |(before, after, _, render): &OfLevel| {
                arm.metric(&format!("{before}level_{level}{after}")).map(render)
            };
            let cells: Vec<Option<String>> = metrics.iter().map(of).collect();
            if cells.iter().any(Option::is_some) {
                table.push(arm_label(arm), [Some(level.clone())].into_iter().chain(cells));
            }
        }
    }
    Some(table).filter(|table| !table.rows.is_empty())
}
