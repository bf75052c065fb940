//! How the advantages are spread, one picture an estimator.

use super::Markup;
use crate::{
    model::{Histogram, SIDE, number},
    text,
};

/// Measures of a picture: a bar's width, the bars' height, and the room left of and above them.
const BAR: f64 = 11.0;
const HEIGHT: f64 = 96.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 14.0;

/// The bars of both sides and the one at zero.
const BARS: usize = 2 * SIDE + 1;

/// The distributions of some estimators, by name.
pub(crate) fn histograms<'a>(all: impl Iterator<Item = (&'a str, Histogram)>) -> String {
    let mut to = Markup::default();
    to.raw("<div class=\"spreads\">");
    for (name, histogram) in all {
        let sides = histogram.sides();
        let share = |count: usize| number::percent(count as f64, histogram.total);
        let spread = text::spread([share(sides[0]), share(histogram.zero), share(sides[1])]);
        let limit = number::brief(histogram.limit);
        let highest = number::count(histogram.highest());
        to.raw("<figure><figcaption><b>").text(name).raw("</b></figcaption>");
        picture(&mut to, &histogram, &text::picture_of(name, [&limit, &highest], &spread));
        to.raw("<p class=\"hint\">").raw(&spread).raw("</p></figure>");
    }
    to.raw("</div>");
    to.finish()
}

fn picture(to: &mut Markup, histogram: &Histogram, told: &str) {
    let width = LEFT + BARS as f64 * BAR + 8.0;
    let height = TOP + HEIGHT + 34.0;
    to.raw("<svg role=\"img\"").attribute("aria-label", told);
    to.attribute("viewBox", &format!("0 0 {width} {height}")).raw(">");
    let highest = histogram.highest().max(1);
    scale(to, highest);
    let middle = LEFT + (SIDE as f64 + 0.5) * BAR;
    to.raw("<path class=\"zero\" d=\"M").length(middle).raw(" ").length(TOP - 8.0).raw("V");
    to.length(TOP + HEIGHT).raw("\"/>");
    let below = histogram.below.iter().rev().map(|count| ("less", *count));
    let above = histogram.above.iter().map(|count| ("more", *count));
    let bars = below.chain([("at", histogram.zero)]).chain(above);
    for (place, (class, count)) in bars.enumerate().filter(|(_, (_, count))| *count > 0) {
        // What is there at all is to be seen.
        let tall = (count as f64 / highest as f64 * HEIGHT).max(1.5);
        to.raw("<rect class=\"").raw(class).raw("\" x=\"").length(LEFT + place as f64 * BAR + 0.5);
        to.raw("\" y=\"").length(TOP + HEIGHT - tall).raw("\" width=\"").length(BAR - 1.0);
        to.raw("\" height=\"").length(tall).raw("\"/>");
    }
    axis(to, histogram.limit, middle);
    to.raw("</svg>");
}

/// How many steps the highest bar stands for.
fn scale(to: &mut Markup, highest: usize) {
    for (share, label) in [(1.0, number::count(highest)), (0.0, "0".to_owned())] {
        let y = TOP + HEIGHT * (1.0 - share);
        to.raw("<path class=\"line\" d=\"M").length(LEFT).raw(" ").length(y).raw("h");
        to.length(BARS as f64 * BAR).raw("\"/>");
        label_at(to, "end", (LEFT - 5.0, y + 4.0), &label);
    }
    label_at(to, "start", (0.0, TOP - 4.0 + HEIGHT / 2.0 + 8.0), text::steps());
}

/// The advantages at both ends, half way to them and in the middle.
fn axis(to: &mut Markup, limit: f64, middle: f64) {
    to.raw("<path class=\"tick\" d=\"M").length(LEFT).raw(" ").length(TOP + HEIGHT).raw("h");
    to.length(BARS as f64 * BAR).raw("\"/>");
    let reach = SIDE as f64 * BAR;
    for share in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        // The bar at zero lies between the sides.
        let aside = if share == 0.0 { 0.0 } else { f64::signum(share) * BAR / 2.0 };
        let x = middle + aside + share * reach;
        to.raw("<path class=\"tick\" d=\"M").length(x).raw(" ").length(TOP + HEIGHT).raw("v4\"/>");
        let label = number::short(share * limit, 4);
        label_at(to, "middle", (x, TOP + HEIGHT + 16.0), &label);
    }
    label_at(to, "middle", (middle, TOP + HEIGHT + 31.0), text::advantage());
}

fn label_at(to: &mut Markup, anchor: &str, (x, y): (f64, f64), label: &str) {
    to.raw("<text class=\"").raw(anchor).raw("\" x=\"").length(x).raw("\" y=\"").length(y);
    to.raw("\">").text(label).raw("</text>");
}

#[cfg(test)]
mod tests {
    use super::histograms;
    use crate::model::Histogram;

    #[test]
    fn bars_are_as_high_as_their_share_of_the_highest() {
        // Limit 1: −0.5 in the sixth bar below zero, a zero, 1 twice in the last bar above.
        let histogram = Histogram::of([-0.5, 0.0, 1.0, 1.0].into_iter());
        let drawn = histograms([("HGPO", histogram)].into_iter());
        assert!(drawn.contains("25\u{a0}% below 0, 25\u{a0}% exactly 0, 50\u{a0}% above 0"));
        // 46 + 6 bars of 11 + 0.5 from the left; half of 96 high, from 62 down.
        assert!(drawn.contains(
            "<rect class=\"less\" x=\"112.5\" y=\"62.0\" width=\"10.0\" height=\"48.0\"/>"
        ));
        assert!(drawn.contains("<rect class=\"at\" x=\"178.5\" y=\"62.0\""));
        assert!(drawn.contains(
            "<rect class=\"more\" x=\"310.5\" y=\"14.0\" width=\"10.0\" height=\"96.0\"/>"
        ));
        assert!(drawn.contains(">\u{2212}0.5</text>") && drawn.contains(">Advantage</text>"));
        assert_eq!(drawn.matches("<rect").count(), 3);
        // Zero is in the middle of 25 bars: 46 + 12.5 · 11; the axis is 275 wide and from −1 to 1.
        assert!(drawn.contains("<path class=\"zero\" d=\"M183.5 6.0V110.0\"/>"));
        assert!(drawn.contains("<path class=\"tick\" d=\"M46.0 110.0h275.0\"/>"));
        for end in ["\u{2212}1", "0", "1"] {
            assert!(drawn.contains(&format!("\" y=\"126.0\">{end}</text>")), "{end}");
        }
        let told = "aria-label=\"HGPO: histogram from \u{2212}1 to 1, the highest bar 2 steps. 25";
        assert!(drawn.contains(told), "{drawn}");
    }
}
