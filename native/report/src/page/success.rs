//! Success on held-out tasks, before and after training.

use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name};
use super::primary_metric::mean;
use super::section::{Place, figure, small_print};
use super::table::{Cell, Table};
use crate::ReportError;
use crate::figure::{Axis, Mark, Row, RowChart};
use crate::findings::{Part, Spread};

/// The most rows of a figure.
const ROWS: usize = 20;

/// Kinds of tasks, as the program calls them and what that means.
const KINDS: [(&str, &str); 2] = [
    ("seen", "new tasks in surroundings that training uses"),
    ("unseen", "tasks in surroundings that training never uses"),
];

pub(super) fn section(part: &Part<'_>, _: &Place<'_>) -> Result<Markup, ReportError> {
    let is_measured = |kind: usize| part.arms.iter().any(|arm| arm.success[kind].after.is_some());
    if !is_measured(0) && !is_measured(1) {
        return Ok(html! { p { "No finished run was evaluated after training." } });
    }
    Ok(html! {
        p class="finding" { (finding(part)) }
        @for kind in [0, 1] { @if is_measured(kind) { (picture(part, kind)?) } }
        (table(part))
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
    let text = all.join("; ");
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{} (interquartile mean).", letters.as_str())
}

fn picture(part: &Part<'_>, kind: usize) -> Result<Markup, ReportError> {
    let all = part.arms.iter().filter(|arm| arm.success[kind].after.is_some());
    let rows = all.clone().take(ROWS).filter_map(|arm| {
        let success = &arm.success[kind];
        let after = success.after.as_ref()?;
        let mut marks: Vec<_> = after.values.iter().map(|value| Mark::RunSummary(*value)).collect();
        let before = success.before.as_ref().map(|it| it.mean);
        marks.push(
            before.map_or(Mark::Interval(after.middle), |before| Mark::Way(before, after.mean)),
        );
        let told = before.map(|before| format!("{:.1} → ", 100.0 * before)).unwrap_or_default();
        let value = format!("{told}{:.1}", 100.0 * after.mean);
        Some(Row { series: arm.series, name: arm_name(arm), marks, value })
    });
    let chart = RowChart {
        across: Axis::share("success, % of episodes"),
        reference: None,
        rows: rows.collect(),
    };
    let cut = if all.count() > ROWS {
        format!(" The first {ROWS} arms are drawn; the table has all.")
    } else {
        String::new()
    };
    let (what, meaning) = KINDS[kind];
    let sentence = format!(
        "Success on {what} tasks ({meaning}): from before training, the open circle, to after it; means, with single runs after training as pale dots.{cut}"
    );
    Ok(figure(&chart.draw(&sentence)?, &html! {}, &sentence, None))
}

fn table(part: &Part<'_>) -> Markup {
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
            let told = |spread: &Option<Spread>| Cell::Number(spread.as_ref().map(mean));
            let middle = it.after.as_ref().map(Spread::render);
            [told(&it.before), told(&it.after), Cell::Number(middle)]
        });
        table.rows.push((arm_label(arm), cells.collect()));
    }
    table.markup()
}
