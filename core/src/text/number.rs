//! Numbers: as they are read from a text, and as they are written with six decimals.

/// The number that a text is, nearest in `f64`: everything that `str::parse` takes.
///
/// It is left to the reader of JSON, which has to be there anyway: the tables of a second one are a
/// twentieth of a page that computes with this crate.
///
/// ```
/// use hgpo_core::number;
/// assert_eq!(["0.1", "+.5", "2.", "-1E3", "inf"].map(number), [0.1, 0.5, 2.0, -1000.0, f64::INFINITY].map(Some));
/// assert_eq!(["", ".", "1e", "0x1", " 1"].map(number), [None; 5]);
/// ```
#[must_use]
pub fn number(text: &str) -> Option<f64> {
    let (sign, size) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let is = |name: &str| size.eq_ignore_ascii_case(name);
    let size = match size {
        _ if is("inf") || is("infinity") => f64::INFINITY,
        _ if is("nan") => f64::NAN,
        // JSON has the same digits; what is too large for `f64` it refuses.
        _ => serde_json::from_str(&json(size)?).unwrap_or(f64::INFINITY),
    };
    Some(sign * size)
}

/// A decimal number without a sign as JSON writes it.
fn json(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(place) => (&text[..place], &text[place + 1..]),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = all(whole) && all(fraction) && all(digits);
    if !is_number || whole.len() + fraction.len() == 0 || digits.is_empty() {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    Some(["0", whole][usize::from(!whole.is_empty())].to_owned() + "." + fraction + "0e" + exponent)
}

/// From here on the digits before the point are more than anyone reads, or than `f64` tells apart.
const LARGE: f64 = 1e15;

/// Six digits after the point, with a power of ten if the number is large; no minus sign before
/// zeros alone.
pub(crate) fn six_decimals(value: f64) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.6e}");
    }
    let text = format!("{value:.6}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::six_decimals;

    #[test]
    fn large_numbers_have_a_power_of_ten() {
        assert_eq!([1e308, -2.5e15].map(six_decimals), ["1.000000e308", "-2.500000e15"]);
        assert_eq!(six_decimals(9e14), "900000000000000.000000");
    }

    #[test]
    fn a_sign_stands_before_a_digit_only() {
        assert_eq!([six_decimals(-1e-17), six_decimals(-0.0), six_decimals(0.0)], ["0.000000"; 3]);
        assert_eq!(
            (six_decimals(-1e-6), six_decimals(1.0 / 3.0)),
            ("-0.000001".to_owned(), "0.333333".to_owned())
        );
    }
}
