//! Learning curves: success over environment steps, performance profiles and sample efficiency.

use hgpo_evidence::Interval;
use maud::{Markup, html};

use super::arm_labels::{arm_name, figure_key, note_on_undrawn_arms};
use super::section::{Place, figure, small_print};
use super::table::{Cell, Table};
use crate::ReportError;
use crate::figure::{Axis, Line, LineChart, Marks};
use crate::findings::{Finding, Part};
use crate::number_format::{count, percent, percent_interval};

/// Rows of the tables below figures.
const ROWS: usize = 10;

type Band = Vec<(f64, Interval)>;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    if part.arms.iter().all(|arm| arm.curve.is_empty()) {
        return Ok(html! { p { "No finished run has a curve." } });
    }
    let resamples = count(place.options.bootstrap_of_curves().resamples as u64);
    Ok(html! {
        p class="finding" { (finding(part)) }
        (over_steps(part, &format!("Success in training over environment steps: interquartile mean of the runs, band: 95 % interval at every place.{}", note_on_undrawn_arms(part)), "success in training, %", |arm| &arm.curve)?)
        (place.subheading("Sample efficiency"))
        p class="finding" { (efficiency(part)) }
        (over_steps(part, &format!("The area under the success curve, had the budget been smaller: mean success so far, interquartile mean of the runs with its 95 % interval. Where lines cross, the ranking depends on the budget.{}", note_on_undrawn_arms(part)), "mean success so far, %", |arm| &arm.efficiency)?)
        (place.subheading("Performance profiles"))
        p class="finding" { (profiles(part)) }
        (profile(part)?)
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

fn lines(names: &[(usize, String)], bands: Vec<Band>) -> Vec<Line<'_>> {
    let made = names.iter().zip(bands).filter(|(_, points)| !points.is_empty());
    made.map(|((series, name), points)| Line { series: *series, name, points }).collect()
}

fn names(part: &Part<'_>) -> Vec<(usize, String)> {
    part.coloured().map(|(series, arm)| (series, arm_name(arm))).collect()
}

fn over_steps(
    part: &Part<'_>,
    sentence: &str,
    up: &'static str,
    band: impl for<'f> Fn(&'f Finding<'_>) -> &'f Band,
) -> Result<Markup, ReportError> {
    let names = names(part);
    let bands = part.coloured().map(|(_, arm)| band(arm).clone()).collect();
    let lines = lines(&names, bands);
    let highest =
        lines.iter().flat_map(|line| &line.points).map(|(_, it)| it.high).fold(0.0, f64::max);
    // Lines that stay low are looked at closely.
    let up = Axis {
        range: (0.0, if highest > 0.6 { 1.0 } else { (1.08 * highest).max(0.02) }),
        ..Axis::share(up)
    };
    let chart = LineChart { across: Axis::steps(part.budget), up, lines, marks: Marks::Ends };
    let table = numbers(part, sentence, |steps| count(steps as u64), "environment steps", &band);
    Ok(figure(&chart.draw(sentence)?, &figure_key(part, true), sentence, Some(&table)))
}

/// The numbers of a figure at ten places.
fn numbers(
    part: &Part<'_>,
    caption: &str,
    told: impl Fn(f64) -> String,
    of: &str,
    band: &impl for<'f> Fn(&'f Finding<'_>) -> &'f Band,
) -> Table {
    let mut table = Table::new(caption, &[of]);
    let arms: Vec<_> =
        part.coloured().filter(|(_, arm)| !band(arm).is_empty()).map(|it| it.1).collect();
    table.head.extend(arms.iter().map(|arm| arm_name(arm)));
    let places = arms.first().map_or(0, |arm| band(arm).len());
    let every = (places / ROWS).max(1);
    for place in (every - 1..places).step_by(every) {
        let cells = arms
            .iter()
            .map(|arm| Cell::Number(band(arm).get(place).map(|(_, it)| percent_interval(*it))));
        let at = arms.first().map_or(0.0, |arm| band(arm)[place].0);
        table.rows.push((html! { (told(at)) }, cells.collect()));
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

fn profile(part: &Part<'_>) -> Result<Markup, ReportError> {
    let sentence = format!(
        "Performance profiles: the share of runs whose area under the success curve is above a threshold, with its 95 % interval. A line above another everywhere is better whatever one asks for.{}",
        note_on_undrawn_arms(part)
    );
    let names = names(part);
    let bands = part.coloured().map(|(_, arm)| arm.profile.clone()).collect();
    let thresholds = part.coloured().flat_map(|(_, arm)| &arm.profile).map(|it| it.0);
    let (low, high) =
        thresholds.fold((1.0_f64, 0.0_f64), |(low, high), it| (low.min(it), high.max(it)));
    let across = Axis { range: (low, high), ..Axis::share("area above, %") };
    let up = Axis::share("share of runs, %");
    let chart = LineChart { across, up, lines: lines(&names, bands), marks: Marks::Halves };
    let table = numbers(part, &sentence, percent, "area above", &|arm: &Finding<'_>| &arm.profile);
    Ok(figure(&chart.draw(&sentence)?, &figure_key(part, false), &sentence, Some(&table)))
}
