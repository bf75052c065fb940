//! Number formatting with six decimals.

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
