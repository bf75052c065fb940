//! Histograms of group sizes.

use maud::{Markup, html};

use super::arm_labels::{arm_label, arm_name, note_on_undrawn_arms};
use super::key::Key;
use super::section::Place;
use super::table::Table;
use crate::ReportError;
use crate::figure::{Axis, Row, RowChart, SHADES, parts};
use crate::findings::{Finding, Part};
use crate::number_format::{percent, significant};

/// The largest sizes of the classes; the last class has none.
const ENDS: [u64; SHADES - 1] = [1, 2, 4, 8, 16, 32];

/// What the classes are called.
const NAMES: [&str; SHADES] = ["1", "2", "3–4", "5–8", "9–16", "17–32", "33 or more"];

/// The share of steps that are in groups of each class; none without groups.
fn shares(arm: &Finding<'_>, level: usize) -> Option<[f64; SHADES]> {
    let mut steps = [0.0; SHADES];
    for sizes in arm.finished.iter().filter_map(|run| run.group_sizes.get(level)) {
        for (size, groups) in sizes {
            steps[ENDS.partition_point(|end| end < size)] += *size as f64 * *groups as f64;
        }
    }
    let all: f64 = steps.iter().sum();
    (all > 0.0).then(|| steps.map(|own| own / all))
}

/// The figure of all levels, with its table; nothing if no run holds sizes.
///
/// # Errors
/// It cannot be drawn.
pub(super) fn histograms(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let runs = part.arms.iter().flat_map(|arm| &arm.finished);
    let levels = runs.map(|run| run.group_sizes.len()).max().unwrap_or(0);
    let mut table = Table::new("Share of steps in groups of every size", &["arm", "level"]);
    table.head.extend(NAMES.iter().map(|name| format!("size {name}")));
    let mut rows = Vec::new();
    for level in 0..levels {
        for arm in &part.arms {
            let Some(shares) = shares(arm, level) else { continue };
            let cells = [level.to_string()].into_iter().chain(shares.map(percent));
            table.push(arm_label(arm), cells.map(Some));
            if arm.series.is_some() {
                rows.push(row(arm, level, shares));
            }
        }
    }
    if rows.is_empty() {
        return Ok(html! {});
    }
    let across = Axis::share("share of steps, %");
    let chart = RowChart { across, reference: None, rows };
    let sentence = format!(
        "How large the groups are in which steps are compared, level by level, from steps that are alone at the left to the largest groups at the right. At the right, the mean size of the group that a step is in.{}",
        note_on_undrawn_arms(part)
    );
    let shades = NAMES.iter().enumerate().map(|(shade, name)| (shade, (*name).to_owned()));
    let key = Key::Shades(shades.collect());
    place.figure(&chart, &key, &sentence, Some(&table))
}

fn row(arm: &Finding<'_>, level: usize, shares: [f64; SHADES]) -> Row {
    let marks = parts(shares.into_iter().zip(0..));
    let value = mean_size(arm, level).map(significant).unwrap_or_default();
    Row { series: arm.series, name: format!("{level}: {}", arm_name(arm)), marks, value }
}

/// The mean over steps of the size of their group: Σ size² / Σ size over groups.
fn mean_size(arm: &Finding<'_>, level: usize) -> Option<f64> {
    let sizes = arm.finished.iter().filter_map(|run| run.group_sizes.get(level)).flatten();
    let of = |(size, groups): (&u64, &u64)| (*size as f64, *groups as f64);
    let (steps, squares) = sizes.map(of).fold((0.0, 0.0), |(steps, squares), (size, groups)| {
        (steps + size * groups, squares + size * size * groups)
    });
    (steps > 0.0).then(|| squares / steps)
}
