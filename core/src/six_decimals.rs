//! Numbers as the texts for readers show them.

/// Six digits after the point; no minus sign before zeros alone.
pub(crate) fn six_decimals(value: f64) -> String {
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
    fn a_sign_stands_before_a_digit_only() {
        assert_eq!([six_decimals(-1e-17), six_decimals(-0.0), six_decimals(0.0)], ["0.000000"; 3]);
        assert_eq!(
            (six_decimals(-1e-6), six_decimals(1.0 / 3.0)),
            ("-0.000001".to_owned(), "0.333333".to_owned())
        );
    }
}
