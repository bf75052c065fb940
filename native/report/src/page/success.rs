//! Success on held-out tasks, before and after training.

use maud::{Markup, html};

use super::arm_labels::{ROWS, arm_label, arm_name, note_on_omitted_rows};
use super::key::Key;
use super::primary_metric::mean;
use super::section::{Place, small_print};
use super::table::Table;
use crate::ReportError;
use crate::figure::{Axis, Mark, Row, RowChart};
use crate::findings::{Part, Spread};

/// Kinds of tasks, as the program calls them and what that means.
const KINDS: [(&str, &str); 2] = [
    ("seen", "new tasks in surroundings that training uses"),
    ("unseen", "tasks in surroundings that training never uses"),
];

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let is_measured = |kind: usize| part.arms.iter().any(|arm| arm.success[kind].after.is_some());
    if !is_measured(0) && !is_measured(1) {
        return Ok(html! { p { "No finished run was evaluated after training." } });
    }
    Ok(html! {
        p class="finding" { (finding(part)) }
        @for kind in [0, 1] { @if is_measured(kind) { (picture(part, kind, place)?) } }
        (table(part, place))
        (small_print("After: the last evaluation of every finished run, mean over its evaluation seeds. Before: after a warm start, where there is one, and before reinforcement learning."))
    })
}

fn finding(part: &Part<'_>) -> String {
    let told = |kind: usize| {
        let measured =
            part.arms.iter().filter_map(|arm| Some((arm, arm.success[kind].after.as_ref()?)));
        let (arm, after) =
            measured.reduce(|a, b| if b.1.middle.point > a.1.middle.point { b } else { a })?;
        Some(format!(
            "on {} tasks {} ends highest with {}",
            KINDS[kind].0,
            arm_name(arm),
            after.render()
        ))
    };
    let all: Vec<_> = [0, 1].into_iter().filter_map(told).collect();
    format!("{} (interquartile mean).", all.join("; ").replacen("on", "On", 1))
}

fn picture(part: &Part<'_>, kind: usize, place: &Place<'_>) -> Result<Markup, ReportError> {
    let all = part.arms.iter().filter(|arm| arm.success[kind].after.is_some());
    let rows = all.clone().take(ROWS).filter_map(|arm| {
        let success = &arm.success[kind];
        let after = success.after.as_ref()?;
        let mut marks: Vec<_> = after.values.iter().map(|value| Mark::RunSummary(*value)).collect();
        let before = success.before.as_ref().map(|it| it.mean);
        let mut value = format!("{:.1}", 100.0 * after.mean);
        if let Some(before) = before {
            value = format!("{:.1} → {value}", 100.0 * before);
        }
        marks.push(before.map_or(Mark::Interval(after.middle), |it| Mark::Way(it, after.mean)));
        Some(Row { series: arm.series, name: arm_name(arm), marks, value })
    });
    let across = Axis::share("success, % of episodes");
    let chart = RowChart { across, reference: None, rows: rows.collect() };
    let (what, meaning) = KINDS[kind];
    let sentence = format!(
        "Success on {what} tasks ({meaning}): from before training, the open circle, to after it; means, with single runs after training as pale dots.{}",
        note_on_omitted_rows(all.count())
    );
    place.figure(&chart, &Key::None, &sentence, None)
}

fn table(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let head = [
        "arm",
        "seen, before",
        "seen, after",
        "seen, after: interquartile mean (95 %)",
        "unseen, before",
        "unseen, after",
        "unseen, after: interquartile mean (95 %)",
    ];
    let mut table =
        Table::new("Success on held-out tasks, mean ± standard deviation over runs", &head);
    for arm in &part.arms {
        let cells = arm.success.iter().flat_map(|it| {
            let [before, after] = [&it.before, &it.after].map(Option::as_ref);
            [before.map(mean), after.map(mean), after.map(Spread::render)]
        });
        table.push(arm_label(arm), cells);
    }
    place.table(&table)
}
