//! Writing SVG: shapes and text, escaped.

use crate::model::share::escaped as escaped_markup;
use std::fmt::Write;

/// A picture as it is written.
pub(super) struct Svg(String);

/// What [`Svg::finish`] defines to be laid over a colour, by name: stripes, dots.
pub(super) const PATTERNS: [&str; 2] = ["url(#stripes)", "url(#dots)"];

const DEFINITIONS: &str = "<defs>\
<pattern id=\"stripes\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" stroke=\"#1b2130\" stroke-opacity=\".3\"/></pattern>\
<pattern id=\"dots\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><circle cx=\"2.5\" cy=\"2.5\" r=\".9\" fill-opacity=\".3\"/></pattern>\
</defs>\n";

impl Svg {
    /// An empty picture.
    pub(super) fn new() -> Self {
        Self(String::new())
    }

    fn push(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(what);
    }

    /// A rectangle with round corners: corner and size, the colour inside, the colour and the width of the outline.
    pub(super) fn rectangle(
        &mut self,
        (x, y, width, height): (f64, f64, f64, f64),
        fill: &str,
        (stroke, line): (&str, f64),
    ) {
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>\n"
        ));
    }

    /// A line of text that begins at a place: its size in pixels, colour and further attributes.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        (size, fill, rest): (usize, &str, &str),
        text: &str,
    ) {
        if !text.is_empty() {
            let text = escaped(text);
            self.push(format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" {rest}>{text}</text>\n"
            ));
        }
    }

    /// The whole file, with a title for those who do not see it.
    pub(super) fn finish(self, (width, height): (f64, f64), title: &str) -> String {
        let mut whole = Self::new();
        whole.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"system-ui, Segoe UI, Roboto, Helvetica Neue, DejaVu Sans, sans-serif\">\n"
        ));
        whole.push(format_args!("<title>{}</title>\n", escaped(title)));
        whole.0.push_str(DEFINITIONS);
        whole
            .push(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"));
        whole.0 + &self.0 + "</svg>\n"
    }
}

/// A text as XML holds it: without what would be markup, and without what XML cannot hold.
fn escaped(text: &str) -> String {
    let held = |letter: char| match letter {
        // Line ends and tabs are one space in SVG text.
        letter if letter.is_control() => ' ',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        letter => letter,
    };
    escaped_markup(&text.chars().map(held).collect::<String>()).replace('>', "&gt;")
}

/// The width of a letter, in those of a Latin one: two from Hangul and Kana on.
fn width(letter: char) -> usize {
    if letter >= '\u{1100}' { 2 } else { 1 }
}

/// The width of a text, in Latin letters.
pub(super) fn letters(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// As much of a text as fits into a number of Latin letters, with an ellipsis if it is cut.
pub(super) fn fitted(text: &str, letters: usize) -> String {
    if self::letters(text) <= letters {
        return text.to_owned();
    }
    let mut room = letters.saturating_sub(1);
    let fits = |letter: &char| match room.checked_sub(width(*letter)) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    };
    let cut: String = text.chars().take_while(fits).collect();
    cut.trim_end().to_owned() + "\u{2026}"
}

#[cfg(test)]
mod tests {
    use super::{escaped, fitted};

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("<b> & \"x\""), "&lt;b&gt; &amp; &quot;x&quot;");
        assert_eq!(escaped("a\u{0}b\nc\u{ffff}\u{d55c}"), "a b c\u{fffd}\u{d55c}");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fitted("hall", 4), "hall");
        assert_eq!(fitted("in the hall", 8), "in the\u{2026}");
        assert_eq!(fitted("\u{d55c}\u{ad6d}\u{c5b4}", 6), "\u{d55c}\u{ad6d}\u{c5b4}");
        assert_eq!(fitted("\u{d55c}\u{ad6d}\u{c5b4}", 5), "\u{d55c}\u{ad6d}\u{2026}");
    }
}
