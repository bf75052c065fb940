//! Numbers as the page writes them.

/// The minus sign of print, as wide as the plus sign.
const MINUS: char = '\u{2212}';

/// A number with `digits` digits after the point, and the minus sign of print; no sign if no digit
/// but 0 is left.
pub(crate) fn plain(value: f64, digits: usize) -> String {
    // 4.725 is stored as a little less: people round what they read, away from 0.
    let text = format!("{:.digits$}", value.abs() * (1.0 + 4.0 * f64::EPSILON));
    if value < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        format!("{MINUS}{text}")
    } else {
        text
    }
}

/// As [`plain`], with a plus sign before what is above zero.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if value > 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        format!("+{text}")
    } else {
        text
    }
}

/// A number as short as it goes: at most `digits` digits after the point, without trailing zeros.
pub(crate) fn short(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Every digit that tells the number from its neighbours, for programs that read the page.
pub(crate) fn exact(value: f64) -> String {
    value.to_string()
}

/// A number of any size in few characters: four digits that count, or a power of ten.
pub(crate) fn brief(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{value:.2e}").replace('-', "\u{2212}");
    }
    let before = size.log10().floor() as i32 + 1;
    short(value, (4 - before).clamp(0, 7) as usize)
}

/// A share in percent, with one digit after the point below 10 %; `…` if there is nothing to share.
pub(crate) fn percent(part: f64, whole: usize) -> String {
    if whole == 0 {
        return "\u{2026}".to_owned();
    }
    let percent = 100.0 * part / whole as f64;
    let digits = usize::from(percent != 0.0 && percent < 9.95);
    format!("{percent:.digits$}\u{a0}%")
}

/// A count, with commas between thousands from 10,000 on.
pub(crate) fn count(number: usize) -> String {
    let mut digits = number.to_string();
    let length = digits.len();
    let is_thousand = |place: &usize| length > 4 && (length - place).is_multiple_of(3);
    for place in (1..length).rev().filter(is_thousand) {
        digits.insert(place, ',');
    }
    digits
}

/// A number in small digits below the line.
pub(crate) fn subscript(number: usize) -> String {
    let small = |digit: char| char::from_u32(digit as u32 - '0' as u32 + 0x2080);
    number.to_string().chars().filter_map(small).collect()
}

/// Digits after the point where the number has some before it.
const DIGITS: usize = 4;

/// How far a number may be from the one that is shown and still be called equal: sums in another
/// order differ by less.
const SAME: f64 = 1e-12;

/// A number, written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// What is shown.
    pub(crate) text: String,
    /// Whether what is shown is the number, and not only near it.
    pub(crate) is_exact: bool,
}

impl Figure {
    /// A number with four digits after the point, or as many that count where it is small.
    pub(crate) fn new(value: f64) -> Self {
        let size = value.abs();
        let (text, shown) = if size != 0.0 && !(1e-4..1e9).contains(&size) {
            scientific(value)
        } else {
            let zeros = [0.1, 0.01, 0.001].iter().filter(|bound| size != 0.0 && size < **bound);
            let digits = DIGITS + zeros.count();
            let shown = hgpo_core::number(&format!("{value:.digits$}")).unwrap_or(f64::NAN);
            (short(value, digits), shown)
        };
        Self { text, is_exact: (shown - value).abs() <= SAME * size }
    }

    /// The text in brackets if the number is below zero: to stand after an operator.
    pub(crate) fn bracketed(&self) -> String {
        if self.text.starts_with('\u{2212}') {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// `1.5·10⁻⁷`, and the number that this is.
fn scientific(value: f64) -> (String, f64) {
    let written = format!("{value:.3e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.').replace('-', "\u{2212}");
    let exponent: String = exponent.chars().map(raised).collect();
    (format!("{digits}\u{b7}10{exponent}"), hgpo_core::number(&written).unwrap_or(f64::NAN))
}

fn raised(character: char) -> char {
    let digit = character.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize));
    digit.unwrap_or('⁻')
}

#[cfg(test)]
mod figure_tests {
    use super::Figure;

    fn shown(value: f64) -> (String, bool) {
        let figure = Figure::new(value);
        (figure.text, figure.is_exact)
    }

    #[test]
    fn a_number_is_called_equal_only_where_all_of_it_is_shown() {
        assert_eq!(shown(9.025), ("9.025".to_owned(), true));
        assert_eq!(
            shown(10.0 * 0.95 * 0.95),
            ("9.025".to_owned(), true),
            "rounding is no difference"
        );
        assert_eq!(shown(4.631_25), ("4.6313".to_owned(), false));
        assert_eq!(shown(-1.0 / 3.0), ("\u{2212}0.3333".to_owned(), false));
        assert_eq!(shown(4.75 / 4.750_001), ("1".to_owned(), false));
        assert_eq!(shown(0.0), ("0".to_owned(), true));
    }

    #[test]
    fn small_and_large_numbers_keep_the_digits_that_count() {
        assert_eq!(shown(0.001_234_5), ("0.001235".to_owned(), false));
        assert_eq!(shown(0.05), ("0.05".to_owned(), true));
        assert_eq!(shown(1e-5), ("1·10⁻⁵".to_owned(), true));
        assert_eq!(shown(-1.234_56e12), ("\u{2212}1.235·10¹²".to_owned(), false));
        assert_eq!(Figure::new(-0.1).bracketed(), "(\u{2212}0.1)");
    }
}

#[cfg(test)]
mod tests {
    use super::{brief, count, percent, plain, short, signed, subscript};

    #[test]
    fn indices_are_small() {
        assert_eq!(subscript(10), "\u{2081}\u{2080}");
    }

    #[test]
    fn numbers_are_as_short_as_they_go() {
        assert_eq!([brief(0.0), brief(1234.5), brief(0.123_456)], ["0", "1235", "0.1235"]);
        assert_eq!([brief(0.000_01), brief(-2.5)], ["1.00e\u{2212}5", "\u{2212}2.5"]);
        assert_eq!([brief(20.0), brief(14077.42)], ["20", "14077"]);
    }

    #[test]
    fn shares_and_counts_are_read_at_a_glance() {
        assert_eq!([percent(1.0, 3), percent(1.0, 40)], ["33\u{a0}%", "2.5\u{a0}%"]);
        assert_eq!([percent(0.0, 3), percent(0.0, 0)], ["0\u{a0}%", "\u{2026}"]);
        assert_eq!([count(9999), count(10_000), count(1_234_567)], ["9999", "10,000", "1,234,567"]);
    }

    #[test]
    fn signs_stand_only_where_a_digit_is_not_zero() {
        assert_eq!(signed(1.04, 2), "+1.04");
        assert_eq!(signed(-0.5, 2), "\u{2212}0.50");
        assert_eq!(signed(0.001, 2), "0.00");
        assert_eq!(signed(-0.001, 2), "0.00");
        assert_eq!(plain(-12.0, 1), "\u{2212}12.0");
    }

    #[test]
    fn short_numbers_lose_trailing_zeros() {
        assert_eq!(short(10.0, 3), "10");
        assert_eq!(short(9.025, 2), "9.03");
        assert_eq!(short(0.5, 3), "0.5");
        assert_eq!(short(-0.1, 3), "\u{2212}0.1");
        assert_eq!(short(-0.25, 1), "\u{2212}0.3");
        assert_eq!(
            [plain(4.725, 2), plain(3.825, 2), plain(-7.715, 2)],
            ["4.73", "3.83", "\u{2212}7.72"]
        );
    }
}
