//! Settings that differ, and those that arms share.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use serde_json::Value;

use super::arm_labels::{arm_label, arm_name};
use super::section::{Place, small_print};
use super::table::{Cell, Table};
use crate::findings::Part;
use crate::foreign_text;
use crate::input::{flattened, render_value};
use crate::number_format::count_of;

/// The most arms that have a column of their own.
const COLUMNS: usize = 8;

/// The longest setting that is shown whole.
const LONGEST: usize = 300;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let keys: BTreeSet<&String> =
        part.arms.iter().flat_map(|arm| arm.arm.settings.keys()).collect();
    let is_same = |key: &String| {
        let mut values = part.arms.iter().map(|arm| arm.arm.settings.get(key));
        let first = values.next().flatten();
        first.is_some() && values.all(|value| value == first)
    };
    let (same, keys): (BTreeSet<&String>, BTreeSet<&String>) =
        keys.into_iter().partition(|key| is_same(key));
    let shared = shared(part, &same, &keys);
    let has_estimators = keys.iter().any(|key| key.as_str() == "estimator.name");
    let finding = match keys.len() {
        0 => "All runs have the same settings.".to_owned(),
        count => format!(
            "Arms differ in {}; all others are the same in every run.",
            count_of(count, "setting", "settings")
        ),
    };
    let has_gaps =
        part.arms.iter().any(|arm| keys.iter().any(|key| !arm.arm.settings.contains_key(*key)));
    html! {
        p class="finding" { (finding) }
        @if !keys.is_empty() {
            (differing(part, &keys, place))
            @if has_gaps { (small_print("Without an entry: as in the shared settings, or a setting that the arm’s estimator does not have.")) }
        }
        @if !shared.is_empty() {
            details {
                summary { (count_of(shared.len(), "setting", "settings")) " that all runs share" }
                ul class="settings" { @for (key, value) in &shared {
                    li { code { (foreign_text::display_name(key)) } " = " code { (foreign_text::passage(&render_value(value), LONGEST)) } }
                } }
                @if has_estimators { (small_print("An option of an estimator holds for the arms whose estimator has it.")) }
            }
        }
    }
}

/// The settings that all arms have alike: the base's, and those of all arms' own.
fn shared(
    part: &Part<'_>,
    same: &BTreeSet<&String>,
    differing: &BTreeSet<&String>,
) -> BTreeMap<String, Value> {
    let mut shared = flattened(&part.source.study.base);
    if let Some(first) = part.arms.first() {
        let value = |key: &&String| Some(((*key).clone(), first.arm.settings.get(*key)?.clone()));
        shared.extend(same.iter().filter_map(value));
    }
    // Seeds differ by nature; what an arm sets replaces the base's.
    shared.retain(|key, _| key != "seed" && !differing.contains(key));
    shared
}

/// A row per setting and a column per arm; of many arms, a row per arm with what it sets.
fn differing(part: &Part<'_>, keys: &BTreeSet<&String>, place: &Place<'_>) -> Markup {
    let told =
        |value: &Value| html! { code { (foreign_text::passage(&render_value(value), LONGEST)) } };
    let mut table = Table::new("Settings that differ between arms", &["setting"]);
    if part.arms.len() <= COLUMNS {
        table.head.extend(part.arms.iter().map(arm_name));
        for key in keys {
            let name = html! { code { (foreign_text::display_name(key)) } };
            let values = part.arms.iter().map(|arm| arm.arm.settings.get(*key).map(told));
            let cells = values.map(|it| Cell::Text(it.unwrap_or_default()));
            table.rows.push((name, cells.collect()));
        }
        return place.table(&table);
    }
    table.head = vec!["arm".to_owned(), "what it sets".to_owned()];
    for arm in &part.arms {
        let list = html! { @for (at, (key, value)) in arm.arm.settings.iter().enumerate() {
            @if at > 0 { ", " }
            code { (foreign_text::display_name(key)) } " = " (told(value))
        } };
        table.rows.push((arm_label(arm), vec![Cell::Text(list)]));
    }
    place.table(&table)
}
