//! Writing SVG: shapes and text, escaped; and such a file as a PNG file.

use crate::model::share::escaped as escaped_markup;
use gloo::file::{Blob, ObjectUrl};
use gloo::utils::document;
use std::fmt::Write;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

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

/// Pixels of the picture for each of the drawing, to be sharp on any screen.
const SCALE: f64 = 2.0;

/// The most pixels that every browser's canvas holds.
const MOST: f64 = 16_000_000.0;

/// Draws an SVG file as PNG; none if the browser cannot.
pub(super) fn png(svg: &str, done: impl Fn(Option<Blob>) + 'static) {
    let Ok(image) = HtmlImageElement::new() else { return done(None) };
    let done = Rc::new(done);
    let address = ObjectUrl::from(Blob::new_with_options(svg, Some("image/svg+xml")));
    image.set_src(&address);
    let failed = {
        let done = done.clone();
        Closure::once_into_js(move || done(None))
    };
    let loaded = {
        let image = image.clone();
        Closure::once_into_js(move || {
            if paint(&image, done.clone()).is_none() {
                done(None);
            }
            drop(address);
        })
    };
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_onerror(Some(failed.unchecked_ref()));
}

/// Paints an image that has loaded, as large as it may be.
fn paint(image: &HtmlImageElement, done: Rc<dyn Fn(Option<Blob>)>) -> Option<()> {
    let (width, height) = (f64::from(image.width()), f64::from(image.height()));
    let scale = SCALE.min((MOST / (width * height)).sqrt());
    let canvas = document().create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    canvas.set_width((width * scale) as u32);
    canvas.set_height((height * scale) as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.scale(scale, scale).ok()?;
    context.draw_image_with_html_image_element(image, 0.0, 0.0).ok()?;
    let made = Closure::once_into_js(move |blob: Option<web_sys::Blob>| done(blob.map(Blob::from)));
    canvas.to_blob(made.unchecked_ref()).ok()
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
