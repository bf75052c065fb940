//! HTML document around the parts.

use maud::{Markup, PreEscaped, html};

use super::{SECTIONS, overall, part};
use crate::Options;
use crate::export::Exports;
use crate::findings::{Overall, Part};
use crate::report_file::SIGN;
use crate::{ReportError, foreign_text};

pub(crate) const STYLE: &str = include_str!("style.css");

/// Nothing is fetched and nothing runs, whatever a text in the report tries: styles are its own, figures
/// are part of it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The report.
///
/// # Errors
/// A figure cannot be drawn.
pub(crate) fn page(
    together: &[Overall],
    parts: &[Part<'_>],
    options: &Options,
    exports: &Exports,
) -> Result<String, ReportError> {
    let title = title(parts);
    let overall = together
        .iter()
        .zip(1..)
        .map(|(one, number)| overall::section(one, number, (options, exports)));
    let part = |(one, number)| part(one, number, parts.len(), (options, exports));
    let bodies = overall.chain(parts.iter().zip(1..).map(part)).collect::<Result<Vec<_>, _>>()?;
    let head = html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        meta http-equiv="Content-Security-Policy" content=(POLICY);
        title { (title) }
        style { (PreEscaped(STYLE)) }
    };
    let body = html! {
        a class="skip" href="#report" { "To the report" }
        header {
            p class="kind" { "hgpo report" }
            h1 { (title) }
        }
        nav aria-label="Contents" { (contents(together, parts)) }
        main id="report" tabindex="-1" { @for body in &bodies { (body) } }
        footer {
            p { "Made by hgpo " (env!("CARGO_PKG_VERSION")) ". Statistics are as the package rliable defines them (Agarwal et al. 2021, " a href="https://arxiv.org/abs/2108.13264" { "arXiv 2108.13264" } ")." }
        }
    };
    Ok(format!("{SIGN}{}</head><body>{}</body></html>\n", head.into_string(), body.into_string()))
}

fn title(parts: &[Part<'_>]) -> String {
    match parts {
        [] => "Nothing to compare".to_owned(),
        [one] => foreign_text::display_name(&one.title),
        several => {
            let mut names: Vec<String> = several
                .iter()
                .map(|part| foreign_text::display_name(&part.source.study.study))
                .collect();
            names.dedup();
            foreign_text::display_name(&names.join(", "))
        }
    }
}

fn contents(together: &[Overall], parts: &[Part<'_>]) -> Markup {
    let sections = |number: usize| {
        html! { ul { @for (key, title, _) in SECTIONS {
            li { a href=(format!("#p{number}-{key}")) { (title) } }
        } } }
    };
    html! {
        @if let [_] = parts { (sections(1)) } @else {
            ul {
                @for (at, one) in together.iter().enumerate() {
                    li { a href=(format!("#o{}", at + 1)) { (overall::title(one)) } }
                }
                @for (at, part) in parts.iter().enumerate() {
                    li { a href=(format!("#p{}", at + 1)) { (foreign_text::display_name(&part.title)) } (sections(at + 1)) }
                }
            }
        }
    }
}
