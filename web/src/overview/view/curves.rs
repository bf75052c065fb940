//! Curves of metrics over the iterations of some runs.

use crate::model::number;
use crate::overview::model::Run;
use crate::overview::model::curve::{Axes, running_mean, thinned};
use crate::overview::runs::Session;
use crate::text::overview as words;
use crate::view::plot;
use yew::prelude::*;

/// Measures of a picture: the width and height of the field, and the room around it.
const FIELD: (f64, f64) = (420.0, 150.0);
const LEFT: f64 = 58.0;
const TOP: f64 = 10.0;

/// The rate of success and the chosen metric; where the rollouts of an iteration are shown, it is marked.
pub(super) fn of_session(session: &Session, name: &str) -> Html {
    if session.runs.is_empty() {
        return Html::default();
    }
    let trace = session.traces.iter().find(|trace| trace.name == name);
    let marked = trace.and_then(|trace| trace.iteration);
    keys(session).into_iter().map(|key| curve(&session.runs, key, marked)).collect()
}

/// The metrics that are drawn.
pub(super) fn keys(session: &Session) -> Vec<&str> {
    let mut keys = vec!["success_rate", &*session.key];
    keys.dedup();
    keys
}

fn curve(runs: &[Run], key: &str, marked: Option<u64>) -> Html {
    let points = runs.iter().flat_map(|run| run.of(key));
    html! {
        <figure class="curve">
            <figcaption><b><bdi>{ key }</bdi></b></figcaption>
            if let Some(axes) = Axes::of(points) {
                { chart(runs, key, &axes, marked) }
            } else {
                <p class="hint">{ words::not_in_run() }</p>
            }
        </figure>
    }
}

fn chart(runs: &[Run], key: &str, axes: &Axes, marked: Option<u64>) -> Html {
    let told = readings(runs, key, marked);
    let label = words::curve_of(key, axes.iterations, &told.join(", "));
    let (width, height) = (LEFT + FIELD.0 + 16.0, TOP + FIELD.1 + 36.0);
    let [first, last] = axes.iterations;
    let marked = marked.filter(|at| (first..=last).contains(at)).map(|at| {
        let (x, _) = on_field(axes, (at, axes.values[0]));
        html! { <path class="marked" d={format!("M{x:.1} {TOP:.1}v{:.1}", FIELD.1)} /> }
    });
    html! {
        <>
            <svg role="img" aria-label={label} viewBox={format!("0 0 {width} {height}")}>
                { scales(axes) }
                { marked }
                { for runs.iter().enumerate().map(|(place, run)| lines(axes, place, run.of(key))) }
            </svg>
            <ul class="readings">
                { for told.into_iter().enumerate().map(|(place, reading)| html! {
                    <li class={format!("run{place}")}><bdi>{ reading }</bdi></li>
                }) }
            </ul>
        </>
    }
}

/// What each run has at the marked iteration, or the last one before it.
fn readings(runs: &[Run], key: &str, marked: Option<u64>) -> Vec<String> {
    let reading = |run: &Run| {
        let points = run.of(key);
        let end = marked.map_or(points.len(), |it| points.partition_point(|point| point.0 <= it));
        let (iteration, value) = *points[..end].last().or(points.first())?;
        Some(words::at_iteration(&run.name, &number::brief(value), iteration))
    };
    runs.iter().filter_map(reading).collect()
}

fn on_field(axes: &Axes, point: (u64, f64)) -> (f64, f64) {
    let (across, down) = axes.place(point);
    (LEFT + across * FIELD.0, TOP + down * FIELD.1)
}

fn scales(axes: &Axes) -> Html {
    let line = |value: f64| {
        let (_, y) = on_field(axes, (axes.iterations[0], value));
        plot::scale_line((LEFT, LEFT + FIELD.0), y, number::brief(value))
    };
    let foot = TOP + FIELD.1;
    let [first, last] = axes.iterations.map(|iteration| iteration.to_string());
    html! {
        <>
            { for axes.lines().into_iter().map(line) }
            { plot::label("start", (LEFT, foot + 16.0), first) }
            { plot::label("end", (LEFT + FIELD.0, foot + 16.0), last) }
            { plot::label("middle", (LEFT + FIELD.0 / 2.0, foot + 30.0), words::iteration().to_owned()) }
        </>
    }
}

/// A run's points as a line; faint behind their running mean if they are noisy.
fn lines(axes: &Axes, place: usize, points: &[(u64, f64)]) -> Html {
    let mean = running_mean(points);
    let faint = mean.as_ref().map(|_| line(axes, format!("run{place} faint"), points));
    html! { <>{ faint }{ line(axes, format!("run{place}"), mean.as_deref().unwrap_or(points)) }</> }
}

fn line(axes: &Axes, class: String, points: &[(u64, f64)]) -> Html {
    plot::line(class, thinned(points).into_iter().map(|point| on_field(axes, point)).collect())
}

#[cfg(test)]
mod tests {
    use super::{Axes, on_field, readings};
    use crate::overview::model::Run;
    use crate::view::plot;

    fn run(name: &str, values: &[f64]) -> Run {
        let lines = values.iter().enumerate().map(|(place, value)| {
            format!("{{\"iteration\":{},\"success_rate\":{value}}}\n", place + 1)
        });
        Run::read(name, &lines.collect::<String>()).expect("metrics")
    }

    #[test]
    fn two_runs_share_the_axes() {
        let runs = [run("A", &[0.0, 1.0, 0.5]), run("B", &[0.25, 0.25])];
        let axes = Axes::of(runs.iter().flat_map(|run| run.of("success_rate"))).expect("points");
        // The field is 420 by 150 from (58, 10); values 0 to 1, iterations 1 to 3.
        let way = |run: &Run| {
            plot::way(run.of("success_rate").iter().map(|point| on_field(&axes, *point)))
        };
        assert_eq!(way(&runs[0]), "M58.0 160.0L268.0 10.0L478.0 85.0");
        assert_eq!(way(&runs[1]), "M58.0 122.5L268.0 122.5");
        let said = |marked| readings(&runs, "success_rate", marked).join(", ");
        assert_eq!(said(Some(2)), "A: 1 at iteration 2, B: 0.25 at iteration 2");
        assert_eq!(said(None), "A: 0.5 at iteration 3, B: 0.25 at iteration 2");
        assert_eq!(readings(&runs, "kl", None), [""; 0], "a metric that no run has");
    }
}
