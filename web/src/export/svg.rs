//! Writing SVG: shapes and text, escaped; and such a file as a PNG file.

use crate::model::share::escaped as escaped_markup;
use crate::view::plot::way;
use gloo::file::{Blob, ObjectUrl};
use gloo::utils::document;
use std::fmt::Write;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// A picture as it is written.
pub(crate) struct Svg(String);

/// What [`Svg::finish`] defines to be laid over a colour, by name: stripes, dots.
pub(super) const PATTERNS: [&str; 2] = ["url(#stripes)", "url(#dots)"];

const DEFINITIONS: &str = "<defs>\
<pattern id=\"stripes\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" stroke=\"#1b2130\" stroke-opacity=\".3\"/></pattern>\
<pattern id=\"dots\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><circle cx=\"2.5\" cy=\"2.5\" r=\".9\" fill-opacity=\".3\"/></pattern>\
</defs>\n";

impl Svg {
    /// An empty picture.
    pub(crate) fn new() -> Self {
        Self(String::new())
    }

    /// Markup as it is.
    pub(crate) fn raw(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(what);
    }

    /// A rectangle with round corners: corner and size, the colour inside, the colour and the width of the outline, and the
    /// radius of its corners.
    pub(crate) fn rectangle(
        &mut self,
        (x, y, width, height): (f64, f64, f64, f64),
        fill: &str,
        (stroke, line): (&str, f64),
        radius: f64,
    ) {
        self.raw(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>\n"
        ));
    }

    /// A line through points in a colour: its width, and its dashes.
    pub(super) fn line(
        &mut self,
        points: &[(f64, f64)],
        (stroke, width, dashes): (&str, f64, &str),
    ) {
        let way = way(points.iter().copied());
        self.raw(format_args!(
            "<path d=\"{way}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\" stroke-linejoin=\"round\"/>\n"
        ));
    }

    /// An area within points, lightly in a colour.
    pub(super) fn area(&mut self, points: &[(f64, f64)], fill: &str) {
        let way = way(points.iter().copied());
        self.raw(format_args!("<path d=\"{way}z\" fill=\"{fill}\" fill-opacity=\".15\"/>\n"));
    }

    /// A line of text that begins at a place: its size in pixels, colour and further attributes.
    pub(crate) fn text(
        &mut self,
        (x, y): (f64, f64),
        (size, fill, rest): (f64, &str, &str),
        text: &str,
    ) {
        if !text.is_empty() {
            let text = escaped(text);
            self.raw(format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" {rest}>{text}</text>\n"
            ));
        }
    }

    /// Lines of text below a place, so many letters wide at most; where the next begins.
    pub(super) fn lines(
        &mut self,
        (x, y): (f64, f64),
        look: (f64, &str, &str),
        text: &str,
        width: f64,
    ) -> f64 {
        let pitch = look.0 * 1.3;
        let lines = wrapped(text, letters_in(width, look.0));
        for (place, line) in lines.iter().enumerate() {
            self.text((x, y + look.0 + place as f64 * pitch), look, line);
        }
        y + lines.len() as f64 * pitch
    }

    /// The picture without a frame.
    pub(crate) fn content(self) -> String {
        self.0
    }

    /// The whole file, so wide in millimetres, with a title for those who do not see it.
    pub(crate) fn finish(
        self,
        (width, height): (f64, f64),
        millimetres: f64,
        title: &str,
    ) -> String {
        let mut whole = Self::new();
        let high = millimetres * height / width;
        whole.raw(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{millimetres}mm\" height=\"{high:.2}mm\" role=\"img\" font-family=\"Helvetica Neue, Arial, Noto Sans, Noto Sans CJK KR, Apple SD Gothic Neo, Malgun Gothic, DejaVu Sans, sans-serif\">\n"
        ));
        whole.raw(format_args!("<title>{}</title>\n", escaped(title)));
        whole.0.push_str(DEFINITIONS);
        whole.raw(format_args!(
            "<rect width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#ffffff\"/>\n"
        ));
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

/// The width of a Latin letter, in those of its size: a little more than the mean, so that lines fit.
const LETTER: f64 = 0.56;

/// The width of a letter, in those of a Latin one: two from Hangul and Kana on.
fn width(letter: char) -> usize {
    if letter >= '\u{1100}' { 2 } else { 1 }
}

/// The width of a text, in Latin letters.
pub(super) fn letters(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// The width of a text in pixels, about.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    letters(text) as f64 * size * LETTER
}

/// How many Latin letters there are room for.
pub(super) fn letters_in(width: f64, size: f64) -> usize {
    (width / (size * LETTER)).max(1.0) as usize
}

/// A text in lines of at most so many Latin letters, broken between words where there are any.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let gap = usize::from(!line.is_empty());
        if gap == 1 && letters(&line) + gap + letters(word) > most {
            lines.push(std::mem::take(&mut line));
        } else if gap == 1 {
            line.push(' ');
        }
        for letter in word.chars() {
            if !line.is_empty() && letters(&line) + width(letter) > most {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines
}

/// Pixels of the picture for each of the drawing: 600 an inch, as journals ask for.
const SCALE: f64 = 600.0 / 96.0;

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
    use super::{escaped, wrapped};

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("<b> & \"x\""), "&lt;b&gt; &amp; &quot;x&quot;");
        assert_eq!(escaped("a\u{0}b\nc\u{ffff}\u{d55c}"), "a b c\u{fffd}\u{d55c}");
    }

    #[test]
    fn long_texts_are_broken_between_words_and_lose_nothing() {
        assert_eq!(wrapped("in the hall", 8), ["in the", "hall"]);
        assert_eq!(wrapped("in  the\nhall", 80), ["in the hall"]);
        assert_eq!(wrapped("corridor", 3), ["cor", "rid", "or"]);
        assert_eq!(wrapped("\u{d55c}\u{ad6d}\u{c5b4}", 4), ["\u{d55c}\u{ad6d}", "\u{c5b4}"]);
        assert_eq!(wrapped(" ", 4), [""; 0]);
    }
}
