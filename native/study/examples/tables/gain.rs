//! Gain of one arm over another, task by task, against a metric of it; and how well their orders agree.

use hgpo_study::text_table::TextTable;

use crate::arms::{Table, mean_and_interval};

/// Rows by the metric, and the rank correlation of metric and gain with a 95 % interval.
pub(crate) fn table(
    table: &Table<'_>,
    metric: &str,
    better: &str,
    worse: &str,
) -> Result<(TextTable, String), String> {
    let mut points = Vec::new();
    for task in table.tasks() {
        let (own, other) = (table.arm(better, task)?, table.arm(worse, task)?);
        if own.seeds != other.seeds {
            return Err(format!("{better} and {worse} have other seeds on {task}"));
        }
        // A task in which nothing is alike has no such number.
        let Some(&value) = own.metrics.get(metric) else { continue };
        let (own, other) = (table.values(own), table.values(other));
        let gains: Vec<f64> = own.iter().zip(other).map(|(a, b)| 100.0 * (a - b)).collect();
        // A setting that changes nothing makes no task of its own.
        if !points.iter().any(|(_, known, _): &(f64, Vec<f64>, &String)| *known == gains) {
            points.push((value, gains, task));
        }
    }
    if points.is_empty() {
        return Err(format!("{better} has no metric '{metric}'; keep its study without --areas"));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let points: Vec<(f64, (f64, f64), &String)> = points
        .iter()
        .map(|(value, gains, task)| (*value, mean_and_interval(gains), *task))
        .collect();
    let mut made = TextTable::new(["task", metric, &format!("{better} less {worse}")]);
    for (value, (gain, error), task) in &points {
        let [value, gain] = [format!("{value:.3}"), format!("{gain:.1} ± {error:.1}")];
        made.rows.push(vec![(*task).clone(), value, gain]);
    }
    let values: Vec<f64> = points.iter().map(|(value, ..)| *value).collect();
    let gains: Vec<f64> = points.iter().map(|(_, (gain, _), _)| *gain).collect();
    let correlation = pearson(&ranks(&values), &ranks(&gains));
    let [low, high] = interval(correlation, points.len());
    let count = points.len();
    let told =
        format!("rank correlation over {count} tasks: {correlation:.2} [{low:.2}, {high:.2}]");
    Ok((made, told))
}

/// The place of every value in their order; equal values share theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| other.total_cmp(value).is_lt()).count();
        let equal = values.iter().filter(|other| other.total_cmp(value).is_eq()).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product = |f: fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(x, y)| f(x - mean_a, y - mean_b)).sum()
    };
    let scale = (product(|x, _| x * x) * product(|_, y| y * y)).sqrt();
    if scale > 0.0 { product(|x, y| x * y) / scale } else { 0.0 }
}

/// Of a rank correlation (Bonett and Wright 2000, Psychometrika 65, equation 7).
fn interval(correlation: f64, count: usize) -> [f64; 2] {
    let error = ((1.0 + correlation * correlation / 2.0) / (count as f64 - 3.0).max(1.0)).sqrt();
    let middle = correlation.clamp(-0.999_999, 0.999_999).atanh();
    [middle - 1.96 * error, middle + 1.96 * error].map(f64::tanh)
}
