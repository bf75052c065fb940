//! The chart: success over the iterations, a line and a band for each lane.

use super::lane::percent;
use super::swatch;
use crate::export::{Axis, Chart as PaperChart, Curve, Exhibit, Panel, exhibit_menu};
use crate::platform::dom;
use crate::text::train as text;
use crate::train::model::Model;
use crate::train::model::reading::{Band, thinned};
use crate::view::plot;
use yew::prelude::*;

/// The picture's width and height, and where its field begins and ends.
const PICTURE: (f64, f64) = (560.0, 320.0);
const LEFT: f64 = 44.0;
const RIGHT: f64 = 552.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 280.0;

/// The most points of a line; more are not told apart on a screen.
const POINTS: usize = 250;

/// The fewest iterations that the field has room for.
const FEWEST: u64 = 20;

/// A lane as it is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    name: String,
    points: Vec<(u64, Band)>,
}

/// What the chart needs.
#[derive(Properties, PartialEq)]
pub(crate) struct ChartProps {
    lines: Vec<Line>,
    /// The iteration that lanes have come to, and the last that was measured.
    now: (u64, u64),
    /// The iterations after which something was changed.
    changes: Vec<u64>,
    seeds: usize,
}

/// The chart under its title, and what it says as a table.
pub(crate) fn section(model: &Model) -> Html {
    let line = |at: usize| {
        let points = &model.lanes[at].points;
        let drawn =
            thinned(points.len(), POINTS).map(|place| (place as u64 + 1, points[place].success));
        Line { name: text::lane_name(model, at), points: drawn.collect() }
    };
    let lines: Vec<Line> = (0..model.lanes.len()).map(line).collect();
    let changes: Vec<u64> = model.plan.later.iter().map(|(at, _)| *at).collect();
    let seeds = model.setup().seeds().len();
    let all = |at: usize| {
        let points = model.lanes[at].points.iter().enumerate();
        let points = points.map(|(place, point)| (place as u64 + 1, point.success)).collect();
        Line { name: text::lane_name(model, at), points }
    };
    let exhibited: Vec<Line> = (0..model.lanes.len()).map(all).collect();
    let marked = changes.clone();
    let make = move || exhibit(&exhibited, &marked, seeds);
    html! {
        <section class="training-chart" aria-labelledby="training-chart">
            <h2 id="training-chart">{ text::chart() }</h2>
            <Chart {lines} {changes} {seeds} now={(model.iteration(), model.last())} />
            if model.last() > 0 { { exhibit_menu("success", text::chart(), make) } }
        </section>
    }
}

/// The chart as a picture for paper, and every iteration of every lane as numbers.
fn exhibit(lines: &[Line], changes: &[u64], seeds: usize) -> Exhibit {
    let last = lines.iter().filter_map(|line| line.points.last()).map(|(at, _)| *at).max();
    let extent = extent(last.unwrap_or_default());
    let curve = |line: &Line| {
        let drawn: Vec<_> = thinned(line.points.len(), POINTS).map(|at| line.points[at]).collect();
        let band = drawn.iter().map(|(_, band)| [band.low(), band.high()]);
        Curve {
            name: line.name.clone(),
            points: drawn.iter().map(|(at, band)| (*at as f64, band.mean)).collect(),
            band: if seeds > 1 { band.collect() } else { Vec::new() },
        }
    };
    let ticks = (0..=4).map(|quarter| extent * quarter / 4).map(|at| (at as f64, at.to_string()));
    let percents = (0..=4).map(|quarter| (f64::from(quarter) / 4.0, format!("{} %", 25 * quarter)));
    let chart = PaperChart {
        across: Axis {
            name: text::iteration().to_owned(),
            ends: [0.0, extent as f64],
            ticks: ticks.collect(),
        },
        up: Axis {
            name: crate::text::success().to_owned(),
            ends: [0.0, 1.0],
            ticks: percents.collect(),
        },
        curves: lines.iter().map(curve).collect(),
        marks: changes.iter().map(|at| (*at as f64, String::new())).collect(),
        ..PaperChart::default()
    };
    let head = ["iteration", "lane", "mean", "low", "high"].map(str::to_owned).to_vec();
    let numbers = lines.iter().flat_map(|line| {
        line.points.iter().map(|(at, band)| {
            let values = [band.mean, band.low(), band.high()].map(|value| value.to_string());
            [at.to_string(), line.name.clone()].into_iter().chain(values).collect()
        })
    });
    Exhibit {
        name: "training".to_owned(),
        title: text::chart().to_owned(),
        panels: vec![Panel::Chart(chart)],
        notes: vec![text::band(seeds)],
        numbers: std::iter::once(head).chain(numbers).collect(),
        ..Exhibit::default()
    }
}

/// The iterations that the field has room for: a number whose quarters are round.
fn extent(last: u64) -> u64 {
    let last = last.max(FEWEST);
    let unit = 10_u64.pow(last.ilog10() - 1);
    let steps = [10, 12, 16, 20, 24, 32, 40, 60, 80, 100];
    steps.into_iter().map(|step| step * unit).find(|extent| *extent >= last).unwrap_or(last)
}

fn across(iteration: u64, extent: u64) -> f64 {
    LEFT + (RIGHT - LEFT) * iteration as f64 / extent as f64
}

fn down(share: f64) -> f64 {
    FOOT - (FOOT - TOP) * share
}

#[function_component]
fn Chart(props: &ChartProps) -> Html {
    let ChartProps { lines, now: (now, last), changes, seeds } = props;
    let last = *last;
    let read = use_state_eq(|| None::<u64>);
    let extent = extent(last);
    let at = read.unwrap_or(*now).min(last);
    let read_at = {
        let read = read.setter();
        Callback::from(move |at: Option<u64>| read.set(at.map(|at| at.clamp(1, last.max(1)))))
    };
    let onpointermove = read_at.reform(move |event: PointerEvent| iteration_at(&event, extent));
    let onpointerleave = read_at.reform(|_: PointerEvent| None);
    let onblur = read_at.reform(|_: FocusEvent| None);
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if let Some(next) = iteration_by(&event.key(), at, last) {
            event.prevent_default();
            read_at.emit(Some(next));
        }
    });
    let values = lines.iter().filter_map(|it| Some(format!("{}: {}", it.name, readout(it, at)?)));
    let told = text::at_iteration(at, &values.collect::<Vec<_>>().join(", "));
    let legend = |(lane, line): (usize, &Line)| {
        html! {
            <li class={format!("lane{lane}")}>
                { swatch() }<span>{ &line.name }</span>{ " " }<b>{ readout(line, at).unwrap_or_default() }</b>
            </li>
        }
    };
    html! {
        <>
            <svg class="chart" viewBox={format!("0 0 {} {}", PICTURE.0, PICTURE.1)} tabindex="0" role="slider"
                aria-label={text::chart_label()} aria-valuemin="0" aria-valuemax={last.to_string()}
                aria-valuenow={at.to_string()} aria-valuetext={told}
                {onpointermove} {onpointerleave} {onblur} {onkeydown}>
                { scales(extent) }
                { for changes.iter().map(|at| upright("changed", *at, extent)) }
                { for lines.iter().enumerate().map(|(lane, line)| drawn(lane, line, extent)) }
                if at > 0 { { upright("now", at, extent) } }
            </svg>
            <p class="when">{ text::iteration_number(at) }</p>
            <ul class="legend">{ for lines.iter().enumerate().map(legend) }</ul>
            <p class="hint">{ text::band(*seeds) }</p>
            { table(lines, last, *seeds) }
        </>
    }
}

/// The iteration that a key leads to from another one.
fn iteration_by(key: &str, at: u64, last: u64) -> Option<u64> {
    let far = (last / 10).max(1);
    Some(match key {
        "ArrowLeft" | "ArrowDown" => at.saturating_sub(1),
        "ArrowRight" | "ArrowUp" => at + 1,
        "PageDown" => at.saturating_sub(far),
        "PageUp" => at + far,
        "Home" => 1,
        "End" => last,
        _ => return None,
    })
}

/// What a lane's line says at an iteration.
fn readout(line: &Line, at: u64) -> Option<String> {
    let place = line.points.partition_point(|(iteration, _)| *iteration <= at).checked_sub(1)?;
    Some(percent(line.points[place].1))
}

fn iteration_at(event: &PointerEvent, extent: u64) -> Option<u64> {
    let (across, _) = dom::place(event, ".chart")?;
    let part = (PICTURE.0 * across - LEFT) / (RIGHT - LEFT);
    Some((part * extent as f64).round().max(0.0) as u64)
}

fn scales(extent: u64) -> Html {
    let level = |quarter: u32| {
        let y = down(f64::from(quarter) / 4.0);
        plot::scale_line((LEFT, RIGHT), y, format!("{} %", 25 * quarter))
    };
    let moment = |quarter: u64| {
        let iteration = extent * quarter / 4;
        let x = across(iteration, extent);
        let class = if quarter == 4 { "end" } else { "middle" };
        plot::label(class, (x, FOOT + 18.0), iteration.to_string())
    };
    html! {
        <>
            { for (0..=4).map(level) }
            { for (0..=4).map(moment) }
            { plot::label("middle", (f64::midpoint(LEFT, RIGHT), FOOT + 36.0), text::iteration().to_owned()) }
        </>
    }
}

fn upright(class: &'static str, iteration: u64, extent: u64) -> Html {
    html! { <path {class} d={format!("M{:.1} {TOP}V{FOOT}", across(iteration, extent))} /> }
}

/// A lane's band and line, and a dot if there is only one point.
fn drawn(at: usize, line: &Line, extent: u64) -> Html {
    let points = |of: fn(Band) -> f64| {
        line.points.iter().map(move |(when, band)| (across(*when, extent), down(of(*band))))
    };
    let (class, mean) = (format!("lane{at}"), points(|band| band.mean));
    if line.points.len() < 2 {
        return plot::line(class, mean.collect());
    }
    let around = points(Band::high).chain(points(Band::low).rev());
    html! {
        <g {class}>
            <path class="band" d={plot::way(around) + "z"} />
            <path class="mean" d={plot::way(mean)} />
        </g>
    }
}

/// The same as a table, for who does not see the chart or wants the numbers.
fn table(lines: &[Line], last: u64, seeds: usize) -> Html {
    if last == 0 {
        return Html::default();
    }
    let every = last.div_ceil(12).max(1);
    let rows = (1..=last).filter(|at| at % every == 0 || *at == last || *at == 1);
    let head = |line: &Line| html! { <th scope="col">{ &line.name }</th> };
    let row = |at: u64| {
        let cells = lines.iter().map(|line| html! { <td>{ readout(line, at) }</td> });
        html! { <tr><th scope="row">{ at }</th>{ for cells }</tr> }
    };
    html! {
        <details class="more">
            <summary>{ text::as_table() }</summary>
            <div class="scrolled" tabindex="0" role="region" aria-label={text::as_table()}>
                <table>
                    <caption>{ text::band(seeds) }</caption>
                    <thead><tr>
                        <th scope="col">{ text::iteration() }</th>{ for lines.iter().map(head) }
                    </tr></thead>
                    <tbody>{ for rows.map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::{across, down, extent};

    #[test]
    fn the_field_ends_at_a_round_number() {
        let extents = [0, 20, 21, 61, 100, 101, 170, 1234, 10_000].map(extent);
        assert_eq!(extents, [20, 20, 24, 80, 100, 120, 200, 1600, 10_000]);
        assert!((across(50, 100) - 298.0).abs() < 1e-9 && (down(0.5) - 145.0).abs() < 1e-9);
    }
}
