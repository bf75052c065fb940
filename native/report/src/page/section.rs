//! Section frames: headings, figures with their sentence, small print.

use maud::{Markup, html};

use super::key::Key;
use super::table::Table;
use crate::export::{Exports, Figure};
use crate::figure::{Chart, NARROW, PAPER, WIDE};
use crate::{Options, ReportError};

/// Where in the report a section stands.
pub(crate) struct Place<'a> {
    /// What the addresses inside the page begin with.
    pub(crate) prefix: String,
    /// What its own address ends with.
    pub(crate) key: &'static str,
    /// Whether the report has a single part, whose sections stand directly below the title.
    pub(crate) is_only: bool,
    /// What was chosen.
    pub(crate) options: &'a Options,
    /// Where figures and tables are put beside the page.
    pub(crate) exports: &'a Exports,
}

impl Place<'_> {
    /// A section below its heading.
    pub(crate) fn section(&self, title: &str, body: &Markup) -> Markup {
        let id = format!("{}-{}", self.prefix, self.key);
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

    /// A figure, with its sentence and the table of its numbers.
    ///
    /// # Errors
    /// It cannot be drawn.
    pub(crate) fn figure(
        &self,
        chart: &impl Chart,
        key: &Key,
        sentence: &str,
        numbers: Option<&Table>,
    ) -> Result<Markup, ReportError> {
        if self.exports.takes_figures {
            let drawing = chart.draw(PAPER, sentence)?.into_string();
            self.exports.put_figure(self, Figure::new(&drawing, key, sentence));
        }
        Ok(html! {
            figure {
                (key.markup())
                div class="picture" { (chart.draw(WIDE, sentence)?) (chart.draw(NARROW, sentence)?) }
                figcaption { (sentence) }
                @if let Some(table) = numbers {
                    details { summary { "The figure’s numbers" } (self.table(table)) }
                }
            }
        })
    }

    /// A table.
    pub(crate) fn table(&self, table: &Table) -> Markup {
        self.exports.put_table(self, table);
        table.markup()
    }

    /// The name of what this section exports: that of the section, after that of its part if there are several.
    pub(crate) fn name(&self) -> String {
        if self.is_only { self.key.to_owned() } else { format!("{}-{}", self.prefix, self.key) }
    }
}

/// Remarks in small print.
pub(crate) fn small_print(text: &str) -> Markup {
    html! { p class="note" { (text) } }
}
