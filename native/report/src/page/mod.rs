//! Page of a report: a `document` around parts, a part's sections in their order, and what they are made of (`section`,
//! `table`, `labels`). maud escapes every text that is put into it.

mod arm_labels;
mod commands;
mod comparison_facts;
mod cost;
mod curves;
mod document;
mod group_diagnostics;
mod groups;
pub(crate) mod key;
mod overall;
mod primary_metric;
mod sample_efficiency;
mod samples;
pub(crate) mod section;
mod settings;
mod success;
pub(crate) mod table;
mod uncounted_runs;

use maud::{Markup, html};

pub(crate) use self::document::{STYLE, page};

use self::section::Place;
use crate::Options;
use crate::export::Exports;
use crate::findings::Part;
use crate::{ReportError, foreign_text};

/// A section: its address inside the page, its title, and how it is made.
type Section =
    (&'static str, &'static str, fn(&Part<'_>, &Place<'_>) -> Result<Markup, ReportError>);

/// All sections in their order.
const SECTIONS: [Section; 10] = [
    ("headline", "Area under the success curve", primary_metric::section),
    ("success", "Success on held-out tasks", success::section),
    ("curves", "Learning curves", curves::section),
    ("steps", "Steps to 50 and 80 %", sample_efficiency::section),
    ("why", "Why: groups and signal", group_diagnostics::section),
    ("settings", "Settings", |part, place| Ok(settings::section(part, place))),
    ("commands", "Commands and seeds", |part, place| Ok(commands::section(part, place))),
    ("left-out", "Runs that are not counted", |part, place| {
        Ok(uncounted_runs::section(part, place))
    }),
    ("cost", "Cost", cost::section),
    ("samples", "Sample trajectories", |part, place| Ok(samples::section(part, place))),
];

/// A part of the report, the `number`th of `count`.
fn part(
    part: &Part<'_>,
    number: usize,
    count: usize,
    (options, exports): (&Options, &Exports),
) -> Result<Markup, ReportError> {
    let (prefix, is_only) = (format!("p{number}"), count == 1);
    let mut made = Vec::new();
    for (key, title, section) in SECTIONS {
        let place = Place { prefix: prefix.clone(), key, is_only, options, exports };
        made.push(place.section(title, &section(part, &place)?));
    }
    Ok(html! {
        @if is_only {
            (comparison_facts::comparison_facts(part))
            @for section in &made { (section) }
        } @else {
            section class="part" aria-labelledby=(prefix) {
                h2 id=(prefix) { (foreign_text::display_name(&part.title)) }
                (comparison_facts::comparison_facts(part))
                @for section in &made { (section) }
            }
        }
    })
}
