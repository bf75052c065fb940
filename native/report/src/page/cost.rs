//! Cost: time by phase, memory, speed.

use std::collections::BTreeSet;

use hgpo_study::summary::RunSummary;
use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name, note_on_undrawn_arms};
use super::section::{Place, figure, small_print};
use super::table::{Cell, Table};
use crate::figure::{Axis, Row, RowChart, Unit, parts};
use crate::findings::{Finding, Part};
use crate::number_format::{bytes, percent, seconds, significant};
use crate::{ReportError, foreign_text};

/// Phases in their order, what they are called, and their shades: neighbours differ clearly.
const PHASES: [(&str, &str, usize); 5] = [
    ("warm_start", "warm start", 0),
    ("rollout", "rollouts", 2),
    ("advantage", "advantages", 6),
    ("update", "update", 4),
    ("evaluation", "evaluation", 1),
];

/// Phases of less time than this, in seconds, are as good as none.
const LEAST: f64 = 0.001;

/// What an iteration consists of.
const ITERATION: [&str; 3] = ["rollout", "advantage", "update"];

fn time(run: &RunSummary, phases: &[&str]) -> Option<f64> {
    let known = phases.iter().filter_map(|phase| run.seconds.get(*phase));
    known.copied().reduce(|sum, own| sum + own).filter(|sum| *sum > 0.0)
}

/// The share of the advantages in the time of iterations.
fn advantage_share(run: &RunSummary) -> Option<f64> {
    Some(run.seconds.get("advantage")? / time(run, &ITERATION)?)
}

pub(super) fn section(part: &Part<'_>, _: &Place<'_>) -> Result<Markup, ReportError> {
    if part.arms.iter().all(|arm| arm.mean(|run| time(run, &ITERATION)).is_none()) {
        return Ok(html! { p { "No finished run tells its times." } });
    }
    Ok(html! {
        p class="finding" { (finding(part)) }
        (picture(part)?)
        (table(part))
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

fn phase(arm: &Finding<'_>, key: &str) -> f64 {
    arm.mean(|run| run.seconds.get(key).copied()).unwrap_or(0.0)
}

fn picture(part: &Part<'_>) -> Result<Markup, ReportError> {
    let longest =
        part.coloured().map(|(_, arm)| PHASES.iter().map(|(key, ..)| phase(arm, key)).sum::<f64>());
    let longest = longest.fold(0.0, f64::max);
    if longest <= 0.0 {
        return Ok(html! {});
    }
    let rows = part.coloured().map(|(series, arm)| {
        let widths = PHASES.map(|(key, _, shade)| (phase(arm, key), shade));
        let all: f64 = widths.iter().map(|it| it.0).sum();
        let marks = parts(widths);
        let share = arm
            .mean(advantage_share)
            .map_or(String::new(), |share| format!("; {} adv.", percent(share)));
        Row {
            series: Some(series),
            name: arm_name(arm),
            marks,
            value: format!("{}{share}", seconds(all)),
        }
    });
    let across = Axis { name: "seconds a run", range: (0.0, longest), unit: Unit::Count };
    let chart = RowChart { across, reference: None, rows: rows.collect() };
    let sentence = format!(
        "Time of a run by phase, mean over runs; at the right, the sum, and the advantages’ share of rollouts, advantages and update.{}",
        note_on_undrawn_arms(part)
    );
    let used =
        PHASES.iter().filter(|(key, ..)| part.arms.iter().any(|arm| phase(arm, key) >= LEAST));
    let key = html! { ul class="key" { @for (_, name, shade) in used {
        li { span class=(format!("shade h{shade}")) {} " " (name) }
    } } };
    Ok(figure(&chart.draw(&sentence)?, &key, &sentence, None))
}

fn table(part: &Part<'_>) -> Markup {
    let mut table = Table::new(
        "Cost of a run, mean over finished runs",
        &["arm", "total", "advantages’ share", "environment steps a second", "peak memory"],
    );
    let used: Vec<_> = PHASES
        .iter()
        .filter(|(key, ..)| part.arms.iter().any(|arm| phase(arm, key) >= LEAST))
        .collect();
    table.head.extend(used.iter().map(|(_, name, _)| (*name).to_owned()));
    for arm in &part.arms {
        let total = arm.mean(|run| run.seconds.get("total").copied());
        let speed = arm.mean(|run| Some(run.environment_steps as f64 / time(run, &ITERATION)?));
        let memory = arm.finished.iter().filter_map(|run| run.peak_memory_bytes).max();
        let mut cells = vec![
            total.map(seconds),
            arm.mean(advantage_share).map(percent),
            speed.map(significant),
            memory.map(bytes),
        ];
        cells.extend(
            used.iter()
                .map(|(key, ..)| arm.mean(|run| run.seconds.get(*key).copied()).map(seconds)),
        );
        table.rows.push((arm_label(arm), cells.into_iter().map(Cell::Number).collect()));
    }
    table.markup()
}

/// Devices and threads, which times depend on.
fn computed_on(part: &Part<'_>) -> String {
    let runs = || part.arms.iter().flat_map(|arm| &arm.finished);
    let devices: BTreeSet<String> = runs()
        .filter(|run| !run.device.is_empty())
        .map(|run| foreign_text::display_name(&run.device))
        .collect();
    let threads: BTreeSet<String> =
        runs().filter(|run| run.threads > 0).map(|run| run.threads.to_string()).collect();
    let list = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(" / ");
    let on = if devices.is_empty() {
        String::new()
    } else {
        format!(" Computed on: {}.", list(devices))
    };
    let with = if threads.is_empty() {
        String::new()
    } else {
        format!(" Worker threads a run: {}.", list(threads))
    };
    format!(
        "Environment steps a second are of rollouts, advantages and update together. Peak memory is the largest of the runs. Times depend on what else the machine does.{on}{with}"
    )
}
