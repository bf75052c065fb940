//! Uncounted runs, each by name, with the reason.

use hgpo_study::summary::{RunSummary, Status};
use maud::{Markup, html};

use super::arm_labels::arm_label;
use super::section::{Place, small_print};
use super::table::{Cell, Table};
use crate::findings::Part;
use crate::foreign_text;
use crate::number_format::{count, count_of};

/// The longest message that is shown whole.
const MESSAGE: usize = 600;

pub(crate) fn section(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let all = part.runs().count();
    let left_out = all - part.finished();
    if left_out == 0 {
        let runs = match all {
            0 => "there are no runs".to_owned(),
            1 => "the run is finished and counted".to_owned(),
            _ => format!("all {} are finished and counted", count_of(all, "run", "runs")),
        };
        return html! { p class="finding" { "None: " (runs) "." } };
    }
    let mut table =
        Table::new("Runs that are not counted", &["arm", "seed", "state", "iterations", "message"]);
    for arm in &part.arms {
        for run in arm.arm.runs.iter().filter(|run| run.status != Status::Finished) {
            table.rows.push((arm_label(arm), cells(run)));
        }
    }
    html! {
        p class="finding" { (count_of(left_out, "run", "runs")) " of " (all) ": " (states(part)) "." }
        (place.table(&table))
        @if part.runs().any(|(_, run)| run.status == Status::Failed) {
            (small_print("If runs fail for a reason that has to do with what they learn, the statistics above flatter their arm."))
        }
    }
}

/// How many runs are in which state.
fn states(part: &Part<'_>) -> String {
    let told =
        [Status::Failed, Status::Stopped, Status::Missing].into_iter().filter_map(|status| {
            let count = part.runs().filter(|(_, run)| run.status == status).count();
            (count > 0).then(|| format!("{count} {}", describe_status(status)))
        });
    told.collect::<Vec<_>>().join(", ")
}

fn describe_status(status: Status) -> &'static str {
    match status {
        Status::Finished => "finished",
        Status::Failed => "failed",
        Status::Stopped => "in training or stopped",
        Status::Missing => "not begun",
    }
}

fn cells(run: &RunSummary) -> Vec<Cell> {
    let message = html! { @if let Some(error) = &run.error {
        span class="message" { (foreign_text::passage(error, MESSAGE)) }
    } };
    vec![
        Cell::Number(Some(run.seed.to_string())),
        Cell::Text(html! { (describe_status(run.status)) }),
        Cell::Number(Some(count(run.iterations))),
        Cell::Text(message),
    ]
}
