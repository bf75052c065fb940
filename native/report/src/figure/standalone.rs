//! Standalone figures: a drawing with its key and its colours, for papers: light, and without what a page says of it.

use maud::{Markup, PreEscaped, html};

use super::marker::sample;
use super::svg::FINENESS;
use crate::page::STYLE;
use crate::page::key::Key;

/// Height of a row of the key, in pixels of the style sheet.
const ROW: f64 = 20.0;
/// Width of a letter, at most on average.
const LETTER: f64 = 7.6;
/// Room before a name: a sample of a line, or of a shade.
const SAMPLE: f64 = 40.0;

/// A drawing as a file of its own, which `label` describes.
pub(crate) fn standalone(drawing: &str, key: &Key, label: &str) -> String {
    let view = drawing.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let size = view.map_or("", |(view, _)| view).split(' ').skip(2);
    let mut size = size.filter_map(|side| side.parse::<f64>().ok()).map(|side| side / unit());
    let (width, height) = (size.next().unwrap_or_default(), size.next().unwrap_or_default());
    let inside = drawing.split_once('>').map_or("", |(_, inside)| inside);
    let inside = PreEscaped(inside.trim_end_matches("</svg>"));
    let (legend, rows) = legend(key, width, height);
    let height = if rows == 0 { height } else { height + ROW * (rows as f64 + 0.5) };
    let view = format!("0 0 {} {}", width * unit(), height * unit());
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(view) role="img" {
            title { (label) }
            style { (PreEscaped(style())) }
            (inside)
            (legend)
        }
    };
    drawing.into_string() + "\n"
}

fn unit() -> f64 {
    f64::from(FINENESS)
}

/// The key below a drawing, and how many rows it has.
fn legend(key: &Key, width: f64, from: f64) -> (Markup, usize) {
    let (names, is_shade): (&[(usize, String)], bool) = match key {
        Key::Arms { names, is_needed: true } => (names, false),
        Key::Shades(names) => (names, true),
        Key::None | Key::Arms { .. } => (&[], false),
    };
    let (mut x, mut row) = (0.0, 0);
    let placed = names.iter().map(|(number, name)| {
        let wide = SAMPLE + LETTER * name.chars().count() as f64 + 16.0;
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1);
        }
        let place = (x, from + ROW * (row as f64 + 0.7));
        x += wide;
        (*number, name, place)
    });
    let placed: Vec<_> = placed.collect();
    let drawn = html! { @for (number, name, (x, y)) in &placed {
        @if is_shade {
            rect class=(format!("fh{number}")) x=((x + 14.0) * unit()) y=((y - 7.0) * unit()) width=(18.0 * unit()) height=(14.0 * unit()) {}
        } @else {
            g stroke-width=(2.0 * unit()) { (sample(*number, (x * unit(), y * unit()), unit())) }
        }
        text class="fi0" x=((x + SAMPLE) * unit()) y=((y + 4.5) * unit()) { (name) }
    } };
    (drawn, if placed.is_empty() { 0 } else { row + 1 })
}

/// What the style sheet says of figures, with its light colours in place of their names.
fn style() -> String {
    let (root, rest) = STYLE.split_once('}').unwrap_or_default();
    let colours: Vec<(&str, &str)> = root
        .split(';')
        .filter_map(|one| one.trim().split_once(": "))
        .filter(|(name, _)| name.starts_with("--"))
        .collect();
    let rules = rest.split('}').filter_map(|rule| {
        let (selector, body) = rule.trim().split_once('{')?;
        let selector = selector.trim().replace(".picture ", "");
        let body = colours.iter().fold(body.trim().to_owned(), |body, (name, colour)| {
            body.replace(&format!("var({name})"), colour)
        });
        let body = body.replace("inherit", "Helvetica, Arial, sans-serif");
        is_of_figures(&selector).then(|| format!("{selector}{{{body}}}"))
    });
    rules.collect()
}

/// Whether a selector is of what drawings consist of: texts, lines, and the classes of their colours.
fn is_of_figures(selector: &str) -> bool {
    let mut letters = selector.chars();
    let is_class = letters.next() == Some('.')
        && letters.next().is_some_and(|it| "fl".contains(it))
        && letters.next().is_some_and(|it| "iogsh".contains(it))
        && letters.next().is_some_and(|it| it.is_ascii_digit());
    is_class || selector == "text" || selector.starts_with("polyline")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_its_colours_and_its_key_in_itself() {
        let drawing = "<svg class=\"paper\" viewBox=\"0 0 2080 400\" role=\"img\"><rect class=\"fs1\"/></svg>";
        let names = (0..3).map(|series| (series, "an arm with a long name".to_owned())).collect();
        let key = Key::Arms { names, is_needed: true };
        let svg = standalone(drawing, &key, "a < b");
        assert!(svg.contains("width=\"520\" height=\"150\" viewBox=\"0 0 2080 600\""), "{svg}");
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains("<rect class=\"fs1\"/>"));
        assert!(
            svg.contains(".fs1{fill: #c2500a;}") && svg.contains("polyline.ls1{stroke-dasharray"),
            "{svg}"
        );
        assert!(!svg.contains("var(") && !svg.contains("figcaption") && !svg.contains("@media"));
        assert_eq!(svg.matches("an arm with a long name</text>").count(), 3);
        assert!(!standalone(drawing, &Key::None, "").contains("<text"));
    }
}
