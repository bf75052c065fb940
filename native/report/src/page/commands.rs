//! What makes all this again.

use maud::{Markup, html};

use super::labels::{label, seeds};
use super::section::{Place, note};
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
        let folder = arm.arm.runs.first().map(|run| foreign_text::passage(&run.folder, 300));
        let folder =
            folder.map_or(Cell::text(""), |folder| Cell::Text(html! { code { (folder) } }));
        table.rows.push((label(arm), vec![Cell::text(&seeds(arm.arm.runs.iter())), folder]));
    }
    html! {
        @if part.source.is_of_runs {
            p { "These runs were started one by one. The settings of each are in its folder; so the first of them is made again:" }
            @if let Some((_, run)) = part.runs().next() {
                pre { code { "hgpo train --config " (quoted(&format!("{}/config.toml", run.folder))) } }
            }
        } @else {
            p { "The study is made, or gone on with, by:" }
            pre { code { (foreign_text::passage(&study.command, LONGEST)) } }
        }
        p { "This report:" }
        pre { code { (foreign_text::passage(&place.options.command, LONGEST)) } }
        (table.markup())
        (note("The same seed gives the same numbers on the same device."))
    }
}

/// A word of a command as a shell reads it.
fn quoted(word: &str) -> String {
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
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("runs/a/config.toml"), "runs/a/config.toml");
        assert_eq!(quoted("runs/it's; rm"), r"'runs/it'\''s; rm'");
    }
}
