//! Number parsing.

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
