//! Cost: time by phase, memory, speed.

use std::collections::BTreeSet;

use hgpo_study::summary::{ITERATION_PHASES, RunSummary};
use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name, note_on_undrawn_arms};
use super::key::Key;
use super::section::{Place, small_print};
use super::table::Table;
use crate::figure::{Axis, Row, RowChart, Unit, parts};
use crate::findings::{Finding, Part};
use crate::number_format::{bytes, percent, seconds, significant};
use crate::{ReportError, foreign_text};

/// A phase as summaries call it, as readers do, and its shade.
type Phase = (&'static str, &'static str, usize);

/// Phases in their order: the shades of neighbours differ clearly.
const PHASES: [Phase; 5] = [
    ("warm_start", "warm start", 0),
    ("rollout", "rollouts", 2),
    ("advantage", "advantages", 6),
    ("update", "update", 4),
    ("evaluation", "evaluation", 1),
];

/// Phases of less time than this, in seconds, are as good as none.
const LEAST: f64 = 0.001;

fn time(run: &RunSummary, phases: &[&str]) -> Option<f64> {
    let known = phases.iter().filter_map(|phase| run.seconds.get(*phase));
    known.copied().reduce(|sum, own| sum + own).filter(|sum| *sum > 0.0)
}

/// The share of the advantages in the time of iterations.
fn advantage_share(run: &RunSummary) -> Option<f64> {
    Some(run.seconds.get("advantage")? / time(run, &ITERATION_PHASES)?)
}

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    if part.arms.iter().all(|arm| arm.mean(|run| time(run, &ITERATION_PHASES)).is_none()) {
        return Ok(html! { p { "No finished run tells its times." } });
    }
    Ok(html! {
        p class="finding" { (finding(part)) }
        (picture(part, place)?)
        (table(part, place))
        (small_print(&computed_on(part)))
    })
}

fn finding(part: &Part<'_>) -> String {
    let known = part.arms.iter().filter_map(|arm| Some((arm, arm.mean(advantage_share)?)));
    let low = known.clone().min_by(|a, b| a.1.total_cmp(&b.1));
    let high = known.max_by(|a, b| a.1.total_cmp(&b.1));
    match (low, high) {
        (Some(low), Some(high)) if part.arms.len() > 1 => format!(
            "Estimating advantages takes from {} ({}) to {} ({}) of an iteration’s time.",
            percent(low.1),
            arm_name(low.0),
            percent(high.1),
            arm_name(high.0)
        ),
        (Some(only), _) => {
            format!("Estimating advantages takes {} of an iteration’s time.", percent(only.1))
        }
        _ => "The runs do not tell how long advantages take.".to_owned(),
    }
}

fn phase(arm: &Finding<'_>, key: &str) -> Option<f64> {
    arm.mean(|run| run.seconds.get(key).copied())
}

/// The phases that take time in some arm.
fn used_phases(part: &Part<'_>) -> Vec<Phase> {
    let takes_time = |arm: &Finding<'_>, key| phase(arm, key).is_some_and(|time| time >= LEAST);
    let is_used = |(key, ..): &Phase| part.arms.iter().any(|arm| takes_time(arm, key));
    PHASES.into_iter().filter(is_used).collect()
}

fn picture(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let widths =
        |arm: &Finding<'_>| PHASES.map(|(key, _, shade)| (phase(arm, key).unwrap_or(0.0), shade));
    let total = |arm: &Finding<'_>| widths(arm).iter().map(|it| it.0).sum::<f64>();
    let longest = part.coloured().map(|(_, arm)| total(arm)).fold(0.0, f64::max);
    if longest <= 0.0 {
        return Ok(html! {});
    }
    let rows = part.coloured().map(|(series, arm)| {
        let mut value = seconds(total(arm));
        if let Some(share) = arm.mean(advantage_share) {
            value = format!("{value}; {} adv.", percent(share));
        }
        Row { series: Some(series), name: arm_name(arm), marks: parts(widths(arm)), value }
    });
    let across = Axis { name: "seconds per run", range: (0.0, longest), unit: Unit::Count };
    let chart = RowChart { across, reference: None, rows: rows.collect() };
    let sentence = format!(
        "Time of a run by phase, mean over runs; at the right, the sum, and the advantages’ share of rollouts, advantages and update.{}",
        note_on_undrawn_arms(part)
    );
    let shades = used_phases(part).into_iter().map(|(_, name, shade)| (shade, name.to_owned()));
    let key = Key::Shades(shades.collect());
    place.figure(&chart, &key, &sentence, None)
}

fn table(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let mut table = Table::new(
        "Cost of a run, mean over finished runs",
        &["arm", "total", "advantages’ share", "environment steps per second", "peak memory"],
    );
    let used = used_phases(part);
    table.head.extend(used.iter().map(|(_, name, _)| (*name).to_owned()));
    for arm in &part.arms {
        let speed =
            arm.mean(|run| Some(run.environment_steps as f64 / time(run, &ITERATION_PHASES)?));
        let memory = arm.finished.iter().filter_map(|run| run.peak_memory_bytes).max();
        let mut cells = vec![
            phase(arm, "total").map(seconds),
            arm.mean(advantage_share).map(percent),
            speed.map(significant),
            memory.map(bytes),
        ];
        cells.extend(used.iter().map(|(key, ..)| phase(arm, key).map(seconds)));
        table.push(arm_label(arm), cells);
    }
    place.table(&table)
}

/// Devices and threads, which times depend on.
fn computed_on(part: &Part<'_>) -> String {
    let runs = || part.arms.iter().flat_map(|arm| &arm.finished);
    let devices = runs().map(|run| &run.device).filter(|device| !device.is_empty());
    let threads = runs().map(|run| run.threads).filter(|threads| *threads > 0);
    let list = |what: &str, all: BTreeSet<String>| {
        let all = all.into_iter().reduce(|all, next| all + " / " + &next);
        all.map(|all| format!(" {what}: {all}.")).unwrap_or_default()
    };
    format!(
        "Environment steps per second are of rollouts, advantages and update together. Peak memory is the largest of the runs. Times depend on what else the machine does.{}{}",
        list("Computed on", devices.map(|it| foreign_text::display_name(it)).collect()),
        list("Worker threads a run", threads.map(|it| it.to_string()).collect())
    )
}
