//! Exhibit of the truth: the estimates of a step beside what is true of it, and how they are spread.

use super::{Found, Shown};
use crate::explore::view::controls::is_shown_first;
use crate::export::{Axis, Bar, Chart, Exhibit, Panel, Table};
use crate::model::{Explained, number};
use crate::text::{self, truth as words};
use hgpo_core::Comparison;
use hgpo_core::process::simulation::{Bins, EstimateSummary};

/// What a comparison's advantage is called, or the advantage itself.
pub(super) fn index(comparison: Comparison) -> String {
    match (comparison, comparison.level()) {
        (Comparison::Episode, _) => "E".to_owned(),
        (_, Some(level)) => level.0.to_string(),
        _ => "\u{2200}".to_owned(),
    }
}

fn name(comparison: Option<Comparison>) -> String {
    comparison.map_or_else(|| "A".to_owned(), |own| ["A_", &index(own)].concat())
}

/// The table of the estimates and, once many groups were drawn, a histogram of each.
pub(super) fn exhibit(shown: &Shown) -> Exhibit {
    let of = &shown.of;
    let cell = of.selected;
    let step = text::step_name(&of.task.rows()[cell.row].trajectory, cell.step);
    let explained = Explained::new(&of.task, cell, &of.controls);
    let terms = explained.explanation.terms.iter().map(|term| {
        let said = term.skipped.is_none() && !term.alone;
        (Some(term.comparison), said.then_some(term.advantage))
    });
    let lines: Vec<_> = terms.chain([(None, Some(explained.explanation.advantage))]).collect();
    let (decision, truth) = match shown.found {
        Found::Known { decision, advantage, .. } => (Some(decision), Some(advantage)),
        _ => (None, None),
    };
    let study = shown.study.as_ref();
    let own = study.zip(decision).and_then(|(study, decision)| study.of(decision));
    let summary = |comparison: Option<Comparison>| {
        own.and_then(|own| own.said.iter().find(|said| said.comparison == comparison))
    };
    // The truth stands on the axis of estimates that have its unit.
    let beside = truth.filter(|_| super::view::has_unit(&of.controls));
    let mut panels = vec![Panel::Table(Table {
        title: String::new(),
        head: ["", words::here(), words::mean(), words::bias(), words::spread()]
            .map(str::to_owned)
            .to_vec(),
        rows: lines
            .iter()
            .map(|line| row(*line, summary(line.0)))
            .chain(truth.map(of_truth))
            .collect(),
    })];
    let mut numbers = vec![
        "comparison,estimate,mean,bias,spread,count,from,to,drawn"
            .split(',')
            .map(str::to_owned)
            .collect(),
    ];
    for line in &lines {
        let said = summary(line.0);
        let bins = study.map(|study| &study.bins);
        numbers.extend(numbers_of(*line, said, bins));
        if let Some((said, bins)) = said.zip(bins) {
            panels.push(Panel::Chart(chart(&name(line.0), said, bins, beside)));
        }
    }
    if let Some(truth) = truth {
        let mut line = vec![String::new(); 9];
        (line[0], line[1]) = ("truth".to_owned(), truth.to_string());
        numbers.push(line);
    }
    let mut notes = Vec::new();
    if let Some((study, own)) = study.zip(own) {
        notes.push(words::drawn([study.samples, study.attempts, own.steps]));
    }
    if beside.is_none() {
        notes.push(words::other_unit().to_owned());
    }
    Exhibit {
        name: [&*of.task.name, "-truth"].concat(),
        title: [text::estimate_and_truth(), ": ", &step].concat(),
        settings: text::settings(&of.controls, &is_shown_first),
        panels,
        notes,
        numbers,
    }
}

fn told(value: Option<f64>) -> String {
    value.map_or_else(|| "\u{2013}".to_owned(), |value| number::short(value, 3))
}

fn row(
    (comparison, estimate): (Option<Comparison>, Option<f64>),
    said: Option<&EstimateSummary>,
) -> Vec<String> {
    let mean = said.map(|said| said.estimates.mean);
    let (bias, spread) =
        (said.and_then(|said| said.bias), said.and_then(|said| said.estimates.spread));
    let values = [estimate, mean, bias, spread].map(told);
    std::iter::once(name(comparison)).chain(values).collect()
}

fn of_truth(truth: f64) -> Vec<String> {
    let empty = [(); 3].map(|()| String::new());
    [words::truth_name().to_owned(), told(Some(truth))].into_iter().chain(empty).collect()
}

/// A comparison in the file: a line, or one for every bin that holds anything.
fn numbers_of(
    (comparison, estimate): (Option<Comparison>, Option<f64>),
    said: Option<&EstimateSummary>,
    bins: Option<&Bins>,
) -> Vec<Vec<String>> {
    let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let own = said.map(|said| &said.estimates);
    let first = [
        name(comparison),
        text(estimate),
        text(own.map(|own| own.mean)),
        text(said.and_then(|said| said.bias)),
        text(own.and_then(|own| own.spread)),
        own.map(|own| own.count.to_string()).unwrap_or_default(),
    ];
    let with = |last: [String; 3]| first.iter().cloned().chain(last).collect::<Vec<_>>();
    match own.zip(bins) {
        None => vec![with([(); 3].map(|()| String::new()))],
        Some((own, bins)) => {
            let bin = |(bin, drawn): &(usize, usize)| {
                let [from, to] = ends(bins, *bin).map(|end| end.to_string());
                with([from, to, drawn.to_string()])
            };
            own.histogram.iter().map(bin).collect()
        }
    }
}

/// Where a bin begins and ends.
pub(super) fn ends(bins: &Bins, bin: usize) -> [f64; 2] {
    let width = 2.0 * bins.reach / bins.count as f64;
    [bin, bin + 1].map(|edge| edge as f64 * width - bins.reach)
}

fn chart(name: &str, said: &EstimateSummary, bins: &Bins, truth: Option<f64>) -> Chart {
    let own = &said.estimates;
    let most = own.histogram.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let held = own.histogram.iter().flat_map(|(bin, _)| ends(bins, *bin));
    let all = held.chain(truth).chain([0.0]);
    let [low, high] =
        all.fold([0.0_f64; 2], |[low, high], value| [low.min(value), high.max(value)]);
    let bar = |(bin, count): &(usize, usize)| Bar {
        ends: ends(bins, *bin),
        height: *count as f64,
        sign: 1.0,
    };
    let mark = |truth: f64| (truth, [words::truth_name(), " ", &number::short(truth, 3)].concat());
    let mut ticks = vec![0.0];
    ticks.extend([low, high].into_iter().filter(|end| end.abs() > 0.1 * (high - low)));
    Chart {
        title: name.to_owned(),
        across: Axis {
            name: text::advantage().to_owned(),
            ends: [low, high],
            ticks: ticks.into_iter().map(|at| (at, number::short(at, 2))).collect(),
        },
        up: Axis {
            name: words::estimates_drawn().to_owned(),
            ends: [0.0, most as f64],
            ticks: [0, most].map(|count| (count as f64, number::count(count))).to_vec(),
        },
        bars: own.histogram.iter().map(bar).collect(),
        marks: truth.map(mark).into_iter().collect(),
        note: words::picture(
            own.count,
            &number::short(own.mean, 3),
            &number::short(own.spread.unwrap_or_default(), 3),
        ),
        ..Chart::default()
    }
}
