//! Data of a report as CSV: arms, runs and curves, a number a cell, for whoever draws or computes something else of them.

use csv::Writer;
use hgpo_evidence::Interval;

use crate::ReportError;
use crate::findings::{Finding, Part, Spread};

/// The names of the files, and their content.
type Files = Vec<(&'static str, Vec<u8>)>;

/// All files. Shares are from 0 to 1; a number that is not known is empty.
///
/// # Errors
/// A table cannot be made.
pub(super) fn files(parts: &[Part<'_>]) -> Result<Files, ReportError> {
    Ok(vec![("arms.csv", arms(parts)?), ("curves.csv", curves(parts)?), ("runs.csv", runs(parts)?)])
}

/// A number with all its digits; nothing of none.
fn number(number: Option<f64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn interval(interval: Option<Interval>) -> [String; 3] {
    [interval.map(|it| it.point), interval.map(|it| it.low), interval.map(|it| it.high)].map(number)
}

/// Interquartile mean with its interval, mean and deviation.
fn spread(spread: Option<&Spread>) -> impl Iterator<Item = String> {
    let [mean, deviation] = [spread.map(|it| it.mean), spread.and_then(|it| it.deviation)];
    interval(spread.map(|it| it.middle)).into_iter().chain([mean, deviation].map(number))
}

const OF_SPREAD: [&str; 5] = ["iqm", "iqm_low", "iqm_high", "mean", "standard_deviation"];
const OF_INTERVAL: [&str; 3] = ["", "_low", "_high"];

/// Every arm with the part that it is of.
fn arms_of<'a, 'b>(parts: &'b [Part<'a>]) -> impl Iterator<Item = (&'b Part<'a>, &'b Finding<'a>)> {
    parts.iter().flat_map(|part| part.arms.iter().map(move |arm| (part, arm)))
}

/// A row for every arm.
fn arms(parts: &[Part<'_>]) -> Result<Vec<u8>, ReportError> {
    let spreads = ["area", "seen_before", "seen_after", "unseen_before", "unseen_after"];
    let mut head = vec!["part".to_owned(), "arm".to_owned(), "runs".to_owned()];
    head.extend(spreads.iter().flat_map(|of| OF_SPREAD.map(|name| format!("{of}_{name}"))));
    for name in ["probability_of_improvement", "paired_difference"] {
        head.extend(OF_INTERVAL.map(|end| name.to_owned() + end));
    }
    head.push("pairs".to_owned());
    let rows = arms_of(parts).map(|(part, arm)| {
        let mut row = vec![part.title.clone(), arm.name.clone(), arm.finished.len().to_string()];
        let success = arm.success.iter().flat_map(|it| [it.before.as_ref(), it.after.as_ref()]);
        let spreads = [arm.area.as_ref()].into_iter().chain(success);
        row.extend(spreads.flat_map(spread));
        row.extend(interval(arm.improvement));
        row.extend(interval(arm.difference.map(|(it, _)| it)));
        row.push(arm.difference.map(|(_, pairs)| pairs.to_string()).unwrap_or_default());
        row
    });
    table(head, rows)
}

/// A row for every run, also those that are not counted.
fn runs(parts: &[Part<'_>]) -> Result<Vec<u8>, ReportError> {
    let head = [
        "part",
        "arm",
        "seed",
        "status",
        "iterations",
        "environment_steps",
        "area",
        "seen_after",
        "unseen_after",
        "steps_to_50",
        "steps_to_80",
        "seconds",
        "device",
        "folder",
    ];
    let rows = arms_of(parts).flat_map(|(part, arm)| {
        arm.arm.runs.iter().map(move |run| {
            let status = serde_json::to_value(run.status).unwrap_or_default();
            let count = |count: Option<u64>| count.map(|it| it.to_string()).unwrap_or_default();
            vec![
                part.title.clone(),
                arm.name.clone(),
                run.seed.to_string(),
                status.as_str().unwrap_or_default().to_owned(),
                run.iterations.to_string(),
                run.environment_steps.to_string(),
                number(Some(run.scores.area)),
                number(run.scores.last_seen),
                number(run.scores.last_unseen),
                count(run.scores.steps_to_50),
                count(run.scores.steps_to_80),
                number(run.seconds.get("total").copied()),
                run.device.clone(),
                run.folder.clone(),
            ]
        })
    });
    table(head, rows)
}

/// A row for every place of every curve.
fn curves(parts: &[Part<'_>]) -> Result<Vec<u8>, ReportError> {
    let head = ["part", "arm", "curve", "x", "iqm", "iqm_low", "iqm_high"];
    let rows = arms_of(parts).flat_map(|(part, arm)| {
        let bands = [
            ("success_over_environment_steps", &arm.curve),
            ("area_over_environment_steps", &arm.efficiency),
            ("share_of_runs_over_area", &arm.profile),
        ];
        bands.into_iter().flat_map(move |(curve, band)| {
            band.iter().map(move |(x, it)| {
                let names = [part.title.clone(), arm.name.clone(), curve.to_owned(), x.to_string()];
                names.into_iter().chain(interval(Some(*it))).collect()
            })
        })
    });
    table(head, rows)
}

fn table(
    head: impl IntoIterator<Item = impl AsRef<[u8]>>,
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<Vec<u8>, ReportError> {
    let refused = |error: &dyn std::fmt::Display| ReportError::Figure(error.to_string());
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(head).map_err(|error| refused(&error))?;
    for row in rows {
        writer.write_record(row).map_err(|error| refused(&error))?;
    }
    writer.into_inner().map_err(|error| refused(&error))
}
