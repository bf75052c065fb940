//! Tables for LaTeX.

use hgpo_study::text_table::TextTable;

use crate::page::table::{Cell, Table};

/// A table as `tabular`, to be put into a document that uses `booktabs`.
pub(super) fn tabular(table: &Table) -> String {
    let row = |(name, cells): &(maud::Markup, Vec<Cell>)| {
        let cells = cells.iter().map(|cell| match cell {
            Cell::Number(number) => number.as_deref().unwrap_or("\u{2013}").to_owned(),
            Cell::Text(text) => plain(&text.0),
        });
        [plain(&name.0)].into_iter().chain(cells).collect()
    };
    let rows = table.rows.iter().map(row).collect();
    TextTable { caption: table.caption.clone(), head: table.head.clone(), rows }.latex()
}

/// What a reader sees of markup.
fn plain(markup: &str) -> String {
    let mut text = String::new();
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('<') {
        text += before;
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    text += rest;
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let text = names.iter().fold(text, |text, (name, letter)| text.replace(name, letter));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn cells_are_what_a_reader_sees_of_them() {
        let mut table = Table::new("Area", &["arm", "area", "what it sets"]);
        let text = Cell::Text(html! { code { "x & y" } });
        table.rows.push((html! { span class="arm" { "a <b>" } }, vec![Cell::Number(None), text]));
        let row = "a \\textless{}b\\textgreater{} & \u{2013} & x \\& y \\\\\n";
        assert!(tabular(&table).contains(row), "{}", tabular(&table));
    }
}
