//! Curves of runs: one alone, or several in the same axes.

use hgpo_evidence::Interval;
use maud::{Markup, html};

use super::document::document;
use super::list::{iterations, state};
use super::stage::common_traces;
use super::{CurvePoint, LiveCurves, address};
use crate::ReportError;
use crate::figure::{Axis, Chart as _, Line, LineChart, Marks, NARROW, PAPER, Unit, swatch};
use crate::foreign_text::display_name;
use crate::number_format::{percent, significant};

/// Metrics that are always drawn, and what they are called.
const USUAL: [(&str, &str); 6] = [
    ("success_rate", "Success in training, %"),
    ("reward/mean", "Mean reward of an episode"),
    ("episode_length/mean", "Steps of an episode"),
    ("kl", "KL to the reference, nats a token"),
    ("entropy", "Entropy, nats a token"),
    ("grad_norm", "Norm of the gradient"),
];

/// What the two curves of held-out tasks are called.
const HELD_OUT: [&str; 2] =
    ["Success on held-out tasks, seen, %", "Success on held-out tasks, unseen, %"];

/// How many of the newest traces have links of their own.
const NEWEST_TRACES: usize = 6;

/// The curves of runs, in the same axes, with further metrics that are asked for.
///
/// # Errors
/// A figure cannot be drawn.
pub fn curves_page(runs: &[LiveCurves], asked: &[String]) -> Result<String, ReportError> {
    let names: Vec<&str> = runs.iter().map(|it| it.run.name.as_str()).collect();
    let title = match &names[..] {
        [one] => display_name(one),
        several => format!("{} runs", several.len()),
    };
    let further = further_metrics(runs);
    let body = html! {
        div data-live="facts" { (facts(runs)) (problems(runs)) }
        div data-live="traces" { (traces(runs, &names)) }
        div class="charts" data-live="charts" {
            (chart(runs, USUAL[0].1, true, |it| it.metrics.get(USUAL[0].0))?)
            @for (at, title) in HELD_OUT.iter().enumerate() {
                (chart(runs, title, true, |it| Some(&it.held_out[at]))?)
            }
            @for (metric, title) in &USUAL[1..] { (chart(runs, title, false, |it| it.metrics.get(*metric))?) }
            @for metric in asked.iter().filter(|it| further.contains(&it.as_str())) {
                (chart(runs, &display_name(metric), false, |it| it.metrics.get(metric))?)
            }
        }
        p class="note" { "Lines: mean of the last 20 iterations; bands: one standard deviation of them. Held-out tasks: every evaluation as it is." }
        details open[!asked.is_empty()] {
            summary { "Other metrics" }
            ul class="metrics" data-live="metrics" { @for metric in &further { (toggle(metric, asked, &names)) } }
        }
    };
    Ok(document(&title, true, true, &body))
}

/// The names of metrics that are drawn when they are asked for.
fn further_metrics(runs: &[LiveCurves]) -> Vec<&str> {
    let mut names: Vec<&str> =
        runs.iter().flat_map(|it| it.metrics.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| USUAL.iter().all(|(usual, _)| usual != name));
    names
}

/// A link that adds a metric to those that are asked for, or takes it away.
fn toggle(metric: &str, asked: &[String], runs: &[&str]) -> Markup {
    let is_asked = asked.iter().any(|it| it == metric);
    let others = asked.iter().map(String::as_str).filter(|it| *it != metric);
    let address =
        address::curves(runs.iter().copied(), others.chain((!is_asked).then_some(metric)));
    html! { li { a href=(address) aria-current=[is_asked.then_some("true")] {
        @if is_asked { "− " } @else { "+ " } (display_name(metric))
    } } }
}

/// What every run is and how far; its sign is the key of the curves.
fn facts(runs: &[LiveCurves]) -> Markup {
    html! {
        ul class="live" { @for (series, LiveCurves { run, .. }) in runs.iter().enumerate() {
            li {
                @if runs.len() > 1 {
                    (swatch(series)) " " (series + 1) " "
                    a href=(address::curves([run.name.as_str()], [])) { (display_name(&run.name)) } ": "
                }
                (display_name(&run.environment)) ", " (display_name(&run.estimator))
                @if let Some(seed) = run.seed { ", seed " (seed) }
                " · iteration " (iterations(run)) " · " (state(run))
                @if let Some(success) = run.success_rate { " · success in training " (percent(success)) }
            }
        } }
    }
}

fn problems(runs: &[LiveCurves]) -> Markup {
    html! { @for it in runs { @if let Some(problem) = &it.problem {
        p class="problem" { (display_name(&it.run.name)) ": " (problem) }
    } } }
}

/// Ways to the stage.
fn traces(runs: &[LiveCurves], names: &[&str]) -> Markup {
    let traces = common_traces(runs.iter().map(|it| &it.traces[..]));
    let Some(newest) = traces.last() else {
        let none = if runs.len() > 1 {
            "No iteration has a trace of every run."
        } else {
            "No iteration has a trace yet: they are written every checkpoint.traces_every iterations."
        };
        return html! { p class="note" { (none) } };
    };
    html! {
        form class="turn" action="stage" method="get" {
            span { "On the stage:" }
            @for it in traces.iter().rev().take(NEWEST_TRACES) {
                a href=(address::stage(names.iter().copied(), *it)) { "iteration " (it) }
            }
            @for name in names { input type="hidden" name="run" value=(name); }
            @if traces.len() > NEWEST_TRACES {
                label { "or " input type="number" name="iteration" min=(traces[0]) max=(newest) placeholder=(traces[0]) required; }
                button { "Show" }
            }
        }
    }
}

/// A chart of something of all runs; nothing if none has it.
fn chart<'a>(
    runs: &'a [LiveCurves],
    title: &str,
    is_share: bool,
    of: impl Fn(&'a LiveCurves) -> Option<&'a Vec<CurvePoint>>,
) -> Result<Markup, ReportError> {
    let drawn = runs.iter().enumerate().filter_map(|(at, run)| Some((at, of(run)?)));
    let drawn: Vec<(usize, &Vec<CurvePoint>)> = drawn.filter(|(_, it)| !it.is_empty()).collect();
    if drawn.is_empty() {
        return Ok(html! {});
    }
    let all = || drawn.iter().flat_map(|(_, points)| points.iter());
    let (unit, exponent) = if is_share { (1.0, 0) } else { scale(all()) };
    let points: Vec<(usize, Vec<(f64, Interval)>)> = drawn
        .iter()
        .map(|(at, points)| (*at, points.iter().map(|it| interval(it, unit, is_share)).collect()))
        .collect();
    let up = if is_share {
        Axis::share("")
    } else {
        let values = points.iter().flat_map(|(_, it)| it).flat_map(|(_, it)| [it.low, it.high]);
        Axis { name: "", range: (0.0, 1.0), unit: Unit::Plain }.around(values, (f64::MIN, f64::MAX))
    };
    let last = runs.iter().map(|it| it.run.iterations).max().unwrap_or(0).max(1);
    let across = Axis { name: "iteration", ..Axis::steps(last as f64) };
    let name = |at: usize| if runs.len() > 1 { (at + 1).to_string() } else { String::new() };
    let lines = points.iter().map(|(at, points)| Line { series: *at, name: name(*at), points });
    let chart = LineChart { across, up, lines: lines.collect(), marks: Marks::Ends };
    let title =
        if exponent == 0 { title.to_owned() } else { format!("{title} (× 10^{exponent})") };
    let newest = |(at, points): &(usize, &Vec<CurvePoint>)| {
        let value = points.last().map(|it| it.mean)?;
        let value = if is_share { percent(value) } else { significant(value) };
        Some(if runs.len() > 1 { format!("{}: {value}", at + 1) } else { value })
    };
    let newest: Vec<String> = drawn.iter().filter_map(newest).collect();
    let newest = newest.join(", ");
    let label = format!("{title}: {newest} at the end");
    Ok(html! {
        figure {
            figcaption { strong { (title) } " " span { (newest) } }
            div class="picture" { (chart.draw(PAPER, &label)?) (chart.draw(NARROW, &label)?) }
        }
    })
}

/// A point with its band in units of `unit`; a share stays one.
fn interval(point: &CurvePoint, unit: f64, is_share: bool) -> (f64, Interval) {
    let [low, high] = [-1.0, 1.0].map(|side| point.mean + side * point.deviation);
    let (low, high) = if is_share { (low.max(0.0), high.min(1.0)) } else { (low, high) };
    let [point_, low, high] = [point.mean, low, high].map(|it| it / unit);
    (point.iteration, Interval { point: point_, low, high })
}

/// The unit in which numbers of an axis are short, and its exponent: 1 unless they are very large or small.
fn scale<'a>(points: impl Iterator<Item = &'a CurvePoint>) -> (f64, i32) {
    let largest = points.map(|it| it.mean.abs() + it.deviation).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() || (0.02..10_000.0).contains(&largest) {
        return (1.0, 0);
    }
    let exponent = largest.log10().floor() as i32;
    (10_f64.powi(exponent), exponent)
}
