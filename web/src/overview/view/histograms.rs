//! Histograms of the advantages, one picture an estimator.

use crate::model::number;
use crate::overview::model::{Histogram, Key, SIDE};
use crate::text::overview as words;
use crate::view::plot::{label, scale_line};
use std::cmp::Ordering;
use yew::prelude::*;

/// Measures of a picture: a bar's width, the bars' height, and the room left of and above them.
const BAR: f64 = 11.0;
const HEIGHT: f64 = 96.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 14.0;
const FOOT: f64 = TOP + HEIGHT;

/// The bars of both sides and the one at zero.
const BARS: usize = 2 * SIDE + 1;

/// The distribution of an estimator, by its name.
pub(super) fn histogram((name, histogram): (&'static str, Histogram)) -> Html {
    let sides = histogram.sides();
    let total = sides.iter().sum();
    let spread = words::spread(sides.map(|count| number::percent(count as f64, total)));
    let highest = histogram.bars.iter().copied().max().unwrap_or_default();
    let (limit, count) = (number::brief(histogram.limit), number::count(highest));
    let told = words::picture_of(name, [&limit, &count], &spread);
    html! {
        <figure>
            <figcaption><b>{ name }</b></figcaption>
            { picture(&histogram, highest.max(1), told) }
            <p class="hint">{ spread }</p>
        </figure>
    }
}

fn picture(histogram: &Histogram, highest: usize, told: String) -> Html {
    let (width, height) = (LEFT + BARS as f64 * BAR + 8.0, FOOT + 34.0);
    let middle = LEFT + (SIDE as f64 + 0.5) * BAR;
    let bars = histogram.bars.into_iter().enumerate();
    let bar = |(place, count): (usize, usize)| {
        let class = match place.cmp(&SIDE) {
            Ordering::Less => "less",
            Ordering::Equal => "at",
            Ordering::Greater => "more",
        };
        let (x, tall) = (LEFT + place as f64 * BAR + 0.5, height_of(count, highest));
        html! {
            <rect {class} x={format!("{x:.1}")} y={format!("{:.1}", FOOT - tall)} width={format!("{:.1}", BAR - 1.0)}
                height={format!("{tall:.1}")} />
        }
    };
    html! {
        <svg role="img" aria-label={told} viewBox={format!("0 0 {width} {height}")}>
            { scale(highest) }
            <path class="zero" d={format!("M{middle:.1} {:.1}V{FOOT:.1}", TOP - 8.0)} />
            { for bars.filter(|(_, count)| *count > 0).map(bar) }
            { axis(histogram.limit, middle) }
        </svg>
    }
}

/// How tall a bar is; what is there at all is to be seen.
fn height_of(count: usize, highest: usize) -> f64 {
    (count as f64 / highest as f64 * HEIGHT).max(1.5)
}

/// How many steps the highest bar stands for.
fn scale(highest: usize) -> Html {
    let sides = (LEFT, LEFT + BARS as f64 * BAR);
    html! {
        <>
            { scale_line(sides, TOP, number::count(highest)) }
            { scale_line(sides, FOOT, "0".to_owned()) }
            { label("start", (0.0, TOP + 4.0 + HEIGHT / 2.0), words::column(Key::Steps).0.to_owned()) }
        </>
    }
}

/// The advantages at both ends, half way to them and in the middle.
fn axis(limit: f64, middle: f64) -> Html {
    let reach = SIDE as f64 * BAR;
    let one = |share: f64| {
        // The bar at zero lies between the sides.
        let aside = if share == 0.0 { 0.0 } else { f64::signum(share) * BAR / 2.0 };
        let x = middle + aside + share * reach;
        html! {
            <>
                <path class="tick" d={format!("M{x:.1} {FOOT:.1}v4")} />
                { label("middle", (x, FOOT + 16.0), number::short(share * limit, 4)) }
            </>
        }
    };
    html! {
        <>
            <path class="tick" d={format!("M{LEFT:.1} {FOOT:.1}h{:.1}", BARS as f64 * BAR)} />
            { for [-1.0, -0.5, 0.0, 0.5, 1.0].into_iter().map(one) }
            { label("middle", (middle, FOOT + 31.0), words::advantage().to_owned()) }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::height_of;

    #[test]
    fn bars_are_as_high_as_their_share_of_the_highest() {
        let found = [height_of(1, 2), height_of(2, 2), height_of(1, 1000)];
        assert_eq!(found.map(|height| format!("{height:.1}")), ["48.0", "96.0", "1.5"]);
    }
}
