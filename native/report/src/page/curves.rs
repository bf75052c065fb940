//! Learning curves: success over environment steps, performance profiles and sample efficiency.

use maud::{Markup, html};

use super::arm_labels::{arm_name, figure_key, note_on_undrawn_arms};
use super::section::{Place, small_print};
use super::table::Table;
use crate::ReportError;
use crate::figure::{Axis, Line, LineChart, Marks};
use crate::findings::{Band, Finding, Part};
use crate::number_format::{count, percent, percent_interval};

/// Rows of the tables below figures.
const ROWS: usize = 10;

/// What is drawn of an arm.
type BandOf = for<'b> fn(&'b Finding<'_>) -> &'b Band;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    if part.arms.iter().all(|arm| arm.curve.is_empty()) {
        return Ok(html! { p { "No finished run has a curve." } });
    }
    let resamples = count(place.options.bootstrap_of_curves().resamples as u64);
    Ok(html! {
        p class="finding" { (finding(part)) }
        (over_steps(part, &format!("Success in training over environment steps: interquartile mean of the runs, band: 95 % interval at every place.{}", note_on_undrawn_arms(part)), "success in training, %", |arm| &arm.curve, place)?)
        (place.subheading("Sample efficiency"))
        p class="finding" { (efficiency(part)) }
        (over_steps(part, &format!("The area under the success curve, had the budget been smaller: mean success so far, interquartile mean of the runs with its 95 % interval. Where lines cross, the ranking depends on the budget.{}", note_on_undrawn_arms(part)), "mean success so far, %", |arm| &arm.efficiency, place)?)
        (place.subheading("Performance profiles"))
        p class="finding" { (profiles(part)) }
        (profile(part, place)?)
        (small_print(&format!("Intervals here are of {resamples} resamples and hold at every place on its own.")))
    })
}

fn finding(part: &Part<'_>) -> String {
    let told = part.coloured().filter_map(|(_, arm)| {
        let (_, last) = arm.curve.last()?;
        Some(format!("{} {}", arm_name(arm), percent(last.point)))
    });
    let told: Vec<_> = told.collect();
    format!("Success in training at the end of the budget: {}.", told.join(", "))
}

fn leader<'a, 'b>(part: &'b Part<'a>, place: usize) -> Option<&'b Finding<'a>> {
    let at =
        |arm: &Finding<'_>| arm.efficiency.get(place).map_or(f64::NEG_INFINITY, |it| it.1.point);
    let arms = part.arms.iter().filter(|arm| arm.efficiency.len() > place);
    arms.reduce(|best, arm| if at(arm) > at(best) { arm } else { best })
}

fn efficiency(part: &Part<'_>) -> String {
    let places = part.arms.iter().map(|arm| arm.efficiency.len()).max().unwrap_or(0);
    let leaders = [places / 4, places / 2, places]
        .map(|place| leader(part, place.saturating_sub(1)).map(arm_name));
    if part.arms.len() == 1 {
        return "One arm alone: its mean success so far.".to_owned();
    }
    match leaders {
        [Some(quarter), Some(half), Some(end)] if quarter == end && half == end => {
            format!(
                "{end} would lead after a quarter and half of the budget as it does at its end."
            )
        }
        [Some(quarter), Some(half), Some(end)] => {
            format!(
                "After a quarter of the budget {quarter} would lead, after half of it {half}, at its end {end} does."
            )
        }
        _ => String::new(),
    }
}

/// The lines of the arms that have a colour and something to draw.
fn lines<'a>(part: &'a Part<'_>, band: BandOf) -> Vec<Line<'a>> {
    let drawn = part.coloured().filter(|(_, arm)| !band(arm).is_empty());
    drawn.map(|(series, arm)| Line { series, name: arm_name(arm), points: band(arm) }).collect()
}

fn over_steps(
    part: &Part<'_>,
    sentence: &str,
    up: &'static str,
    band: BandOf,
    place: &Place<'_>,
) -> Result<Markup, ReportError> {
    let lines = lines(part, band);
    let highest =
        lines.iter().flat_map(|line| line.points).map(|(_, it)| it.high).fold(0.0, f64::max);
    // Lines that stay low are looked at closely.
    let up = Axis {
        range: (0.0, if highest > 0.6 { 1.0 } else { (1.08 * highest).max(0.02) }),
        ..Axis::share(up)
    };
    let table = numbers(&lines, sentence, |steps| count(steps as u64), "environment steps");
    let chart = LineChart { across: Axis::steps(part.budget), up, lines, marks: Marks::Ends };
    place.figure(&chart, &figure_key(part, true), sentence, Some(&table))
}

/// The numbers of a figure at ten places.
fn numbers(lines: &[Line<'_>], caption: &str, told: fn(f64) -> String, of: &str) -> Table {
    let mut table = Table::new(caption, &[of]);
    table.head.extend(lines.iter().map(|line| line.name.clone()));
    let places = lines.first().map_or(&[][..], |line| line.points);
    let every = (places.len() / ROWS).max(1);
    for (place, (at, _)) in places.iter().enumerate().skip(every - 1).step_by(every) {
        let points = lines.iter().map(|line| line.points.get(place));
        let cells = points.map(|point| point.map(|(_, it)| percent_interval(*it)));
        table.push(html! { (told(*at)) }, cells);
    }
    table
}

fn profiles(part: &Part<'_>) -> String {
    let halves = part.coloured().filter_map(|(_, arm)| {
        let (threshold, _) = arm.profile.iter().rev().find(|(_, it)| it.point >= 0.5)?;
        Some(format!("{} {}", arm_name(arm), percent(*threshold)))
    });
    let told: Vec<_> = halves.collect();
    format!("At least half of the runs have an area above: {}.", told.join(", "))
}

fn profile(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let sentence = format!(
        "Performance profiles: the share of runs whose area under the success curve is above a threshold, with its 95 % interval. A line above another everywhere is better whatever one asks for.{}",
        note_on_undrawn_arms(part)
    );
    let lines = lines(part, |arm| &arm.profile);
    let thresholds = lines.iter().flat_map(|line| line.points).map(|it| it.0);
    let (low, high) =
        thresholds.fold((1.0_f64, 0.0_f64), |(low, high), it| (low.min(it), high.max(it)));
    let across = Axis { range: (low, high), ..Axis::share("area above, %") };
    let up = Axis::share("share of runs, %");
    let table = numbers(&lines, &sentence, percent, "area above");
    let chart = LineChart { across, up, lines, marks: Marks::Halves };
    place.figure(&chart, &figure_key(part, false), &sentence, Some(&table))
}
