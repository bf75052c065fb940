//! The settings that differ, and those that arms share.

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde_json::Value;

use super::frame::{Place, note};
use super::labels::{label, name};
use super::table::{Cell, Table};
use crate::findings::Part;
use crate::input::{flattened, shown};
use crate::numbers::counted;
use crate::words;

/// The most arms that have a column of their own.
const COLUMNS: usize = 8;

/// The longest setting that is shown whole.
const LONGEST: usize = 300;

pub(super) fn section(part: &Part<'_>, _: &Place<'_>) -> Markup {
    let keys: BTreeSet<&String> =
        part.arms.iter().flat_map(|arm| arm.arm.settings.keys()).collect();
    let shared = flattened(&part.source.study.base);
    let finding = match keys.len() {
        0 => "The arms set nothing of their own.".to_owned(),
        count => format!(
            "Arms differ in {}; all others are the same in every run.",
            counted(count, "setting", "settings")
        ),
    };
    let has_gaps =
        part.arms.iter().any(|arm| keys.iter().any(|key| !arm.arm.settings.contains_key(*key)));
    html! {
        p class="finding" { (finding) }
        @if !keys.is_empty() {
            (differing(part, &keys))
            @if has_gaps { (note("Without an entry: as in the shared settings, or a setting that the arm’s estimator does not have.")) }
        }
        @if !shared.is_empty() {
            details {
                summary { (counted(shared.len(), "setting", "settings")) " that all runs share" }
                ul class="settings" { @for (key, value) in &shared {
                    li { code { (words::name(key)) } " = " code { (words::passage(&shown(value), LONGEST)) } }
                } }
            }
        }
    }
}

/// A row a setting and a column an arm; of many arms, a row an arm with what it sets.
fn differing(part: &Part<'_>, keys: &BTreeSet<&String>) -> Markup {
    let told = |value: &Value| html! { code { (words::passage(&shown(value), LONGEST)) } };
    let mut table = Table::new("Settings that differ between arms", &["setting"]);
    if part.arms.len() <= COLUMNS {
        table.head.extend(part.arms.iter().map(name));
        for key in keys {
            let cells = part
                .arms
                .iter()
                .map(|arm| Cell::Text(arm.arm.settings.get(*key).map_or(html! {}, told)));
            table.rows.push((html! { code { (words::name(key)) } }, cells.collect()));
        }
        return table.markup();
    }
    table.head = vec!["arm".to_owned(), "what it sets".to_owned()];
    for arm in &part.arms {
        let list = html! { @for (at, (key, value)) in arm.arm.settings.iter().enumerate() {
            @if at > 0 { ", " }
            code { (words::name(key)) } " = " (told(value))
        } };
        table.rows.push((label(arm), vec![Cell::Text(list)]));
    }
    table.markup()
}
