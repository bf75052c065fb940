//! A number as the arithmetic shows it: short, and knowing whether that is all of it.

use super::number;

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
            (number::short(value, digits), shown)
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
mod tests {
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
