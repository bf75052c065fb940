//! SVG of figures: what plotters draws, made ready for the page.

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::colour::with_classes;
use super::{Colour, Window};
use crate::ReportError;

/// plotters rounds to whole pixels: figures are drawn this many times larger than they are shown.
pub(super) const FINENESS: u32 = 4;

/// Height of text in pixels of the style sheet, which sets the same for figures.
const TEXT: u32 = 13;

/// What is drawn on.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Whether it could be drawn.
pub(crate) type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Pixels of the style sheet as pixels of the drawing.
pub(crate) const fn px(pixels: u32) -> i32 {
    (pixels * FINENESS) as i32
}

/// Draws a text, whose side or middle is at a place.
pub(crate) fn draw_text(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    ink: Colour,
    (across, down): (HPos, VPos),
) -> Drawn {
    // plotters divides the size by 1.24 when it writes it.
    let font = ("sans-serif", f64::from(TEXT * FINENESS) * 1.24).into_font();
    let color = ink.colour().to_backend_color();
    Ok(area.draw(&Text::new(text, at, TextStyle { font, color, pos: Pos::new(across, down) }))?)
}

/// Draws a line, so many pixels of the style sheet wide.
pub(crate) fn draw_line(
    area: &Area<'_>,
    points: impl Into<Vec<(i32, i32)>>,
    ink: Colour,
    width: u32,
) -> Drawn {
    let style = ink.colour().stroke_width(px(width) as u32);
    Ok(area.draw(&PathElement::new(points, style))?)
}

/// Draws a figure that `label` describes to readers who cannot see it.
///
/// # Errors
/// plotters could not draw it.
pub(crate) fn render_svg(
    window: Window,
    height: u32,
    label: &str,
    paint: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<Markup, ReportError> {
    let size = (window.width * FINENESS, height * FINENESS);
    let mut drawn = String::new();
    let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
    let painted = paint(&area).and_then(|()| Ok(area.present()?));
    drop(area);
    painted.map_err(|error| ReportError::Figure(error.to_string()))?;
    let inside = drawn.split_once('>').map_or("", |(_, inside)| inside);
    let inside = inside.trim_end().trim_end_matches("</svg>");
    let inside = PreEscaped(without_defaults(&with_classes(inside)));
    let view = format!("0 0 {} {}", size.0, size.1);
    Ok(html! {
        svg class=(window.class) viewBox=(view) role="img" aria-label=(label) { (inside) }
    })
}

/// Without what the style sheet says, and what is so anyway.
fn without_defaults(drawn: &str) -> String {
    let size = format!(" font-size=\"{}\"", f64::from(TEXT * FINENESS) * 1.24 / 1.24);
    [" font-family=\"sans-serif\"", size.as_str(), " opacity=\"1\"", " stroke=\"none\"", "\n"]
        .iter()
        .fold(drawn.to_owned(), |drawn, needless| drawn.replace(needless, ""))
}
