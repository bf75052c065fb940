//! Section frames: headings, figures with their sentence, small print.

use maud::{Markup, html};

use super::table::Table;
use crate::figure::{Chart, NARROW, WIDE};
use crate::{Options, ReportError};

/// Where in the report a section stands.
pub(crate) struct Place<'a> {
    /// What the addresses inside the page begin with.
    pub(crate) prefix: String,
    /// Whether the report has a single part, whose sections stand directly below the title.
    pub(crate) is_only: bool,
    /// What was chosen.
    pub(crate) options: &'a Options,
}

impl Place<'_> {
    /// A section below its heading.
    pub(crate) fn section(&self, key: &str, title: &str, body: &Markup) -> Markup {
        let id = format!("{}-{key}", self.prefix);
        // Parts have sections of the same name, which the part's own name tells apart.
        let names = if self.is_only { id.clone() } else { format!("{} {id}", self.prefix) };
        html! {
            section aria-labelledby=(names) {
                @if self.is_only { h2 id=(id) { (title) } } @else { h3 id=(id) { (title) } }
                (body)
            }
        }
    }

    /// A heading below that of a section.
    pub(crate) fn subheading(&self, title: &str) -> Markup {
        html! { @if self.is_only { h3 { (title) } } @else { h4 { (title) } } }
    }
}

/// A figure, with its sentence and the table of its numbers.
///
/// # Errors
/// It cannot be drawn.
pub(crate) fn figure(
    chart: &impl Chart,
    key: &Markup,
    sentence: &str,
    numbers: Option<&Table>,
) -> Result<Markup, ReportError> {
    Ok(html! {
        figure {
            (key)
            div class="picture" { (chart.draw(WIDE, sentence)?) (chart.draw(NARROW, sentence)?) }
            figcaption { (sentence) }
            @if let Some(table) = numbers {
                details { summary { "The figure’s numbers" } (table.markup()) }
            }
        }
    })
}

/// Remarks in small print.
pub(crate) fn small_print(text: &str) -> Markup {
    html! { p class="note" { (text) } }
}
