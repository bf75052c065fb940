//! Numbers as the page writes them.

/// The minus sign of print, as wide as the plus sign.
const MINUS: char = '\u{2212}';

/// A number with `digits` digits after the point, and the minus sign of print; no sign if no digit
/// but 0 is left.
#[must_use]
#[inline]
pub fn plain(value: f64, digits: usize) -> String {
    // 4.725 is stored as a little less: people round what they read, away from 0.
    let text = format!("{:.digits$}", value.abs() * (1.0 + 4.0 * f64::EPSILON));
    if value < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        format!("{MINUS}{text}")
    } else {
        text
    }
}

/// As [`plain`], with a plus sign before what is above zero.
#[must_use]
#[inline]
pub fn signed(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if value > 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        format!("+{text}")
    } else {
        text
    }
}

/// A number as short as it goes: at most `digits` digits after the point, without trailing zeros.
#[must_use]
#[inline]
pub fn short(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, short, signed};

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
