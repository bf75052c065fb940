//! Section on all tasks of a study together.

use hgpo_evidence::Interval;
use maud::{Markup, html};

use super::key::{Key, label};
use super::primary_metric::improvement_figure;
use super::section::{Place, small_print};
use super::table::Table;
use crate::export::Exports;
use crate::figure::{Axis, Line, LineChart, Mark, Marks, Row, RowChart, SERIES};
use crate::findings::{Method, Overall};
use crate::number_format::{percent, percent_interval, probability_interval, short_interval};
use crate::{Options, ReportError, foreign_text};

/// The most rows of a figure.
const ROWS: usize = 40;

/// The title of the section.
pub(super) fn title(of: &Overall) -> String {
    format!("{}: {} tasks together", foreign_text::display_name(&of.study), of.tasks)
}

/// The section, the `number`th of its kind.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn section(
    of: &Overall,
    number: usize,
    (options, exports): (&Options, &Exports),
) -> Result<Markup, ReportError> {
    let place =
        Place { prefix: format!("o{number}"), key: "all-tasks", is_only: false, options, exports };
    let (id, place) = (&place.prefix, &place);
    let explanation = format!(
        "Statistics over {} tasks as rliable has them: every run on every task counts alike for the interquartile mean and the profile; the probability of improvement is the mean over tasks. Runs are drawn within each task.",
        of.tasks
    );
    Ok(html! {
        section class="part" aria-labelledby=(id) {
            h2 id=(id) { (title(of)) }
            p class="finding" { (finding(of)) }
            (areas(of, place)?)
            (table(of, place))
            @if of.methods.len() > 1 { (improvements(of, place)?) }
            (profile(of, place)?)
            (small_print(&explanation))
            @if !of.left_out.is_empty() { (small_print(&describe_left_out(of))) }
        }
    })
}

fn finding(of: &Overall) -> String {
    let ahead = |best: &'_ Method, it: &Method| it.middle.point > best.middle.point;
    let best = of.methods.iter().reduce(|best, it| if ahead(best, it) { it } else { best });
    let (Some(best), Some(first)) = (best, of.methods.first()) else { return String::new() };
    let start = format!(
        "{} has the largest area under the success curve over all tasks: {}.",
        name(best),
        percent_interval(best.middle)
    );
    let Some(improvement) = best.improvement else { return start };
    format!(
        "{start} The probability that a run of it does better than one of {} is {}.",
        name(first),
        probability_interval(improvement)
    )
}

fn name(of: &Method) -> String {
    foreign_text::display_name(&of.name)
}

fn describe_left_out(of: &Overall) -> String {
    let names: Vec<_> = of.left_out.iter().map(|name| foreign_text::display_name(name)).collect();
    format!("Left out, as they have no seed that is finished on all tasks: {}.", names.join(", "))
}

/// A row for every method, as many as fit.
fn rows(of: &Overall, told: impl Fn(&Method) -> Option<(Interval, String)>) -> Vec<Row> {
    let row = |(at, method): (usize, &Method)| {
        let (it, value) = told(method)?;
        let (series, name) = (Some(at).filter(|at| *at < SERIES), name(method));
        Some(Row { series, name, marks: vec![Mark::Interval(it)], value })
    };
    of.methods.iter().enumerate().filter_map(row).take(ROWS).collect()
}

fn note_on_omitted_rows(of: &Overall, most: usize) -> String {
    let all = of.methods.len();
    if all > most { format!(" The first {most} of {all} are drawn.") } else { String::new() }
}

fn areas(of: &Overall, place: &Place<'_>) -> Result<Markup, ReportError> {
    let rows = rows(of, |it| Some((it.middle, short_interval(it.middle, 100.0, 1))));
    let values = of.methods.iter().flat_map(|it| [it.middle.low, it.middle.high]);
    let across = Axis::share("area under the success curve, %").around(values, (0.0, 1.0));
    let sentence = format!(
        "Area under the success curve over all tasks: interquartile mean with its 95 % interval.{}",
        note_on_omitted_rows(of, ROWS)
    );
    let chart = RowChart { across, reference: None, rows };
    place.figure(&chart, &Key::None, &sentence, None)
}

fn improvements(of: &Overall, place: &Place<'_>) -> Result<Markup, ReportError> {
    let first = of.methods.first().map(name).unwrap_or_default();
    let rows = rows(of, |it| Some((it.improvement?, short_interval(it.improvement?, 1.0, 2))));
    let first = format!("{first} on the same task");
    improvement_figure(rows, &first, &note_on_omitted_rows(of, ROWS), place)
}

fn profile(of: &Overall, place: &Place<'_>) -> Result<Markup, ReportError> {
    let drawn = of.methods.iter().take(SERIES).enumerate();
    let line = |(series, it)| Line { series, name: name(it), points: &it.profile };
    let lines: Vec<Line<'_>> = drawn.map(line).collect();
    let thresholds = lines.first().map_or(&[][..], |line| line.points);
    let range =
        (thresholds.first().map_or(0.0, |it| it.0), thresholds.last().map_or(1.0, |it| it.0));
    let names = lines.iter().map(|line| (line.series, line.name.clone())).collect();
    let key = Key::Arms { names, is_needed: true };
    let across = Axis { range, ..Axis::share("area above, %") };
    let up = Axis::share("share of runs on tasks, %");
    let chart = LineChart { across, up, lines, marks: Marks::Halves };
    let sentence = format!(
        "Performance profiles over all tasks: the share of runs whose area is above a threshold, with its 95 % interval.{}",
        note_on_omitted_rows(of, SERIES)
    );
    place.figure(&chart, &key, &sentence, None)
}

fn table(of: &Overall, place: &Place<'_>) -> Markup {
    let head = [
        "arm",
        "seeds on all tasks",
        "interquartile mean (95 %)",
        "mean of the tasks’ means",
        "probability of improvement (95 %)",
    ];
    let mut table = Table::new("Area under the success curve over all tasks", &head);
    for (at, method) in of.methods.iter().enumerate() {
        let compared = method.improvement.map(probability_interval);
        let cells = [
            Some(method.seeds.to_string()),
            Some(percent_interval(method.middle)),
            Some(percent(method.mean)),
            compared.or_else(|| (at == 0).then(|| "compared with".to_owned())),
        ];
        table.push(label(&name(method), Some(at).filter(|at| *at < SERIES)), cells);
    }
    place.table(&table)
}
