//! Text inside markup.

/// A text as markup holds it, also inside the quotes of an attribute.
#[must_use]
#[inline]
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_text_stays_text() {
        assert_eq!(escaped("<a b=\"&\">"), "&lt;a b=&quot;&amp;&quot;&gt;");
        assert_eq!(escaped("it's &amp;"), "it&#39;s &amp;amp;");
    }
}
