//! Price parser.

/// What a product costs that has no price.
pub(super) const UNPRICED: f64 = 100.0;

/// The prices in a text such as `$2.99$6.99`, the lowest and the highest: one or two.
///
/// # Errors
/// Says what cannot be read as a price.
pub(super) fn read(text: Option<&str>) -> Result<Vec<f64>, String> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(vec![UNPRICED]) };
    let mut prices = Vec::with_capacity(2);
    for part in text.split('$').skip(1).take(2) {
        // Whatever else is written there does not count.
        let digits: String = part.chars().filter(|it| it.is_ascii_digit() || *it == '.').collect();
        let wrong = |_| format!("'{}' is no price", text.escape_debug());
        prices.push(digits.parse().map_err(wrong)?);
    }
    if prices.is_empty() {
        return Err(format!("'{}' is no price: it has no $", text.escape_debug()));
    }
    Ok(prices)
}

/// The prices as pages show them, in the digits that Python needs to read the same number again.
pub(super) fn tag(prices: &[f64]) -> String {
    match prices {
        [low, high, ..] => format!("${low:?} to ${high:?}"),
        [price] => format!("${price:?}"),
        [] => format!("${UNPRICED:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_they_are_written() {
        let tagged = |text| read(text).map(|prices| tag(&prices));
        assert_eq!(tagged(Some("$877.8")), Ok("$877.8".into()));
        assert_eq!(tagged(Some("$1,299.00")), Ok("$1299.0".into()));
        assert_eq!(tagged(Some("$2.99$6.99")), Ok("$2.99 to $6.99".into()));
        assert_eq!(tagged(Some("$1 - $2 - $3")), Ok("$1.0 to $2.0".into()));
        assert_eq!([tagged(None), tagged(Some(""))], [Ok("$100.0".into()), Ok("$100.0".into())]);
        assert_eq!(tagged(Some("free")).unwrap_err(), "'free' is no price: it has no $");
        assert_eq!(tagged(Some("$1.2.3")).unwrap_err(), "'$1.2.3' is no price");
    }
}
