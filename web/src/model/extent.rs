//! Extent: which attempts and steps of a task are shown and exported, as a reader writes it: `1-4, 7`.

use super::keys::{KeyAction, Press};
use super::{Cell, Task};
use std::ops::Range;

/// The attempts, numbered from 1, and the steps, from 0, in the reader's words; all where there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    words: [String; 2],
}

/// What of a task is shown: rows and columns of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visible {
    /// The attempts by position; none for all.
    rows: Option<Vec<usize>>,
    /// How many attempts there are.
    count: usize,
    /// The steps.
    pub(crate) steps: Range<usize>,
}

impl Extent {
    /// The words for attempts, or for steps.
    pub(crate) fn word(&self, place: usize) -> &str {
        &self.words[place]
    }

    /// The same with other words in a place.
    pub(crate) fn with(&self, place: usize, word: String) -> Self {
        let mut words = self.words.clone();
        words[place] = word;
        Self { words }
    }

    /// Whether anything is chosen.
    pub(crate) fn is_all(&self) -> bool {
        self.words.iter().all(|word| word.trim().is_empty())
    }

    /// What of a task is chosen; none if that cannot be understood, or is nothing.
    pub(crate) fn of(&self, task: &Task) -> Option<Visible> {
        let [attempts, steps] = &self.words;
        let count = task.rows().len();
        let lengths = task.lengths();
        let steps = range(steps, lengths.iter().copied().max().unwrap_or(0))?;
        let rows = numbers(attempts, 1, count)?.into_iter().map(|number| number - 1);
        // Attempts that end before have nothing to show.
        let rows: Vec<usize> = rows.filter(|row| lengths[*row] > steps.start).collect();
        let rows = (rows.len() < count).then_some(rows);
        Some(Visible { rows, count, steps }).filter(|visible| visible.count() > 0)
    }
}

impl Visible {
    /// All of a task.
    pub(crate) fn all(task: &Task) -> Self {
        let steps = 0..task.lengths().into_iter().max().unwrap_or(0);
        Self { rows: None, count: task.rows().len(), steps }
    }

    /// How many attempts of all are shown, and the first and the last step; nothing where all of a task is.
    pub(crate) fn extent_in(&self, task: &Task) -> Option<([usize; 2], [usize; 2])> {
        let steps = [self.steps.start, self.steps.end.saturating_sub(1)];
        (*self != Self::all(task)).then(|| ([self.count(), task.rows().len()], steps))
    }

    /// How many attempts are shown.
    pub(crate) fn count(&self) -> usize {
        self.rows.as_ref().map_or(self.count, Vec::len)
    }

    /// The attempt in a row of the table.
    pub(crate) fn row(&self, place: usize) -> usize {
        self.rows.as_ref().map_or(place, |rows| rows[place])
    }

    /// How many steps of each attempt are shown.
    pub(crate) fn lengths(&self, task: &Task) -> Vec<usize> {
        let length =
            |row: usize| task.rows()[row].steps.len().min(self.steps.end) - self.steps.start;
        self.rows().into_iter().map(length).collect()
    }

    /// The values of the steps that are shown, of those of all steps of a task, attempt by attempt.
    pub(crate) fn values<'a>(&self, all: &'a [Vec<f64>]) -> Vec<&'a [f64]> {
        let own = |row: usize| &all[row][self.steps.start..all[row].len().min(self.steps.end)];
        self.rows().into_iter().map(own).collect()
    }

    /// All attempts that are shown, by position.
    pub(crate) fn rows(&self) -> Vec<usize> {
        (0..self.count()).map(|place| self.row(place)).collect()
    }

    /// Where a step is in the table, if it is shown.
    pub(crate) fn place(&self, cell: Cell) -> Option<Cell> {
        let row =
            self.rows.as_ref().map_or(Some(cell.row), |rows| rows.binary_search(&cell.row).ok());
        let row = row.filter(|row| *row < self.count())?;
        self.steps.contains(&cell.step).then(|| Cell { row, step: cell.step - self.steps.start })
    }

    /// The step at a place of the table.
    pub(crate) fn cell(&self, place: Cell) -> Cell {
        Cell { row: self.row(place.row), step: place.step + self.steps.start }
    }

    /// What a key does on a step; it leads along what is shown.
    pub(crate) fn pressed(
        &self,
        press: &Press<'_>,
        (from, page): (Cell, usize),
        task: &Task,
    ) -> Option<KeyAction> {
        match press.on_step(self.place(from)?, &self.lengths(task), page)? {
            KeyAction::Focus(to) => Some(KeyAction::Focus(self.cell(to))),
            _ => press.on_step(from, &task.lengths(), page),
        }
    }
}

/// Numbers from `first` to `last` that a text names: single ones and ranges with commas between them, in order and each
/// once; all of them if the text is empty, none where it cannot be understood.
fn numbers(text: &str, first: usize, last: usize) -> Option<Vec<usize>> {
    if text.trim().is_empty() {
        return Some((first..=last).collect());
    }
    let mut found = Vec::new();
    for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once(['-', '\u{2013}', '~']).unwrap_or((part, part));
        let end = |text: &str, open| if text.is_empty() { Some(open) } else { text.parse().ok() };
        let (from, to): (usize, usize) = (end(from, first)?, end(to, last)?);
        if from > to || from < first || from > last {
            return None;
        }
        found.extend(from..=to.min(last));
    }
    found.sort_unstable();
    found.dedup();
    Some(found).filter(|found| !found.is_empty())
}

/// Steps from 0 that a text names as one range; all of so many if the text is empty.
fn range(text: &str, steps: usize) -> Option<Range<usize>> {
    let all = numbers(text, 0, steps.checked_sub(1)?)?;
    let range = *all.first()?..all.last()? + 1;
    (range.len() == all.len()).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::{Extent, numbers, range};
    use crate::model::keys::{KeyAction, Press};
    use crate::model::{Action, Cell, Model, Theme, update};

    #[test]
    fn attempts_are_named_singly_and_by_ranges() {
        assert_eq!(numbers("", 1, 3), Some(vec![1, 2, 3]));
        assert_eq!(numbers("7, 1-3,2", 1, 8), Some(vec![1, 2, 3, 7]));
        assert_eq!(numbers("6\u{2013}", 1, 8), Some(vec![6, 7, 8]));
        assert_eq!(numbers("-2", 1, 8), Some(vec![1, 2]));
        assert_eq!(numbers("5~90", 1, 8), Some(vec![5, 6, 7, 8]), "as many as there are");
        for wrong in ["0", "9", "3-2", "x", "1.5", "1--2", ","] {
            assert_eq!(numbers(wrong, 1, 8), None, "{wrong}");
        }
    }

    #[test]
    fn steps_are_one_range() {
        assert_eq!(range("", 5), Some(0..5));
        assert_eq!(range("2-3", 5), Some(2..4));
        assert_eq!(range("4", 5), Some(4..5));
        assert_eq!((range("0, 2", 5), range("5", 5), range("", 0)), (None, None, None));
    }

    fn extent(attempts: &str, steps: &str) -> Extent {
        Extent::default().with(0, attempts.to_owned()).with(1, steps.to_owned())
    }

    /// The overview's attempts have 4, 5, 6 and 4 steps.
    #[test]
    fn places_in_the_table_are_those_of_what_is_shown() {
        let model = Model::new(Theme::Auto);
        let task = model.on_stage();
        let visible = extent("1, 3-4", "2-").of(task).expect("understood");
        let cell = |row, step| Cell { row, step };
        assert_eq!((visible.rows(), visible.steps.clone()), (vec![0, 2, 3], 2..6));
        assert_eq!(visible.place(cell(2, 5)), Some(cell(1, 3)));
        assert_eq!(visible.cell(cell(1, 3)), cell(2, 5));
        assert_eq!((visible.place(cell(1, 3)), visible.place(cell(0, 1))), (None, None));
        assert_eq!(visible.lengths(task), [2, 4, 2]);
        let values: Vec<Vec<f64>> = task
            .rows()
            .iter()
            .map(|row| (0..row.steps.len()).map(|at| at as f64).collect())
            .collect();
        let shown = [&[2.0, 3.0][..], &[2.0, 3.0, 4.0, 5.0], &[2.0, 3.0]];
        assert_eq!(visible.values(&values), shown);
        let late = extent("", "4-5").of(task).expect("understood");
        assert_eq!(late.rows(), [1, 2], "the others have ended");
        assert_eq!(extent("1", "5").of(task), None, "nothing is left");
        let press = |key, from| {
            let press = Press { key, ..Press::default() };
            visible.pressed(&press, (from, 4), task)
        };
        assert_eq!(press("ArrowDown", cell(0, 2)), Some(KeyAction::Focus(cell(2, 2))));
        assert_eq!(press("ArrowLeft", cell(2, 2)), Some(KeyAction::Focus(cell(2, 2))));
        assert_eq!(press("End", cell(0, 2)), Some(KeyAction::Focus(cell(0, 3))));
        let edit = press("Delete", cell(2, 3));
        assert!(matches!(edit, Some(KeyAction::Edit(edit)) if edit.0 == cell(2, 3)));
    }

    #[test]
    fn what_a_reader_goes_to_is_shown() {
        let chosen = update(&Model::new(Theme::Auto), Action::Extent(extent("2", "")));
        assert_eq!(chosen.focus, Cell { row: 1, step: 0 }, "the focus is among what is shown");
        let within = update(&chosen, Action::Select(Cell { row: 1, step: 2 }));
        assert!(!within.extent.is_all());
        let beyond = update(&within, Action::Select(Cell { row: 0, step: 0 }));
        assert!(beyond.extent.is_all());
        assert!(update(&within, Action::Open(1)).extent.is_all(), "other work");
        let strange = update(&within, Action::Extent(extent("99", "")));
        assert_eq!(strange.extent, within.extent, "none of these");
    }
}
