//! Headline: the primary metric of every arm, and the probability of improvement.

use hgpo_evidence::Interval;
use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name, describe_counted_runs};
use super::section::{Place, figure, small_print};
use super::table::{Cell, Table};
use crate::ReportError;
use crate::figure::{Axis, Mark, Row, RowChart, Unit};
use crate::findings::{Finding, Part, Spread};
use crate::number_format::{count, percent, points_interval, probability_interval};

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
        @if part.finished() > 0 { (areas(part)?) (table(part)) }
        @if part.arms.iter().any(|arm| arm.improvement.is_some()) { (improvements(part)?) }
        (small_print(&explanation))
        @if let Some(few) = note_on_few_runs(part) { (small_print(&few)) }
    })
}

/// What is seen.
fn finding(part: &Part<'_>) -> String {
    let ranked = part.arms.iter().filter(|arm| arm.area.is_some());
    let best = ranked.reduce(|best, arm| if arm.rank() > best.rank() { arm } else { best });
    let (Some(best), Some(first)) = (best, part.first()) else {
        return "No run is finished, so that there is nothing to compare yet.".to_owned();
    };
    let Some(area) = &best.area else { return String::new() };
    let told = area.render();
    let (runs, best_name) = (describe_counted_runs(best), arm_name(best));
    if part.arms.len() == 1 {
        return format!(
            "{best_name} has an area under the success curve of {told}, interquartile mean of {runs}."
        );
    }
    let start = format!(
        "{best_name} has the largest area under the success curve: {told}, interquartile mean of {runs}."
    );
    let first_name = arm_name(first);
    let Some(improvement) = best.improvement else {
        let others = part.arms.iter().skip(1).filter_map(|arm| arm.improvement);
        let is_clear = others.clone().count() > 0 && others.clone().all(|it| it.high < 0.5);
        let rest = if is_clear {
            " Every other arm is less likely than not to beat it, with intervals below one half."
                .to_owned()
        } else if others.count() > 0 {
            " Not every other arm is surely behind it: see the probabilities of improvement."
                .to_owned()
        } else {
            String::new()
        };
        return start + &rest;
    };
    format!(
        "{start} The probability that a run of it does better than one of {first_name}, the first arm, is {}; {}",
        probability_interval(improvement),
        verdict(improvement)
    )
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

fn areas(part: &Part<'_>) -> Result<Markup, ReportError> {
    let arms = rows(part);
    let row = |arm: &&Finding<'_>| {
        let area = arm.area.as_ref()?;
        let runs = area.values.iter().map(|value| Mark::RunSummary(*value));
        let marks = runs.chain([Mark::Interval(area.middle)]).collect();
        let Interval { point, low, high } = area.middle;
        let value = format!("{:.1} ({:.1} to {:.1})", 100.0 * point, 100.0 * low, 100.0 * high);
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
    Ok(figure(&chart.draw(&sentence)?, &html! {}, &sentence, None))
}

fn improvements(part: &Part<'_>) -> Result<Markup, ReportError> {
    let first = part.first().map(arm_name).unwrap_or_default();
    let arms = rows(part);
    let row = |arm: &&Finding<'_>| {
        let it = arm.improvement?;
        let value = format!("{:.2} ({:.2} to {:.2})", it.point, it.low, it.high);
        Some(Row {
            series: arm.series,
            name: arm_name(arm),
            marks: vec![Mark::Interval(it)],
            value,
        })
    };
    let across = Axis { unit: Unit::Plain, ..Axis::share("probability of improvement") };
    let chart =
        RowChart { across, reference: Some(0.5), rows: arms.iter().filter_map(row).collect() };
    let sentence = format!(
        "Probability that a run has a larger area than a run of {first}; at the line, one half, neither is ahead.{}",
        note_on_omitted_rows(part)
    );
    Ok(figure(&chart.draw(&sentence)?, &html! {}, &sentence, None))
}

fn table(part: &Part<'_>) -> Markup {
    let is_paired = part.arms.iter().any(|arm| arm.difference.is_some());
    let is_compared = part.arms.len() > 1;
    let first = part.first().map(arm_name).unwrap_or_default();
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
        let mut cells = vec![
            Cell::Number(Some(arm.finished.len().to_string())),
            Cell::Number(area.map(Spread::render)),
            Cell::Number(area.map(mean)),
        ];
        if is_compared {
            let told = arm.improvement.map(probability_interval);
            cells
                .push(Cell::Number(told.or_else(|| (at == 0).then(|| "compared with".to_owned()))));
        }
        if is_paired {
            cells.push(Cell::Number(
                arm.difference
                    .map(|(it, pairs)| format!("{}, {pairs}\u{a0}pairs", points_interval(it))),
            ));
        }
        table.rows.push((arm_label(arm), cells));
    }
    html! { (table.markup()) (remarks(&first, is_compared, is_paired)) }
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
