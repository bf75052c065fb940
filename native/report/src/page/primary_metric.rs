//! Headline: the primary metric of every arm, and the probability of improvement.

use hgpo_evidence::Interval;
use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name, describe_counted_runs};
use super::key::Key;
use super::section::{Place, small_print};
use super::table::Table;
use crate::ReportError;
use crate::figure::{Axis, Mark, Row, RowChart, Unit};
use crate::findings::{Finding, Part, Spread};
use crate::number_format::{count, percent, points_interval, probability_interval, short_interval};

/// The most rows of a figure.
const ROWS: usize = 40;

/// Fewer runs have intervals that are too short.
const ENOUGH: usize = 10;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let resamples = count(place.options.bootstrap.resamples as u64);
    let explanation = format!(
        "The area under the success curve is the mean success in training from the first to the last environment step of the budget. Intervals are 95 % percentile intervals of a stratified bootstrap with {resamples} resamples (rliable’s definitions)."
    );
    Ok(html! {
        p class="finding" { (finding(part)) }
        @if part.finished() > 0 { (areas(part, place)?) (table(part, place)) }
        @if part.arms.iter().any(|arm| arm.improvement.is_some()) { (improvements(part, place)?) }
        (small_print(&explanation))
        @if let Some(few) = note_on_few_runs(part) { (small_print(&few)) }
    })
}

/// What is seen.
fn finding(part: &Part<'_>) -> String {
    let ranked = part.arms.iter().filter(|arm| arm.area.is_some());
    let best = ranked.reduce(|best, arm| if arm.rank() > best.rank() { arm } else { best });
    let Some((best, area)) = best.and_then(|best| Some((best, best.area.as_ref()?))) else {
        return "No run is finished, so that there is nothing to compare yet.".to_owned();
    };
    let (runs, best_name) = (describe_counted_runs(best), arm_name(best));
    let has = if part.arms.len() == 1 {
        "an area under the success curve of"
    } else {
        "the largest area under the success curve:"
    };
    let start = format!("{best_name} has {has} {}, interquartile mean of {runs}.", area.render());
    if let Some(improvement) = best.improvement {
        return format!(
            "{start} The probability that a run of it does better than one of {}, the first arm, is {}; {}",
            arm_name(&part.arms[0]),
            probability_interval(improvement),
            verdict(improvement)
        );
    }
    let others: Vec<_> = part.arms.iter().skip(1).filter_map(|arm| arm.improvement).collect();
    let rest = if others.is_empty() {
        ""
    } else if others.iter().all(|it| it.high < 0.5) {
        " Every other arm is less likely than not to beat it, with intervals below one half."
    } else {
        " Not every other arm is surely behind it: see the probabilities of improvement."
    };
    start + rest
}

/// What an interval of a probability of improvement says.
fn verdict(it: Interval) -> &'static str {
    match it {
        _ if it.low > 0.5 => "the interval is above one half.",
        _ if it.high < 0.5 => "the interval is below one half.",
        _ => "the interval holds one half, so that these runs do not tell which is better.",
    }
}

/// A remark on arms of few runs.
fn note_on_few_runs(part: &Part<'_>) -> Option<String> {
    let fewest = part.arms.iter().map(|arm| arm.finished.len()).filter(|runs| *runs > 0).min()?;
    match fewest {
        1 => Some(
            "Of a single run there is no interval: it says nothing about other seeds.".to_owned(),
        ),
        2..ENOUGH => Some(format!(
            "With {fewest} runs an arm, intervals are too short: trust them from about {ENOUGH} runs on."
        )),
        _ => None,
    }
}

/// The rows of a figure: all arms, or as many as fit.
fn rows<'a, 'b>(part: &'b Part<'a>) -> Vec<&'b Finding<'a>> {
    let mut arms: Vec<_> = part.arms.iter().filter(|arm| arm.area.is_some()).collect();
    if arms.len() > ROWS {
        arms.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        arms.truncate(ROWS);
    }
    arms
}

/// What is to be said if arms have no row.
fn note_on_omitted_rows(part: &Part<'_>) -> String {
    let all = part.arms.iter().filter(|arm| arm.area.is_some()).count();
    if all > ROWS {
        format!(" The {ROWS} best of {all} arms are drawn; the table has all.")
    } else {
        String::new()
    }
}

fn areas(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let arms = rows(part);
    let row = |arm: &&Finding<'_>| {
        let area = arm.area.as_ref()?;
        let runs = area.values.iter().map(|value| Mark::RunSummary(*value));
        let marks = runs.chain([Mark::Interval(area.middle)]).collect();
        let value = short_interval(area.middle, 100.0, 1);
        Some(Row { series: arm.series, name: arm_name(arm), marks, value })
    };
    let values = arms
        .iter()
        .filter_map(|arm| arm.area.as_ref())
        .flat_map(|area| area.values.iter().copied().chain([area.middle.low, area.middle.high]));
    let across = Axis::share("area under the success curve, %").around(values, (0.0, 1.0));
    let chart = RowChart { across, reference: None, rows: arms.iter().filter_map(row).collect() };
    let sentence = format!(
        "Area under the success curve: interquartile mean with its interval; pale dots are single runs.{}",
        note_on_omitted_rows(part)
    );
    place.figure(&chart, &Key::None, &sentence, None)
}

fn improvements(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let first = part.arms.first().map(arm_name).unwrap_or_default();
    let row = |arm: &Finding<'_>| {
        let it = arm.improvement?;
        let (marks, value) = (vec![Mark::Interval(it)], short_interval(it, 1.0, 2));
        Some(Row { series: arm.series, name: arm_name(arm), marks, value })
    };
    let rows = rows(part).into_iter().filter_map(row).collect();
    improvement_figure(rows, &first, &note_on_omitted_rows(part), place)
}

/// The figure of probabilities of improvement over `first`.
///
/// # Errors
/// It cannot be drawn.
pub(super) fn improvement_figure(
    rows: Vec<Row>,
    first: &str,
    note: &str,
    place: &Place<'_>,
) -> Result<Markup, ReportError> {
    let across = Axis { unit: Unit::Plain, ..Axis::share("probability of improvement") };
    let chart = RowChart { across, reference: Some(0.5), rows };
    let sentence = format!(
        "Probability that a run has a larger area than a run of {first}; at the line, one half, neither is ahead.{note}"
    );
    place.figure(&chart, &Key::None, &sentence, None)
}

fn table(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let is_paired = part.arms.iter().any(|arm| arm.difference.is_some());
    let is_compared = part.arms.len() > 1;
    let first = part.arms.first().map(arm_name).unwrap_or_default();
    let mut head = vec!["arm", "runs", "interquartile mean (95 %)", "mean ± deviation"];
    if is_compared {
        head.push("probability of improvement (95 %)");
    }
    if is_paired {
        head.push("paired difference, points (95 %)*");
    }
    let mut table = Table::new("Area under the success curve of every arm", &head);
    for (at, arm) in part.arms.iter().enumerate() {
        let area = arm.area.as_ref();
        let runs = arm.finished.len().to_string();
        let mut cells = vec![Some(runs), area.map(Spread::render), area.map(mean)];
        if is_compared {
            let told = arm.improvement.map(probability_interval);
            cells.push(told.or_else(|| (at == 0).then(|| "compared with".to_owned())));
        }
        if is_paired {
            let told = |(it, pairs)| format!("{}, {pairs}\u{a0}pairs", points_interval(it));
            cells.push(arm.difference.map(told));
        }
        table.push(arm_label(arm), cells);
    }
    html! { (place.table(&table)) (remarks(&first, is_compared, is_paired)) }
}

/// What is to be said of the comparisons of the table.
fn remarks(first: &str, is_compared: bool, is_paired: bool) -> Markup {
    html! {
        @if is_compared {
            (small_print(&format!("Probability of improvement: over {first}, with runs drawn independently of each other, as rliable does.")))
        }
        @if is_paired {
            (small_print(&format!("* Interquartile mean less that of {first} over the seeds that both have, drawn in pairs: where seeds share their luck this is sharper, but it is not rliable’s.")))
        }
    }
}

/// `57.5 % ± 4.1`; a single run has no deviation.
pub(super) fn mean(it: &Spread) -> String {
    let deviation = it.deviation.map(|deviation| format!("\u{a0}±\u{a0}{:.1}", 100.0 * deviation));
    percent(it.mean) + &deviation.unwrap_or_default()
}
