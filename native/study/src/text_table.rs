//! Table of texts, set for terminals, Markdown and LaTeX.

use std::fmt::Write as _;

/// A table whose first column names the rows. Cells are texts of one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    /// What it shows; may be empty.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows, each with a cell for every column.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub fn new<T: Into<String>>(head: impl IntoIterator<Item = T>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The table as GitHub's Markdown has it, without its caption.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            let cell = |text: &String| match &**text {
                "" => " |".to_owned(),
                text => format!(" {} |", text.replace('|', "\\|")),
            };
            format!("|{}\n", row.iter().map(cell).collect::<Vec<_>>().concat())
        };
        let rule = format!("|{}\n", "---|".repeat(self.head.len()));
        let rows = self.rows.iter().map(line);
        [line(&self.head), rule].into_iter().chain(rows).collect()
    }

    /// The table as `tabular`, to be put into a document that uses `booktabs`.
    #[must_use]
    pub fn latex(&self) -> String {
        let columns: String =
            (0..self.head.len()).map(|at| if self.is_number(at) { 'r' } else { 'l' }).collect();
        let line =
            |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" & ");
        // The document says what it is of, in its own words.
        let caption = self.caption.replace(['\n', '\r'], " ");
        let caption = if caption.is_empty() { caption } else { format!("% {caption}\n") };
        let mut text = format!(
            "{caption}% needs: \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n",
            line(&self.head)
        );
        for row in &self.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} \\\\", line(row));
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }

    /// Whether a column but the first holds numbers, maybe with an error, a unit or an interval after them.
    fn is_number(&self, column: usize) -> bool {
        let cells = || self.rows.iter().map(|row| row[column].as_str());
        let begins = |cell: &str| {
            cell.trim_start_matches(['+', '-', '\u{2212}', '<', '\u{a0}'])
                .starts_with(|letter: char| letter.is_ascii_digit())
        };
        let is_none = |cell: &str| ["", "\u{2013}"].contains(&cell);
        column > 0 && cells().any(begins) && cells().all(|cell| is_none(cell) || begins(cell))
    }
}

/// Rows with their columns below each other, a line each. All rows have as many cells as the first.
#[must_use]
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
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
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new(["arm", "area (95 %)", "what it sets"]);
        table.caption = "Area\nof arms".to_owned();
        table.rows.push(["a_b & <c>", "57.5\u{a0}% ± 4.1", "x^2"].map(str::to_owned).to_vec());
        table.rows.push(["d|e", "\u{2013}", ""].map(str::to_owned).to_vec());
        table
    }

    #[test]
    fn tables_are_tabulars_and_letters_are_themselves() {
        assert_eq!(
            table().latex(),
            "% Area of arms\n% needs: \\usepackage{booktabs}\n\\begin{tabular}{lrl}\n\\toprule\n\
             arm & area (95 \\%) & what it sets \\\\\n\\midrule\n\
             a\\_b \\& \\textless{}c\\textgreater{} & 57.5~\\% $\\pm$ 4.1 & x\\textasciicircum{}2 \\\\\n\
             d\\textbar{}e & \u{2013} &  \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }

    #[test]
    fn markdown_has_a_cell_for_every_column() {
        let expected = "| arm | area (95 %) | what it sets |\n|---|---|---|\n\
            | a_b & <c> | 57.5\u{a0}% ± 4.1 | x^2 |\n| d\\|e | \u{2013} | |\n";
        assert_eq!(table().markdown(), expected);
    }
}
