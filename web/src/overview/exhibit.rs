//! Exhibits of the overview: the distributions of the advantages, and curves of metrics.

use super::model::curve::Axes;
use super::model::{File, Found, Histogram, Key, Run, SIDE, label};
use crate::export::{Axis, Bar, Chart, Curve, Exhibit, Panel};
use crate::model::number;
use crate::text::overview as words;

/// The distribution of the advantages of the steps that are found, under each estimator.
pub(super) fn distributions(name: &str, settings: &str, file: &File, found: &Found) -> Exhibit {
    let head = ["estimator", "from", "to", "steps"].map(str::to_owned).to_vec();
    let (mut panels, mut numbers) = (Vec::new(), vec![head]);
    for (method, advantages) in file.methods.iter().zip(&file.advantages) {
        let own = advantages.iter().zip(&found.steps).filter(|(_, meets)| **meets);
        let histogram = Histogram::of(own.map(|(value, _)| *value));
        numbers.extend(histogram.bars.iter().enumerate().map(|(place, count)| {
            let [from, to] = ends(&histogram, place).map(|end| end.to_string());
            vec![label(method).to_owned(), from, to, count.to_string()]
        }));
        panels.push(Panel::Chart(chart(label(method), &histogram)));
    }
    Exhibit {
        name: [name, "-distributions"].concat(),
        title: [name, ": ", words::distributions()].concat(),
        settings: settings.to_owned(),
        panels,
        notes: vec![words::distributions_hint().to_owned()],
        numbers,
    }
}

/// Between which advantages a bar lies; the middle one is at 0.
fn ends(histogram: &Histogram, place: usize) -> [f64; 2] {
    let width = histogram.limit / SIDE as f64;
    match place.checked_sub(SIDE) {
        None => [SIDE - place, SIDE - place - 1].map(|away| -(away as f64) * width + 0.0),
        Some(0) => [0.0; 2],
        Some(away) => [away - 1, away].map(|away| away as f64 * width),
    }
}

fn chart(name: &str, histogram: &Histogram) -> Chart {
    let highest = histogram.bars.iter().copied().max().unwrap_or_default().max(1);
    let sides = histogram.sides();
    let total = sides.iter().sum();
    let middle = SIDE as f64 + 0.5;
    // The bar at zero lies between the sides.
    let tick = |share: f64| {
        let aside = if share == 0.0 { 0.0 } else { share.signum() / 2.0 };
        let at = middle + aside + share * SIDE as f64;
        (at, number::short(share * histogram.limit, 4))
    };
    let bar = |(place, count): (usize, &usize)| Bar {
        ends: [place as f64, place as f64 + 1.0],
        height: *count as f64,
        sign: place as f64 - SIDE as f64,
    };
    Chart {
        title: name.to_owned(),
        across: Axis {
            name: words::advantage().to_owned(),
            ends: [0.0, (2 * SIDE + 1) as f64],
            ticks: [-1.0, -0.5, 0.0, 0.5, 1.0].map(tick).to_vec(),
        },
        up: Axis {
            name: words::column(Key::Steps).0.to_owned(),
            ends: [0.0, highest as f64],
            ticks: [0, highest].map(|count| (count as f64, number::count(count))).to_vec(),
        },
        bars: histogram.bars.iter().enumerate().filter(|(_, count)| **count > 0).map(bar).collect(),
        note: words::spread(sides.map(|count| number::percent(count as f64, total))),
        ..Chart::default()
    }
}

/// Some metrics of some runs over their iterations.
pub(super) fn curves(runs: &[Run], keys: &[&str]) -> Exhibit {
    let chart = |key: &&str| {
        let axes = Axes::of(runs.iter().flat_map(|run| run.of(key)))?;
        let [first, last] = axes.iterations;
        let curve = |run: &Run| Curve {
            name: run.name.clone(),
            points: run.of(key).iter().map(|(at, value)| (*at as f64, *value)).collect(),
            band: Vec::new(),
        };
        Some(Panel::Chart(Chart {
            title: (*key).to_owned(),
            across: Axis {
                name: words::iteration().to_owned(),
                ends: [first as f64, last as f64],
                ticks: [first, last].map(|at| (at as f64, at.to_string())).to_vec(),
            },
            up: Axis {
                name: (*key).to_owned(),
                ends: axes.values,
                ticks: axes.lines().into_iter().map(|at| (at, number::brief(at))).collect(),
            },
            curves: runs.iter().map(curve).collect(),
            ..Chart::default()
        }))
    };
    let head = ["run", "metric", "iteration", "value"].map(str::to_owned).to_vec();
    let lines = keys.iter().flat_map(|key| {
        runs.iter().flat_map(move |run| {
            let line = |(at, value): &(u64, f64)| {
                vec![run.name.clone(), (*key).to_owned(), at.to_string(), value.to_string()]
            };
            run.of(key).iter().map(line)
        })
    });
    Exhibit {
        name: "curves".to_owned(),
        title: words::runs().to_owned(),
        panels: keys.iter().filter_map(chart).collect(),
        numbers: std::iter::once(head).chain(lines).collect(),
        ..Exhibit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{curves, distributions, ends};
    use crate::export::Column;
    use crate::overview::model::tests::both;
    use crate::overview::model::{Filter, Histogram, Run, SIDE};

    #[test]
    fn bars_lie_side_by_side_around_zero() {
        let histogram = Histogram::of([2.0, -2.0].into_iter());
        let all: Vec<[f64; 2]> = (0..=2 * SIDE).map(|place| ends(&histogram, place)).collect();
        assert!(all.windows(2).all(|pair| (pair[0][1] - pair[1][0]).abs() < 1e-12), "{all:?}");
        assert!((all[0][0] + 2.0).abs() < 1e-12 && (all[2 * SIDE][1] - 2.0).abs() < 1e-12);
        assert!(all[SIDE].iter().all(|end| end.abs() < 1e-12));
    }

    #[test]
    fn the_file_counts_every_step_that_is_found() {
        let file = both();
        let found = Filter { alone: true, ..Filter::default() }.apply(&file);
        let exhibit = distributions("both", "HGPO", &file, &found);
        assert_eq!(exhibit.numbers.len(), 1 + 3 * (2 * SIDE + 1));
        let steps = exhibit.numbers[1..].iter().filter(|line| line[0] == "HGPO");
        let steps: usize = steps.map(|line| line[3].parse::<usize>().expect("a count")).sum();
        assert_eq!(steps, found.count);
    }

    #[test]
    fn curves_have_their_runs_in_picture_and_file() {
        let run = |name: &str| {
            let text =
                "{\"iteration\":1,\"success_rate\":0.5}\n{\"iteration\":2,\"success_rate\":1}\n";
            Run::read(name, text).expect("metrics")
        };
        let exhibit = curves(&[run("a.jsonl"), run("b.jsonl")], &["success_rate"]);
        assert_eq!(exhibit.numbers.len(), 5);
        assert_eq!(exhibit.numbers[4][1..], ["success_rate", "2", "1"]);
        let svg = exhibit.svg(Column::One);
        assert!(exhibit.numbers[1..].iter().all(|line| svg.contains(&line[0])), "the legend");
    }
}
