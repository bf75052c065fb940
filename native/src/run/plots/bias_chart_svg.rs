//! Bias chart: bias and variance as one picture.

use std::path::Path;

use hgpo_core::BiasRow;
use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::prelude::*;

use super::learning_curves_svg::{BLUE, Drawn, GRID, INK, ORANGE, Panel, draw_picture, font};
use crate::run::RunError;
use crate::run::evaluation::bias_study::BiasFindings;

/// Width of an estimator's panel and height of a row of them.
const PANEL: (u32, u32) = (360, 300);

/// Draws squared bias and variance, one on the other, of every row: a column an estimator, above
/// over all steps and below over the common ones.
///
/// # Errors
/// The picture cannot be drawn or written.
pub(crate) fn draw(path: &Path, findings: &BiasFindings) -> Result<(), RunError> {
    let columns = findings.estimators.len().max(1);
    let size = (PANEL.0 * columns as u32, 2 * PANEL.1 + 40);
    let title = format!(
        "squared bias and variance of advantages, iteration {}: {} tasks, {} groups of {}",
        findings.iteration, findings.tasks, findings.groups, findings.group_size
    );
    draw_picture(path, size, (&title, 20), |root| render(root, findings, columns))
}

fn render(root: &Panel<'_>, findings: &BiasFindings, columns: usize) -> Drawn {
    let panels = root.split_evenly((2, columns));
    for (index, named) in findings.estimators.iter().enumerate() {
        let (name, report) = (&named.name, &named.report);
        panel(&panels[index], &format!("{name}, all steps"), &report.all_steps)?;
        let common = format!("{name}, common steps");
        panel(&panels[columns + index], &common, &report.common_steps)?;
    }
    Ok(())
}

fn panel(area: &Panel<'_>, caption: &str, rows: &[BiasRow]) -> Drawn {
    // A squared bias that came out below 0 is none.
    let bars: Vec<(f64, f64)> = rows
        .iter()
        .map(|row| (row.squared_bias.value.max(0.0), row.variance.value.max(0.0)))
        .collect();
    let highest = bars.iter().map(|bar| bar.0 + bar.1).fold(0.0, f64::max);
    // Room for the legend above the bars.
    let highest = if highest > 0.0 { 1.5 * highest } else { 1.0 };
    let last = rows.len() as i32 - 1;
    let mut axes = ChartBuilder::on(area)
        .caption(caption, font(16))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(46)
        .build_cartesian_2d((0..last).into_segmented(), 0.0..highest)?;
    axes.configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(font(13))
        .x_label_formatter(&|at| name(rows, at))
        .x_labels(rows.len())
        .y_labels(6)
        .draw()?;
    for (label, colour, of_bias) in [("variance", BLUE, false), ("bias²", ORANGE, true)] {
        let bar = |(index, &(bias, variance)): (i32, &(f64, f64))| {
            let (from, to) = if of_bias { (0.0, bias) } else { (bias, bias + variance) };
            let corners =
                [(SegmentValue::Exact(index), from), (SegmentValue::Exact(index + 1), to)];
            let mut bar = Rectangle::new(corners, colour.filled());
            bar.set_margin(0, 0, 8, 8);
            bar
        };
        axes.draw_series((0..).zip(&bars).map(bar))?
            .label(label)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    axes.configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .label_font(font(13))
        .draw()?;
    Ok(())
}

fn name(rows: &[BiasRow], at: &SegmentValue<i32>) -> String {
    let SegmentValue::CenterOf(index) = at else { return String::new() };
    rows.get(*index as usize).map_or_else(String::new, |row| row.quantity.to_string())
}
