//! Figures as PDF, with their font.

use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use krilla_svg::{SurfaceExt as _, SvgSettings};
use usvg::{Options, Tree};

use crate::ReportError;

/// Points of a pixel of the style sheet: 13 pixels are 9.75 points.
const POINTS: f32 = 0.75;

/// A figure as a page of its own size.
///
/// # Errors
/// It cannot be drawn.
pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, ReportError> {
    let refused = |what: String| ReportError::Figure(what);
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    // One font on every machine, so that the same input gives the same bytes; those of the machine for what it lacks.
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.set_sans_serif_family("Ubuntu");
    if svg.chars().any(is_foreign) {
        fonts.load_system_fonts();
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| refused(error.to_string()))?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| side * POINTS);
    let (Some(size), Some(settings)) =
        (Size::from_wh(width, height), PageSettings::from_wh(width, height))
    else {
        return Err(refused(format!("a page of {width} by {height} points")));
    };
    // Older programs of LaTeX warn of newer versions.
    let builder = ConfigurationBuilder::new().with_version(PdfVersion::Pdf15);
    let configuration = builder.finish().map_err(|error| refused(format!("{error:?}")))?;
    let settings_of_file = SerializeSettings { configuration, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings_of_file);
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    drawn.ok_or_else(|| refused("a part of it has no form in PDF".to_owned()))?;
    document.finish().map_err(|error| refused(format!("{error:?}")))
}

/// Whether the font has no letters of this kind: it has Latin, Greek and Cyrillic ones.
fn is_foreign(letter: char) -> bool {
    letter > '\u{52f}' && !('\u{1e00}'..'\u{2c00}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_document_with_its_font_and_the_same_each_time() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"520\" height=\"100\"><text x=\"9\" y=\"50\" \
                   font-family=\"Helvetica, Arial, sans-serif\">area 57.5 %</text></svg>";
        let once = pdf(svg).unwrap();
        assert!(once.starts_with(b"%PDF-"), "no PDF");
        let text = String::from_utf8_lossy(&once);
        assert!(text.contains("Ubuntu") && text.contains("/FontFile"), "no font");
        assert!(once == pdf(svg).unwrap(), "another one each time");
        pdf("<svg").unwrap_err();
    }
}
