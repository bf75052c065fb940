//! Learning curves of a run as one picture.

use std::path::Path;

use hgpo_train::trainer::SPLITS;
use plotters::chart::{ChartBuilder, ChartContext, SeriesLabelPosition};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::downsampled_series::DownsampledSeries;
use crate::run::evaluation::records::Evaluations;
use crate::run::progress::metrics_history::DRAWN;
use crate::run::storage::atomic_write;
use crate::run::{MetricsHistory, RunError};

const SIZE: (u32, u32) = (1260, 720);
pub(crate) const BLUE: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);
pub(crate) const ORANGE: RGBColor = RGBColor(0xc7, 0x5b, 0x12);
const GREEN: RGBColor = RGBColor(0x1b, 0x7f, 0x5c);
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x2a, 0x35);
pub(crate) const GRID: RGBColor = RGBColor(0xe3, 0xe7, 0xec);

/// The panels with a single line: metric and caption.
const PANELS: [(&str, &str); 5] = [
    (DRAWN[1], "mean reward of an episode"),
    (DRAWN[2], "steps of an episode"),
    (DRAWN[3], "KL to the reference, nats a token"),
    (DRAWN[4], "entropy, nats a token"),
    (DRAWN[5], "norm of the gradient"),
];

pub(crate) type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Drawn = Result<(), Box<dyn std::error::Error>>;
type Axes<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Iterations of the moving average.
const WINDOW: usize = 20;

/// What a panel shows of one quantity.
struct Curve {
    label: &'static str,
    colour: RGBColor,
    points: Vec<(f64, f64)>,
    shape: Shape,
}

enum Shape {
    /// A pale line through every iteration, and its moving average.
    Line,
    /// Single measurements: nothing is known in between.
    Dots,
}

/// Draws success, reward, episode length, divergence, entropy and gradient over the iterations:
/// each iteration pale (of thousands, the means of some), the mean of the last 20 in full colour.
///
/// # Errors
/// The picture cannot be drawn or written.
pub(crate) fn draw(
    path: &Path,
    title: &str,
    history: &MetricsHistory,
    evaluations: &Evaluations,
) -> Result<(), RunError> {
    draw_picture(path, SIZE, (title, 22), |root| render(root, history, evaluations))
}

/// Draws a picture with a title of a size, and what `render` puts under it.
///
/// # Errors
/// Those of [`draw`].
pub(super) fn draw_picture(
    path: &Path,
    size: (u32, u32),
    (title, title_size): (&str, u32),
    render: impl FnOnce(&Panel<'_>) -> Drawn,
) -> Result<(), RunError> {
    let mut picture = String::new();
    let draw = || {
        let root = SVGBackend::with_string(&mut picture, size).into_drawing_area();
        root.fill(&WHITE)?;
        render(&root.titled(title, font(title_size))?)?;
        Ok(root.present()?)
    };
    let drawn: Drawn = draw();
    drawn
        .map_err(|error| RunError::Curves { path: path.to_owned(), message: error.to_string() })?;
    atomic_write::replace(path, picture.as_bytes())
}

fn render(root: &Panel<'_>, history: &MetricsHistory, evaluations: &Evaluations) -> Drawn {
    let last = history.iterations().max(1) as f64;
    let mut success = vec![curve(history, "success_rate", "training", BLUE)];
    success.extend(SPLITS.into_iter().zip([GREEN, ORANGE]).map(|(split, colour)| {
        let mean = |at| Some((at as f64, evaluations.at(at, split)?.mean));
        let points = evaluations.iterations().into_iter().filter_map(mean).collect();
        Curve { label: split.name(), colour, points, shape: Shape::Dots }
    }));
    let panels = root.split_evenly((2, 3));
    panel(&panels[0], "success rate", last, Some((0.0, 1.0)), &success)?;
    for ((name, caption), area) in PANELS.into_iter().zip(&panels[1..]) {
        panel(area, caption, last, None, &[curve(history, name, "", BLUE)])?;
    }
    Ok(())
}

fn curve(history: &MetricsHistory, name: &str, label: &'static str, colour: RGBColor) -> Curve {
    let points = history.series(name).into_iter().flat_map(DownsampledSeries::points);
    let points = points.map(|it| (it.iteration, it.mean)).collect();
    Curve { label, colour, points, shape: Shape::Line }
}

fn panel(
    area: &Panel<'_>,
    caption: &str,
    last: f64,
    fixed: Option<(f64, f64)>,
    curves: &[Curve],
) -> Drawn {
    let (low, high) = fixed.unwrap_or_else(|| range(curves));
    let mut axes = ChartBuilder::on(area)
        .caption(caption, font(17))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..last, low..high)?;
    axes.configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(font(14))
        .x_label_formatter(&|value| format!("{value:.0}"))
        // Whole iterations only: no more labels than iterations.
        .x_labels((last as usize + 1).min(11))
        .y_labels(6)
        .x_desc("iteration")
        .draw()?;
    for curve in curves.iter().filter(|curve| !curve.points.is_empty()) {
        add(&mut axes, curve)?;
    }
    if curves.len() > 1 {
        axes.configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.85))
            .label_font(font(14))
            .draw()?;
    }
    Ok(())
}

fn add(axes: &mut Axes<'_>, curve: &Curve) -> Drawn {
    let (points, colour) = (&curve.points, curve.colour);
    let style = colour.stroke_width(2);
    match curve.shape {
        Shape::Line if points.len() > 1 => {
            axes.draw_series(LineSeries::new(points.iter().copied(), colour.mix(0.3)))?;
            axes.draw_series(LineSeries::new(smooth(points), style))?
                .label(curve.label)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], style));
        }
        Shape::Line | Shape::Dots => {
            let dot = |point: &(f64, f64)| Circle::new(*point, 4, colour.filled());
            axes.draw_series(points.iter().map(dot))?
                .label(curve.label)
                .legend(move |(x, y)| Circle::new((x + 9, y), 4, colour.filled()));
        }
    }
    Ok(())
}

/// The mean of the last [`WINDOW`] values at each point; of as many as there are before that.
fn smooth(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    (0..points.len())
        .map(|end| {
            let window = &points[(end + 1).saturating_sub(WINDOW)..=end];
            let sum: f64 = window.iter().map(|point| point.1).sum();
            (points[end].0, sum / window.len() as f64)
        })
        .collect()
}

pub(crate) fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// From the smallest to the largest value with a margin; never empty.
fn range(curves: &[Curve]) -> (f64, f64) {
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let low = values().fold(f64::INFINITY, f64::min).min(0.0);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let margin = if high > low { 0.05 * (high - low) } else { 1.0 };
    (low, if high.is_finite() { high + margin } else { low + 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moving_average_looks_back_over_twenty_points() {
        let points: Vec<_> = (0..25).map(|x| (f64::from(x), f64::from(x))).collect();
        let smooth = smooth(&points);
        // 0; (0 + 1 + 2) / 3; (5 + … + 24) / 20.
        assert_eq!([smooth[0], smooth[2], smooth[24]], [(0.0, 0.0), (2.0, 1.0), (24.0, 14.5)]);
    }
}
