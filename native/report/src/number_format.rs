//! Number formats for readers: with a unit, at the precision that a number deserves.

use hgpo_evidence::Interval;

/// Between a number and its unit, so that no line breaks there.
const BLANK: char = '\u{a0}';

/// A fraction in per cent: `57.5 %`.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{:.1}{BLANK}%", 100.0 * fraction).replace('-', "\u{2212}")
}

/// A fraction with its interval, in per cent: `57.5 % (51.0 to 62.3)`.
pub(crate) fn percent_interval(it: Interval) -> String {
    let (low, high) = (100.0 * it.low, 100.0 * it.high);
    format!("{} ({low:.1}{BLANK}to{BLANK}{high:.1})", percent(it.point))
}

/// A probability with its interval: `0.75 (0.61 to 0.86)`.
pub(crate) fn probability_interval(it: Interval) -> String {
    format!("{:.2} ({:.2}{BLANK}to{BLANK}{:.2})", it.point, it.low, it.high)
}

/// A number with its interval beside a figure, in so many digits of a unit: `57.5 (51.0 to 62.3)`.
pub(crate) fn short_interval(it: Interval, unit: f64, digits: usize) -> String {
    let [point, low, high] =
        [it.point, it.low, it.high].map(|number| format!("{:.digits$}", unit * number));
    format!("{point} ({low} to {high})")
}

/// A difference of fractions with its interval, in percentage points: `+3.1 (-0.4 to +6.0)`.
pub(crate) fn points_interval(it: Interval) -> String {
    let [point, low, high] = [it.point, it.low, it.high].map(points);
    format!("{point} ({low}{BLANK}to{BLANK}{high})")
}

/// A difference of fractions in percentage points, always with its sign; no sign of zero.
fn points(difference: f64) -> String {
    let rounded = (1000.0 * difference).round() / 10.0;
    if rounded == 0.0 {
        "0.0".to_owned()
    } else {
        format!("{rounded:+.1}").replace('-', "\u{2212}")
    }
}

/// A count with its thousands apart: `400,000`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let threes = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    threes.collect::<Vec<_>>().join(",")
}

/// A count on an axis, short: `400k`, `1.5M`.
pub(crate) fn short_count(number: f64) -> String {
    let scaled = |divisor: f64, unit: &str| {
        let scaled = number / divisor;
        let places = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
        let text = format!("{scaled:.places$}");
        let text =
            if places > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        [text, unit].concat()
    };
    match number {
        _ if number >= 999_500.0 => scaled(1e6, "M"),
        _ if number >= 999.5 => scaled(1e3, "k"),
        _ => scaled(1.0, ""),
    }
}

/// A number of no certain size, to three digits that count: `0.0312`, `4.51`, `1,204`.
pub(crate) fn significant(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs().log10().floor();
    match magnitude {
        _ if !number.is_finite() => number.to_string(),
        _ if !(-4.0..12.0).contains(&magnitude) => format!("{number:.2e}"),
        _ if magnitude >= 3.0 => {
            let sign = if number < 0.0 { "\u{2212}" } else { "" };
            [sign, &count(number.abs().round() as u64)].concat()
        }
        _ => format!("{number:.*}", (2.0 - magnitude).max(0.0) as usize).replace('-', "\u{2212}"),
    }
}

/// A time: `0.34 s`, `12.1 s`, `4 min 10 s`, `3 h 05 min`.
pub(crate) fn seconds(time: f64) -> String {
    let whole = time.round() as u64;
    match whole {
        _ if time > 0.0 && time < 0.001 => format!("<{BLANK}0.001{BLANK}s"),
        _ if time < 60.0 => format!("{}{BLANK}s", significant(time)),
        ..3600 => format!("{}{BLANK}min {}{BLANK}s", whole / 60, whole % 60),
        _ => format!("{}{BLANK}h {:02}{BLANK}min", whole / 3600, whole % 3600 / 60),
    }
}

/// An amount of memory: `1.4 GB`.
pub(crate) fn bytes(amount: u64) -> String {
    let amount = amount as f64;
    match amount {
        _ if amount >= 1e9 => format!("{:.1}{BLANK}GB", amount / 1e9),
        _ if amount >= 1e6 => format!("{:.0}{BLANK}MB", amount / 1e6),
        _ => format!("{:.0}{BLANK}kB", amount / 1e3),
    }
}

/// `1 run`, `2 runs`.
pub(crate) fn count_of(number: usize, one: &str, many: &str) -> String {
    format!("{}{BLANK}{}", count(number as u64), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_units_and_thousands() {
        assert_eq!(percent(0.575), "57.5\u{a0}%");
        assert_eq!(["0", "999", "1,000", "12,345,678"], [0, 999, 1000, 12_345_678].map(count));
        let short = [0.0, 0.2, 950.0, 1500.0, 148_072.0, 999_999.0, 2_500_000.0].map(short_count);
        assert_eq!(short, ["0", "0.2", "950", "1.5k", "148k", "1M", "2.5M"]);
        assert_eq!([seconds(0.337), seconds(1e-6)], ["0.337\u{a0}s", "<\u{a0}0.001\u{a0}s"]);
        assert_eq!(seconds(250.4), "4\u{a0}min 10\u{a0}s");
        assert_eq!(seconds(11_100.0), "3\u{a0}h 05\u{a0}min");
        assert_eq!([bytes(1_440_000_000), bytes(94_000_000)], ["1.4\u{a0}GB", "94\u{a0}MB"]);
        assert_eq!(count_of(1, "run", "runs"), "1\u{a0}run");
        assert_eq!(count_of(1200, "run", "runs"), "1,200\u{a0}runs");
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        let told = [0.0, 0.031_24, 4.512, 37.25, 1204.4, -0.5, 1e-7].map(significant);
        assert_eq!(told, ["0", "0.0312", "4.51", "37.2", "1,204", "\u{2212}0.500", "1.00e-7"]);
    }

    #[test]
    fn differences_have_a_sign_unless_they_are_zero() {
        let it = Interval { point: 0.0312, low: -0.0041, high: 0.0 };
        assert_eq!(points_interval(it), "+3.1 (\u{2212}0.4\u{a0}to\u{a0}0.0)");
        assert_eq!(points(-0.0001), "0.0");
    }
}
