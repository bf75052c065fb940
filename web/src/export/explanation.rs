//! Explanation of the chosen step for paper: the terms of its advantage, a line each.

use super::exhibit::{Exhibit, Panel};
use super::table::Table;
use crate::model::{Contrast, Document, Explained, number};
use crate::text::{self, export as words};

/// The columns of the file.
const HEADER: &str =
    "comparison,level,members,value,mean,std,advantage,weight,contribution,skipped";

/// The terms of the chosen step's advantage.
pub(super) fn explanation(document: &Document, settings: String) -> Exhibit {
    let task = &document.rollouts.tasks[document.task];
    let explained = Explained::new(task, document.selected, &document.controls);
    let terms = explained.comparisons();
    let step = &task.rows()[document.selected.row].trajectory;
    let step = text::step_name(step, document.selected.step);
    let (sum, advantage) = (explained.explanation.sum, explained.explanation.advantage);
    let total = |name: &str, value: f64| {
        let mut row = vec![String::new(); 7];
        (row[0], row[6]) = (name.to_owned(), number::signed(value, 3));
        row
    };
    let mut rows: Vec<Vec<String>> = terms.iter().map(row).collect();
    rows.push(total(words::sum(), sum));
    if explained.explanation.whitening.is_some() {
        rows.push(total(text::advantage(), advantage));
    }
    let head = words::explanation_columns().split('|').map(str::to_owned).collect();
    let numbers = std::iter::once(HEADER.split(',').map(str::to_owned).collect());
    let line = |name: &str, value: f64| {
        let mut line = vec![String::new(); 10];
        (line[0], line[8]) = (name.to_owned(), value.to_string());
        line
    };
    let totals = [line("sum", sum), line("advantage", advantage)];
    Exhibit {
        name: [&document.source.stem(), "-explanation"].concat(),
        title: [&super::title(document), ", ", &step].concat(),
        settings,
        panels: vec![Panel::Table(Table { title: String::new(), head, rows })],
        notes: vec![words::symbols_of_terms().to_owned()],
        numbers: numbers.chain(terms.iter().map(numbers_of)).chain(totals).collect(),
    }
}

/// A term as a line of the table.
fn row(each: &Contrast<'_>) -> Vec<String> {
    let term = each.term;
    let compared = text::compared(&each.value.source, each.members.len());
    let name = match each.level() {
        Some(level) => {
            format!("G{}: {}, {compared}", number::subscript(level), text::shared(level))
        }
        None => format!("{}: {compared}", term.label),
    };
    let short = |value: f64| number::short(value, 3);
    let weight = if term.skipped.is_some() { "\u{2013}".to_owned() } else { short(term.weight) };
    vec![
        name,
        short(each.value.number),
        short(term.mean),
        short(term.std),
        number::signed(term.advantage, 3),
        weight,
        number::signed(term.contribution, 3),
    ]
}

/// A term as a line of the file, with all digits.
fn numbers_of(each: &Contrast<'_>) -> Vec<String> {
    let term = each.term;
    let skipped = term.skipped.map(|skipped| format!("{skipped:?}").to_lowercase());
    vec![
        term.label.clone(),
        each.level().map(|level| level.to_string()).unwrap_or_default(),
        each.members.len().to_string(),
        each.value.number.to_string(),
        term.mean.to_string(),
        term.std.to_string(),
        term.advantage.to_string(),
        term.weight.to_string(),
        term.contribution.to_string(),
        skipped.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::explanation;
    use crate::export::Column;
    use crate::model::{Cell, Document, PRESETS, Shared};

    #[test]
    fn the_terms_of_a_step_add_up_in_the_file() {
        let (rollouts, selected) = PRESETS[0].load();
        let document =
            Document { rollouts: Shared::new(rollouts), selected, ..Document::default() };
        let exhibit = explanation(&document, "HGPO".to_owned());
        assert_eq!(selected, Cell { row: 0, step: 2 });
        assert_eq!(exhibit.numbers[0].len(), 10);
        let (terms, totals) = exhibit.numbers[1..].split_at(exhibit.numbers.len() - 3);
        let number = |text: &String| text.parse::<f64>().expect("a number");
        let sum: f64 = terms.iter().map(|term| number(&term[8])).sum();
        assert_eq!(terms.len(), 3, "levels 0 to 2");
        assert!((sum - number(&totals[0][8])).abs() < 1e-12);
        assert!((sum - number(&totals[1][8])).abs() < 1e-12);
        let svg = exhibit.svg(Column::One);
        for text in ["overview", "HGPO", "G\u{2080}:", "G\u{2082}:"] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
