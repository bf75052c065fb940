//! Commands that make the runs and the report again.

use maud::{Markup, html};

use super::arm_labels::{arm_label, render_seeds};
use super::section::{Place, small_print};
use super::table::{Cell, Table};
use crate::findings::Part;
use crate::foreign_text;

/// The longest command that is shown whole.
const LONGEST: usize = 4000;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let study = &part.source.study;
    let mut table =
        Table::new("Seeds and folders of every arm", &["arm", "seeds", "folder of a run"]);
    for arm in &part.arms {
        let seeds = html! { (render_seeds(arm.arm.runs.iter())) };
        let folder = html! { @if let Some(run) = arm.arm.runs.first() {
            code { (foreign_text::passage(&run.folder, 300)) }
        } };
        table.rows.push((arm_label(arm), vec![Cell::Text(seeds), Cell::Text(folder)]));
    }
    html! {
        @if part.source.is_of_runs {
            p { "These runs were started one by one. The settings of each are in its folder; so the first of them is made again:" }
            @if let Some((_, run)) = part.runs().next() {
                pre { code { "hgpo train --config " (quote_word(&format!("{}/config.toml", run.folder))) } }
            }
        } @else {
            p { "The study is made, or gone on with, by:" }
            pre { code { (foreign_text::passage(&study.command, LONGEST)) } }
        }
        p { "This report:" }
        pre { code { (foreign_text::passage(&place.options.command, LONGEST)) } }
        (place.table(&table))
        (small_print("The same seed gives the same numbers on the same device."))
    }
}

/// A word of a command as a shell reads it.
fn quote_word(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./=+,@%:".contains(it);
    let text = foreign_text::passage(word, LONGEST);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quote_word;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote_word("runs/a/config.toml"), "runs/a/config.toml");
        assert_eq!(quote_word("runs/it's; rm"), r"'runs/it'\''s; rm'");
    }
}
