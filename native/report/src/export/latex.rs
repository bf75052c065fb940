//! Tables for LaTeX.

use std::fmt::Write as _;

use crate::page::table::{Cell, Table};

/// A table as `tabular`, to be put into a document that uses `booktabs`.
pub(super) fn tabular(table: &Table) -> String {
    let columns: String =
        (0..table.head.len()).map(|at| if table.is_number(at) { 'r' } else { 'l' }).collect();
    let head: Vec<String> = table.head.iter().map(|name| escape(name)).collect();
    // The document says what it is of, in its own words.
    let caption = table.caption.replace(['\n', '\r'], " ");
    let mut text = format!(
        "% {caption}\n% needs: \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n",
        head.join(" & ")
    );
    for (name, cells) in &table.rows {
        let cells = cells.iter().map(|cell| match cell {
            Cell::Number(number) => escape(number.as_deref().unwrap_or("\u{2013}")),
            Cell::Text(text) => escape(&plain(&text.0)),
        });
        let row: Vec<String> = [escape(&plain(&name.0))].into_iter().chain(cells).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} \\\\", row.join(" & "));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
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

/// A text that LaTeX sets as it is.
fn escape(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => told.extend(['\\', letter]),
            '\\' => told += "\\textbackslash{}",
            '~' => told += "\\textasciitilde{}",
            '^' => told += "\\textasciicircum{}",
            '<' => told += "\\textless{}",
            '>' => told += "\\textgreater{}",
            '|' => told += "\\textbar{}",
            '"' => told += "\\textquotedbl{}",
            '\u{a0}' => told.push('~'),
            '\u{2212}' => told += "$-$",
            '\u{b1}' => told += "$\\pm$",
            '\u{b7}' | '\u{d7}' => {
                told += if letter == '\u{b7}' { "$\\cdot$" } else { "$\\times$" }
            }
            '\u{2192}' => told += "$\\rightarrow$",
            'α' => told += "$\\alpha$",
            'γ' => told += "$\\gamma$",
            'σ' => told += "$\\sigma$",
            other => told.push(other),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn tables_are_tabulars_and_letters_are_themselves() {
        let mut table = Table::new("Area\nof arms", &["arm", "area (95 %)", "what it sets"]);
        let name = html! { span class="arm" { "a_b & <c>" } };
        let row = vec![
            Cell::Number(Some("57.5\u{a0}% ± 4.1".into())),
            Cell::Text(html! { code { "x^2" } }),
        ];
        table.rows.push((name, row));
        table.rows.push((html! { "d" }, vec![Cell::Number(None), Cell::Text(html! {})]));
        assert_eq!(
            tabular(&table),
            "% Area of arms\n% needs: \\usepackage{booktabs}\n\\begin{tabular}{lrl}\n\\toprule\n\
             arm & area (95 \\%) & what it sets \\\\\n\\midrule\n\
             a\\_b \\& \\textless{}c\\textgreater{} & 57.5~\\% $\\pm$ 4.1 & x\\textasciicircum{}2 \\\\\n\
             d & \u{2013} &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }
}
