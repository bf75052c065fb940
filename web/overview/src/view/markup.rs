//! Markup written as text. What a file holds goes in as text, never as markup.

use hgpo_words::escaped;

/// Markup that grows.
#[derive(Debug, Default)]
pub(crate) struct Markup(String);

impl Markup {
    /// Adds markup of the overview's own.
    pub(crate) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text, also inside the quotes of an attribute.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.raw(&escaped(text))
    }

    /// Adds text of a file, whose direction of writing ends with it.
    pub(crate) fn own(&mut self, text: &str) -> &mut Self {
        self.raw("<bdi>").text(text).raw("</bdi>")
    }

    /// Adds a whole number.
    pub(crate) fn number(&mut self, number: usize) -> &mut Self {
        self.raw(&number.to_string())
    }

    /// Adds a length in a picture, to a tenth of its unit.
    pub(crate) fn length(&mut self, length: f64) -> &mut Self {
        self.raw(&format!("{:.1}", length + 0.0))
    }

    /// Adds an attribute.
    pub(crate) fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// The markup.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn texts_of_a_file_stay_text() {
        let mut to = Markup::default();
        to.raw("<p")
            .attribute("title", "\"a\" onload='x'")
            .raw(">")
            .own("<img src=x>&amp;")
            .raw("</p>");
        assert_eq!(
            to.finish(),
            "<p title=\"&quot;a&quot; onload=&#39;x&#39;\"><bdi>&lt;img src=x&gt;&amp;amp;</bdi></p>"
        );
    }
}
