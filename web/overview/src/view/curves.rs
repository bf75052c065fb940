//! Metrics over the iterations of some runs.

use super::Markup;
use crate::{
    model::{
        Run,
        curve::{Axes, running_mean, thinned},
        number,
    },
    text,
};

/// Measures of a picture: the width and height of the field, and the room around it.
const FIELD: (f64, f64) = (420.0, 150.0);
const LEFT: f64 = 58.0;
const TOP: f64 = 10.0;

/// A chart for each of some metrics; `marked` is the iteration whose rollouts are shown.
pub(crate) fn curves(runs: &[Run], keys: &[String], marked: Option<u64>) -> String {
    let mut to = Markup::default();
    for key in keys {
        to.raw("<figure class=\"curve\"><figcaption><b>").own(key).raw("</b></figcaption>");
        let points = runs.iter().flat_map(|run| run.of(key));
        match Axes::of(points) {
            Some(axes) => chart(&mut to, runs, key, &axes, marked),
            None => {
                to.raw("<p class=\"hint\">").raw(text::not_in_run()).raw("</p>");
            }
        }
        to.raw("</figure>");
    }
    to.finish()
}

fn chart(to: &mut Markup, runs: &[Run], key: &str, axes: &Axes, marked: Option<u64>) {
    let told = said(runs, key, marked);
    to.raw("<svg role=\"img\"");
    to.attribute("aria-label", &text::curve_of(key, axes.iterations, &told.join(", ")));
    let (width, height) = (LEFT + FIELD.0 + 16.0, TOP + FIELD.1 + 36.0);
    to.attribute("viewBox", &format!("0 0 {width} {height}")).raw(">");
    scales(to, axes);
    if let Some(iteration) =
        marked.filter(|it| (axes.iterations[0]..=axes.iterations[1]).contains(it))
    {
        let (x, _) = on_field(axes, (iteration, axes.values[0]));
        to.raw("<path class=\"marked\" d=\"M").length(x).raw(" ").length(TOP).raw("v");
        to.length(FIELD.1).raw("\"/>");
    }
    for (place, run) in runs.iter().enumerate() {
        lines(to, axes, place, run.of(key));
    }
    to.raw("</svg><ul class=\"readings\">");
    for (place, reading) in told.iter().enumerate() {
        to.raw("<li class=\"run").number(place).raw("\">").own(reading).raw("</li>");
    }
    to.raw("</ul>");
}

/// What each run has at the marked iteration, or the last one before it.
fn said(runs: &[Run], key: &str, marked: Option<u64>) -> Vec<String> {
    let reading = |run: &Run| {
        let points = run.of(key);
        let end = marked.map_or(points.len(), |it| points.partition_point(|point| point.0 <= it));
        let (iteration, value) = *points[..end].last().or(points.first())?;
        Some(text::at_iteration(&run.name, &number::brief(value), iteration))
    };
    runs.iter().filter_map(reading).collect()
}

fn on_field(axes: &Axes, point: (u64, f64)) -> (f64, f64) {
    let (across, down) = axes.place(point);
    (LEFT + across * FIELD.0, TOP + down * FIELD.1)
}

fn scales(to: &mut Markup, axes: &Axes) {
    for value in axes.lines() {
        let (_, y) = on_field(axes, (axes.iterations[0], value));
        to.raw("<path class=\"line\" d=\"M").length(LEFT).raw(" ").length(y).raw("h");
        to.length(FIELD.0).raw("\"/><text class=\"end\" x=\"").length(LEFT - 6.0).raw("\" y=\"");
        to.length(y + 4.0).raw("\">").text(&number::brief(value)).raw("</text>");
    }
    let foot = TOP + FIELD.1;
    for (anchor, iteration, x) in
        [("start", axes.iterations[0], LEFT), ("end", axes.iterations[1], LEFT + FIELD.0)]
    {
        to.raw("<text class=\"").raw(anchor).raw("\" x=\"").length(x).raw("\" y=\"");
        to.length(foot + 16.0).raw("\">").raw(&iteration.to_string()).raw("</text>");
    }
    to.raw("<text class=\"middle\" x=\"").length(LEFT + FIELD.0 / 2.0).raw("\" y=\"");
    to.length(foot + 30.0).raw("\">").raw(text::iteration()).raw("</text>");
}

/// A run's points as a line; faint behind their running mean if they are noisy.
fn lines(to: &mut Markup, axes: &Axes, place: usize, points: &[(u64, f64)]) {
    let mean = running_mean(points);
    path(to, axes, &format!("run{place}{}", if mean.is_some() { " faint" } else { "" }), points);
    if let Some(mean) = mean {
        path(to, axes, &format!("run{place}"), &mean);
    }
}

fn path(to: &mut Markup, axes: &Axes, class: &str, points: &[(u64, f64)]) {
    let points = thinned(points);
    match points.as_slice() {
        [] => {}
        [one] => {
            let (x, y) = on_field(axes, *one);
            to.raw("<circle").attribute("class", class).raw(" cx=\"").length(x).raw("\" cy=\"");
            to.length(y).raw("\" r=\"3\"/>");
        }
        _ => {
            to.raw("<path").attribute("class", class).raw(" d=\"");
            for (at, point) in points.iter().enumerate() {
                let (x, y) = on_field(axes, *point);
                to.raw(if at == 0 { "M" } else { "L" }).length(x).raw(" ").length(y);
            }
            to.raw("\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::curves;
    use crate::model::Run;

    fn run(name: &str, values: &[f64]) -> Run {
        let lines = values.iter().enumerate().map(|(place, value)| {
            format!("{{\"iteration\":{},\"success_rate\":{value}}}\n", place + 1)
        });
        Run::read(name, &lines.collect::<String>()).expect("metrics")
    }

    #[test]
    fn two_runs_share_the_axes() {
        let runs = [run("A", &[0.0, 1.0, 0.5]), run("B", &[0.25, 0.25])];
        let drawn = curves(&runs, &["success_rate".to_owned()], Some(2));
        // The field is 420 by 150 from (58, 10); values 0 to 1, iterations 1 to 3.
        assert!(drawn.contains("<path class=\"run0\" d=\"M58.0 160.0L268.0 10.0L478.0 85.0\"/>"));
        assert!(drawn.contains("<path class=\"run1\" d=\"M58.0 122.5L268.0 122.5\"/>"));
        assert!(drawn.contains("<path class=\"marked\" d=\"M268.0 10.0v150.0\"/>"));
        assert!(drawn.contains("A: 1 at iteration 2, B: 0.25 at iteration 2"));
        let last = curves(&runs, &["success_rate".to_owned()], None);
        assert!(last.contains("A: 0.5 at iteration 3") && !last.contains("marked"));
    }

    #[test]
    fn a_metric_that_no_run_has_is_said() {
        assert!(
            curves(&[run("A", &[1.0])], &["kl".to_owned()], None)
                .contains("No run has this metric.")
        );
        let one = curves(&[run("A", &[1.0])], &["success_rate".to_owned()], None);
        assert!(one.contains("<circle class=\"run0\" cx=\"268.0\""));
    }

    #[test]
    fn noise_stands_behind_its_mean() {
        let noisy: Vec<f64> = (0..60).map(|place| f64::from(place % 2)).collect();
        let drawn = curves(&[run("A", &noisy)], &["success_rate".to_owned()], None);
        assert!(drawn.contains("class=\"run0 faint\"") && drawn.contains("class=\"run0\" d="));
    }
}
