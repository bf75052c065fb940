//! HTML document of live pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::foreign_text::{display_name, passage};
use crate::page::STYLE as REPORT_STYLE;

const STYLE: &str = include_str!("style.css");

/// A page with a title, below a way back to the list. `body` holds parts with the attribute `data-live`, which
/// the script replaces every two seconds if `is_live`.
pub(super) fn document(title: &str, back: bool, is_live: bool, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) " · hgpo view" }
                style { (PreEscaped(REPORT_STYLE)) (PreEscaped(STYLE)) }
                @if is_live { script src="live.js" defer {} }
            }
            body {
                header {
                    p class="kind" { @if back { a href="./" { "All runs" } } @else { "hgpo view" } }
                    h1 { (title) }
                }
                p class="lost" role="status" hidden { "hgpo view has ended: what is shown is as it was. Start it again to go on." }
                main { (body) }
            }
        }
    };
    page.into_string()
}

/// A page that says what is wrong, and leads back to the list.
#[must_use]
pub fn message_page(title: &str, message: &str) -> String {
    document(&display_name(title), true, false, &html! { p { (passage(message, 2000)) } })
}
