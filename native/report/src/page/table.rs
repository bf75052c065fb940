//! Tables, which scroll inside the page if it is narrow.

use maud::{Markup, html};

/// A table whose first column names the rows.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// What it shows.
    pub(crate) caption: String,
    /// Names of the columns.
    pub(crate) head: Vec<String>,
    /// Names of the rows, and their cells.
    pub(crate) rows: Vec<(Markup, Vec<Cell>)>,
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// A number with its unit; none if there is none.
    Number(Option<String>),
    /// Text.
    Text(Markup),
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(caption: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(|it| (*it).to_owned()).collect();
        Self { caption: caption.into(), head, rows: Vec::new() }
    }

    /// Adds a row of numbers.
    pub(super) fn push(&mut self, name: Markup, row: impl IntoIterator<Item = Option<String>>) {
        self.rows.push((name, row.into_iter().map(Cell::Number).collect()));
    }

    pub(super) fn markup(&self) -> Markup {
        html! {
            div class="scroll" role="group" aria-label=(self.caption) tabindex="0" {
                table {
                    caption { (self.caption) }
                    thead { tr { @for (at, name) in self.head.iter().enumerate() {
                        th scope="col" class=[self.is_number(at).then_some("n")] { (name) }
                    } } }
                    tbody { @for (name, cells) in &self.rows {
                        tr {
                            th scope="row" { (name) }
                            @for cell in cells { (cell_of(cell)) }
                        }
                    } }
                }
            }
        }
    }

    /// Whether a column holds numbers, so that its name stands above their ends.
    fn is_number(&self, column: usize) -> bool {
        let cells = self.rows.first().map_or(&[][..], |(_, cells)| cells);
        column.checked_sub(1).is_some_and(|at| matches!(cells.get(at), Some(Cell::Number(_))))
    }
}

fn cell_of(cell: &Cell) -> Markup {
    match cell {
        Cell::Number(Some(number)) => html! { td class="n" { (number) } },
        Cell::Number(None) => html! { td class="n" { span aria-label="none" role="img" { "–" } } },
        Cell::Text(text) => html! { td { (text) } },
    }
}
